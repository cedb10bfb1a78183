// Where a person decides: the question, its buttons, and what helps to answer it.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { money, part, playerName } from "monopoly/data.js";
import { capital, legalOf } from "monopoly/asked.js";
import { Bids } from "monopoly/bids.js";
import { Choice, PlainChoices } from "monopoly/buttons.js";
import { Composer, Partners, newDraft } from "monopoly/composer.js";
import { DeedCard, WorkKinds, WorkList } from "monopoly/deeds.js";
import { ChanceChanges, GroupChanges } from "monopoly/groups.js";
import { Disk, Swatch } from "monopoly/parts.js";
import { send } from "monopoly/server.js";
import { Since } from "monopoly/since.js";

// A headline about a player, as that player reads it.
const VERBS = { is: "are", owes: "owe", chooses: "choose", places: "place", composes: "compose" };

/** Who won, by name. */
function wonBy(data) {
  const names = data.result.winners.map((letter) => playerName(data, data.seats.findIndex((seat) => seat.letter === letter)));
  return `${names.map((name) => (name === "you" ? "You" : name)).join(" and ")} won the game`;
}

/** The headline of somebody else's decision: with the name in place of the letter, or before it. */
function called(data, { actor, headline }, letter) {
  const name = playerName(data, actor);
  return new RegExp(`^${letter}[: ]`).test(headline) ? `${name}${headline.slice(1)}` : `${name}: ${headline}`;
}

/** The headline of a decision, told to whoever takes it if the page plays a single seat. */
function headlineFor(data, decision) {
  if (data.result.over) return wonBy(data);
  const letter = data.seats[decision.actor]?.letter;
  if (!data.asked && letter) return called(data, decision, letter);
  if (data.mine.length !== 1 || decision.actor !== data.mine[0]) return decision.headline;
  if (decision.headline === `${letter} is about to throw`) return "Your turn";
  const [, question, verb, rest] = new RegExp(`^${letter}(?:: (.*)| (\\S+)(.*))$`).exec(decision.headline) ?? [];
  if (question) return capital(question);
  return verb ? `You ${VERBS[verb] ?? verb}${rest}` : decision.headline;
}

/** What is owed, what is there, and what can be raised. */
function Debt({ data }) {
  const { due, most } = data.asked.debt;
  const cash = part(data, data.last, "cash")[data.asked.seat];
  const enough = most >= due;
  return html`<dl class="debt"><dt>Owed</dt><dd>${money(data, due)}</dd><dt>Cash</dt><dd>${money(data, cash)}</dd>
    <dt>Short by</dt><dd><b>${money(data, due - cash)}</b></dd>
    <dt>Can be raised</dt><dd class=${enough ? "" : "short"}>${money(data, most - cash)}${enough ? "" : ", not enough without a deal"}</dd></dl>`;
}

/** An offer that is to be answered: what it does to both sides. */
function Offered({ data }) {
  const sides = data.decisions[data.last].sides;
  return html`<div class="offered">${sides.map(([seat, squares, items]) => html`<p><${Disk} data=${data} seat=${seat} size="20" />
      <b>${seat === data.asked.seat ? "You give" : `${data.seats[seat].letter} gives`}</b>
      ${items.length ? items.map((item, k) => html`<span class="item">${k < squares.length && html`<${Swatch} data=${data} square=${squares[k]} />`}${item}</span>`)
        : html`<span class="muted">nothing</span>`}</p>`)}
    <${GroupChanges} data=${data} moment=${data.last} seats=${sides.map(([seat]) => seat)} given=${sides.map(([, squares]) => squares)} />
    <${ChanceChanges} data=${data} told=${data.asked.chances} /></div>`;
}

/** Choices among spaces or whole offers, one button each. */
function Listed({ data, kinds, act, busy }) {
  const rows = kinds.flatMap((kind) => legalOf(data, kind));
  return rows.length > 0 && html`<ul class="work">${rows.map(({ text, meaning, value }) => html`<li key=${text}><button type="button" class="lot"
    onClick=${() => !busy && act([text])}>${data.board.squares[value]?.group && !kinds.includes("propose") && html`<${Swatch} data=${data} square=${value} />`}
    <span>${capital(meaning)}</span></button></li>`)}</ul>`;
}

function Hint({ data, act }) {
  const [bot, setBot] = useState(() => (data.bots.includes("veteran") ? "veteran" : data.bots[0]));
  const [told, setTold] = useState(null);
  const answer = useRef(null);
  useEffect(() => setTold(null), [data.stamp]);
  useEffect(() => answer.current?.scrollIntoView({ block: "nearest" }), [told]);
  const ask = async () => {
    setTold({ text: "Thinking …" });
    try {
      setTold(await send("hint", { at: data.stamp, bot }));
    } catch (problem) {
      setTold({ text: problem.message });
    }
  };
  return html`<div class="hints"><button type="button" class="small-button" onClick=${ask}>Hint from</button>
    <select aria-label="Bot to ask" value=${bot} onChange=${(event) => setBot(event.target.value)}>${data.bots.map((name) =>
      html`<option value=${name}>${name}</option>`)}</select>
    ${told && html`<p class="told" role="status" ref=${answer}>${capital(told.text)}${told.because && html`, because ${told.because}`}.
      ${told.actions && html` <button type="button" class="small-button" onClick=${() => act(told.actions)}>Do that</button>`}</p>`}</div>`;
}

const OPENED = { PLACE: "build", DEED: "keep" }; // what is shown at once

export function Desk({ data, view, setView, act, offer, busy, ending, children }) {
  const { asked } = data;
  const desk = useRef(null);
  useEffect(() => {
    if (!asked) setView(null);
    else if (asked.phase === "DEAL") setView({ draft: newDraft(data) });
    else if (OPENED[asked.phase]) setView({ kind: OPENED[asked.phase] });
    else setView((now) => (now?.kind && legalOf(data, now.kind).length ? now : now?.square !== undefined ? now : null));
    // whoever plays by keys finds the new question where the old one was
    if (asked && desk.current?.dataset.used) desk.current.querySelector("button:not([aria-disabled=true])")?.focus();
    if (desk.current) delete desk.current.dataset.used;
  }, [data.stamp, asked === null]);
  const decision = data.decisions[data.last];
  const shared = { data, act, busy };
  const drafting = asked && view?.draft;
  return html`<section class=${`desk ${drafting ? "drafting" : ""}`} aria-label=${asked ? "Your decision" : "Decision"} ref=${desk}
      onKeyDown=${() => { desk.current.dataset.used = "yes"; }} onPointerDown=${() => { delete desk.current.dataset.used; }}>
    <h2 aria-live="polite">${decision.actor >= 0 && html`<${Disk} data=${data} seat=${decision.actor} size="26" />`}<span>${
      headlineFor(data, decision)}</span></h2>
    ${asked && !drafting && !asked.debt && (decision.details ?? []).filter((text) => !text.endsWith("in cash") && !text.endsWith("is to bid")).map((text) => html`<p class="hint">${text}</p>`)}
    ${asked?.debt && html`<${Debt} data=${data} />`}
    ${asked?.phase === "ANSWER" && html`<${Offered} data=${data} />`}
    ${view?.square !== undefined && !drafting && html`<${DeedCard} ...${shared} square=${view.square} onClose=${() => setView(null)} />`}
    ${drafting ? html`<${Composer} ...${{ data, draft: view.draft, offer, busy }} setDraft=${(draft) => setView({ draft })}
        cancel=${() => (asked.phase === "DEAL" ? act(["cancel"]) : setView(null))} />`
      : asked && html`
        ${asked.bid && html`<${Bids} ...${shared} />`}
        <${PlainChoices} ...${shared} />
        <${Listed} ...${shared} kinds=${["to", "attack", "propose"]} />
        <${WorkKinds} data=${data} kind=${view?.kind} setKind=${(kind) => setView(kind && { kind })} />
        ${view?.kind && html`<${WorkList} ...${shared} kind=${view.kind} />`}
        <${Partners} data=${data} onChoose=${(partner) => setView({ draft: newDraft(data, partner) })} />`}
    ${ending}
    ${!drafting && html`<${Since} data=${data} />`}
    ${asked && !drafting && html`<${Hint} ...${shared} />`}
    ${children}
  </section>`;
}
