// Composing a deal: deeds of both sides, cash either way, and what it would change.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { money, part, playerName } from "monopoly/data.js";
import { capital, deedsOf, legalOf, refusedOf } from "monopoly/asked.js";
import { Choice } from "monopoly/buttons.js";
import { ChanceChanges, GroupChanges } from "monopoly/groups.js";
import { Disk, Swatch } from "monopoly/parts.js";
import { send } from "monopoly/server.js";

const CARDS = [40, 41]; // Get Out of Jail Free cards that are kept

/** Whom an offer can be made to; greyed with the reason. */
export function Partners({ data, onChoose }) {
  const seat = data.asked.seat;
  const at = (value) => (seat + value) % data.seats.length;
  const label = (value) => html`<${Disk} data=${data} seat=${at(value)} size="20" /> ${playerName(data, at(value))}`;
  const spoken = (value) => `Make a deal with ${data.seats[at(value)].letter}, ${playerName(data, at(value))}`;
  const legal = legalOf(data, "deal");
  const refused = refusedOf(data, "deal").filter(({ value }) => value < data.seats.length);
  if (!legal.length && !refused.length) return null;
  const reasons = [...new Set(refused.map(({ reason }) => reason))];
  if (!legal.length && reasons.length === 1) return html`<div class="plain"><${Choice} label="Make a deal" reason=${reasons[0]} /></div>`;
  return html`<div class="partners" role="group" aria-label="Make a deal with"><span class="hint" aria-hidden="true">Make a deal with</span>
    ${legal.map(({ value }) => html`<${Choice} key=${value} label=${label(value)} spoken=${spoken(value)} onClick=${() => onChoose(at(value))} />`)}
    ${refused.map(({ value, reason }) => html`<${Choice} key=${value} label=${label(value)} spoken=${spoken(value)} reason=${reason} />`)}</div>`;
}

/** A draft of an offer to a seat; one that the rules already hold is gone on with. */
export function newDraft(data, partner) {
  const offer = data.asked.offer;
  if (data.asked.phase !== "DEAL") return { partner, give: [], ask: [], pay: 0, get: 0 };
  const sides = data.decisions[data.last].sides;
  return { partner: offer.partner, give: sides[0][1], ask: sides[1][1], pay: Math.max(0, -offer.cash), get: Math.max(0, offer.cash) };
}

/** What a side could give: squares, and cards that are kept. */
export function itemsOf(data, seat) {
  const owner = part(data, data.last, "owner");
  return [...deedsOf(data, owner, seat), ...CARDS.filter((card) => data.cards[card - 40] === seat)];
}

/** Why an item cannot be traded; empty if it can. */
export function barredReason(data, square) {
  if (square >= 40) return "";
  const level = part(data, data.last, "level");
  const group = data.board.group_squares.find((squares) => squares.includes(square));
  return group.some((one) => level[one] > 0) ? "there are buildings in its group" : "";
}

/** A draft with an item added or taken out. */
export function toggled(draft, square, mine) {
  const key = mine ? "give" : "ask";
  const has = draft[key].includes(square);
  return { ...draft, [key]: has ? draft[key].filter((one) => one !== square) : [...draft[key], square] };
}

const itemName = (data, item) =>
  (item < 40 ? data.board.squares[item].name : `Get Out of Jail Free (${data.words.decks[item - 40]})`);

function Side({ data, seat, title, chosen, onToggle, cash, setCash, most, label }) {
  const mortgaged = part(data, data.last, "mortgaged");
  const { fill, ink } = data.board.seats[seat];
  return html`<fieldset class="give" style=${{ borderColor: fill }}><legend style=${{ background: fill, color: ink }}>${title}</legend>
    <label class="cash">${label} <input type="number" inputmode="numeric" min="0" max=${most} value=${cash || ""} placeholder="0"
      onInput=${(event) => setCash(Math.max(0, Math.floor(Number(event.target.value) || 0)))} /><small class="muted">of ${money(data, most)}</small></label>
    <ul>${itemsOf(data, seat).map((item) => {
      const reason = barredReason(data, item);
      return html`<li key=${item}><button type="button" class="lot" aria-pressed=${chosen.includes(item)} aria-disabled=${Boolean(reason)}
        title=${reason ? capital(reason) : undefined} onClick=${() => !reason && onToggle(item)}><${Swatch} data=${data} square=${item} />
        <span>${itemName(data, item)}</span>${(reason || mortgaged[item] > 0) && html`<small>${reason ? "built on" : "mortgaged"}</small>`}</button></li>`;
    })}</ul></fieldset>`;
}

/** What the server says of a draft, asked again at each change. */
function useTried(data, draft) {
  const [tried, setTried] = useState(null);
  const newest = useRef(0);
  const deal = { partner: draft.partner, give: draft.give, ask: draft.ask, cash: draft.get - draft.pay };
  useEffect(() => {
    const number = ++newest.current;
    setTried(null);
    send("try", { at: data.stamp, deal }).then(
      (told) => number === newest.current && setTried(told),
      (problem) => number === newest.current && setTried({ problem: problem.message, then: null }));
  }, [data.stamp, JSON.stringify(deal)]);
  return [deal, tried];
}

export function Composer({ data, draft, setDraft, offer, cancel, busy }) {
  const seat = data.asked.seat;
  const cash = part(data, data.last, "cash");
  const [deal, tried] = useTried(data, draft);
  const other = data.seats[draft.partner].letter;
  const empty = !draft.give.length && !draft.ask.length && !draft.pay && !draft.get;
  const change = (more) => setDraft({ ...draft, ...more });
  return html`<section class="composer" aria-label="Your offer">
    <h3>Offer to <${Disk} data=${data} seat=${draft.partner} size="22" /> ${playerName(data, draft.partner)}</h3>
    <p class="hint">Click deeds here or on the board. Only one side can add cash.</p>
    <div class="sides-edit">
      <${Side} ...${{ data, seat, title: "You give", chosen: draft.give, most: cash[seat], cash: draft.pay, label: "Cash" }}
        onToggle=${(item) => setDraft(toggled(draft, item, true))} setCash=${(pay) => change({ pay, get: pay ? 0 : draft.get })} />
      <${Side} ...${{ data, seat: draft.partner, title: `${other} gives`, chosen: draft.ask, most: cash[draft.partner], cash: draft.get, label: "Cash" }}
        onToggle=${(item) => setDraft(toggled(draft, item, false))} setCash=${(get) => change({ get, pay: get ? 0 : draft.pay })} />
    </div>
    <div class="settle"><${GroupChanges} data=${data} moment=${data.last} seats=${[seat, draft.partner]} given=${[draft.give, draft.ask]} />
    <${ChanceChanges} data=${data} told=${tried} />
    <div class="plain"><${Choice} label="Make the offer" className="main" effect=${tried ? "" : "…"}
        reason=${empty ? "choose what each side gives" : tried?.problem} onClick=${() => tried && !busy && offer(deal)} />
      <${Choice} label=${data.asked.phase === "DEAL" ? "Cancel the offer" : "Cancel"} onClick=${cancel} /></div></div>
  </section>`;
}
