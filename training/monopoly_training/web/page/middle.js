// The middle of the board: dice, decks, the Bank, and what is decided now.
import { html } from "monopoly/html.js";
import { part, single } from "monopoly/data.js";
import { Disk, Swatch } from "monopoly/parts.js";
import { buildingPath } from "monopoly/shapes.js";

const PIPS = {
  1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]], 5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

function Die({ pips }) {
  return html`<svg class="die" viewBox="-50 -50 100 100" aria-hidden="true">
    <rect x="-48" y="-48" width="96" height="96" rx="17" fill="var(--die)" stroke="var(--line)" stroke-width="3" />
    ${(PIPS[pips] ?? []).map(([x, y]) => html`<circle cx=${x * 26} cy=${y * 26} r="9" fill="var(--pip)" />`)}
  </svg>`;
}

function Deck({ pile, left, name }) {
  return html`<span class="counter"><b class="deck" style=${{ background: `var(--deck_${pile})` }}
    aria-hidden="true">${"?!"[pile]}</b><b>${left}</b><small>${name}</small></span>`;
}

function Bank({ data, moment }) {
  const rows = [["houses", false], ["hotels", true]];
  return html`<span class="counter bank">${rows.map(([name, hotel]) => html`<span>
      <svg viewBox="-14 -8 28 16" aria-hidden="true"><path d=${buildingPath(0, 0, 12, hotel)}
        fill=${`var(--${hotel ? "hotel" : "house"})`} /></svg>
      <b>${single(data, moment, name)}</b><span class="spoken">${data.words[name]} in the Bank</span>
    </span>`)}<small>Bank</small></span>`;
}

function Sides({ data, sides }) {
  return html`<div class="sides">${sides.map(([seat, squares, items]) => html`<div class="side"
      style=${{ borderColor: data.board.seats[seat].fill }}>
    <h3 style=${{ background: data.board.seats[seat].fill, color: data.board.seats[seat].ink }}>
      ${data.seats[seat].letter} gives</h3>
    <ul>${items.map((item, k) => html`<li>${k < squares.length && html`<${Swatch} data=${data}
      square=${squares[k]} />`}${item}</li>`)}${items.length === 0 && html`<li class="muted">nothing</li>`}</ul>
  </div>`)}</div>`;
}

function Bidders({ data, bidders, actor }) {
  return html`<ul class="bidders">${bidders.map(([seat, bidding, bid]) => html`<li
      class=${seat === actor ? "acts" : ""}>
    <${Disk} data=${data} seat=${seat} hollow=${!bidding} size="22" />
    <span class=${bid ? "bid" : "muted"}>${bid || (seat === actor ? "to bid" : bidding ? "in" : "out")}</span>
  </li>`)}</ul>`;
}

/** Who decides what, with both sides of a deal or the bids of an auction. */
export function Decision({ data, moment }) {
  const decision = data.decisions[moment];
  return html`<section class="decision" aria-label="What is decided">
    <h2>${decision.actor >= 0 && html`<${Disk} data=${data} seat=${decision.actor} size="26" />`}
      <span>${decision.headline}</span></h2>
    ${(decision.details ?? []).map((text) => html`<p class="muted">${text}</p>`)}
    ${decision.sides && html`<${Sides} data=${data} sides=${decision.sides} />`}
    ${decision.bidders && html`<${Bidders} data=${data} bidders=${decision.bidders}
      actor=${decision.actor} />`}
  </section>`;
}

const RECENT = 12; // sentences at most; what has no room is cut off at the top

/** The newest sentences of the journal up to a moment: [text, whether this move brought it]. */
function recent(data, moment) {
  const rows = [];
  for (let t = moment; t >= 0 && rows.length < RECENT; t--) {
    for (const [, , , text] of [...data.events[t]].reverse()) rows.push([text, t === moment]);
  }
  return rows.slice(0, RECENT).reverse();
}

export function Middle({ data, moment, small }) {
  const dice = part(data, moment, "dice");
  const decks = part(data, moment, "decks");
  const turn = single(data, moment, "turn");
  return html`<div class=${`middle ${small ? "small" : ""}`}>
    <div class="title"><b>${data.title}${data.mode && ` (${data.mode})`}</b>
      <span class="muted">turn ${single(data, moment, "turns")}, round ${single(data, moment, "round")}</span></div>
    <div class="counters">
      <span class="dice" role="img" aria-label=${`dice: ${dice[0]} and ${dice[1]}`}>
        <${Die} pips=${dice[0]} /><${Die} pips=${dice[1]} /></span>
      ${turn >= 0 && html`<span class="counter"><${Disk} data=${data} seat=${turn} size="26" />
        <small>${data.seats[turn].letter}'s turn</small></span>`}
      ${!small && [0, 1].map((pile) => html`<${Deck} pile=${pile} left=${decks[pile]}
        name=${data.words.decks[pile]} />`)}
      ${!small && html`<${Bank} data=${data} moment=${moment} />`}
    </div>
    <${Decision} data=${data} moment=${moment} />
    ${!small && html`<ul class="happened" aria-label="What just happened">${recent(data, moment).map(([text, fresh]) =>
      html`<li class=${fresh ? "fresh" : ""}>${text}</li>`)}</ul>`}
  </div>`;
}
