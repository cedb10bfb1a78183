// The decision at hand: what is legal, what was chosen, what the bot thought, why the rest is refused.
import { useMemo, useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { actionName, count, playerName } from "monopoly/data.js";
import { Disk, Icon } from "monopoly/parts.js";
import { ReviewNote } from "monopoly/review.js";

const WRONG_PHASE = 1; // a kind of action that this decision does not know
const NO_SUCH_SEAT = 29;
const percent = (share) => (share < 0.001 ? "<0.1%" : `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)}%`);
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1).replace(" (more)", "");

/** What the bot thought of an action: [share of the bar, text], or null. */
function thoughtOf(thoughts, action) {
  const row = thoughts?.rows?.find(([id]) => id === action);
  if (!row) return thoughts?.kind === "policy" ? [0, "<0.1%"] : null;
  if (thoughts.kind === "policy") return [row[1], percent(row[1])];
  return [row[1], `${percent(row[1])} ± ${(row[2] * 100).toFixed(1)}`];
}

function ThoughtNote({ data, thoughts, seat }) {
  if (!thoughts) return null;
  const name = playerName(data, seat);
  if (thoughts.kind === "left") {
    return html`<p class="hint">${name} leaves this choice to the bot ${thoughts.to}.</p>`;
  }
  if (thoughts.kind === "search") {
    return html`<p class="hint">Bars: the win rate that ${name} estimates for each choice, ± one
      standard error, from ${count(thoughts.samples)} simulations of each. Computed when this page was made.</p>`;
  }
  return html`<p class="hint">Bars: the probability that ${name} chooses this.
    ${thoughts.value !== null && html` Its value estimate: <b>${thoughts.value.toFixed(2)}</b>, in units of its training reward.`}</p>`;
}

const SHOWN = 12; // legal choices that are listed before a button asks for all

/** The first of many choices, and the one that was taken. */
function firstOf(rows, chosen) {
  const first = rows.slice(0, SHOWN);
  if (first.some(([action]) => action === chosen)) return first;
  return [...first.slice(0, -1), rows.find(([action]) => action === chosen)];
}

function Legal({ data, moment, thoughts, all, onAll }) {
  const chosen = data.chosen[moment];
  let rows = data.legal[moment];
  const count = rows.length;
  if (thoughts?.rows) {
    const share = (action) => thoughtOf(thoughts, action)?.[0] ?? -1;
    rows = [...rows].sort((a, b) => share(b[0]) - share(a[0]));
  }
  if (!all && rows.length > SHOWN + 2) rows = firstOf(rows, chosen);
  return html`<ul class="legal" aria-label="Legal choices">${rows.map(([action, meaning, effect]) => {
    const thought = thoughtOf(thoughts, action);
    return html`<li key=${action} class=${action === chosen ? "chosen" : ""}>
      ${thought && html`<span class="bar" style=${{ width: `${thought[0] * 100}%` }} aria-hidden="true"></span>`}
      <span class="tick">${action === chosen && html`<${Icon} name="check" size="16" /><span class="spoken">chosen: </span>`}</span>
      <span class="what">${capital(meaning)}${effect && html` <small>(${effect})</small>`}</span>
      ${thought && html`<span class="share">${thought[1]}</span>`}</li>`;
  })}</ul>
  ${rows.length < count && html`<button type="button" class="all" onClick=${onAll}>Show all ${count} choices</button>`}`;
}

/** Reasons against kinds of action: [{kind, reasons: [[reason, [what, …]], …]}, …], and what cannot come up. */
function refusals(data, moment) {
  const codes = data.reasons[data.reasons_at[moment]];
  const actor = data.decisions[moment].actor;
  const kinds = new Map();
  const never = new Set();
  data.action_names.forEach(([kind, what], action) => {
    const reason = codes.charCodeAt(action) - data.reason_first;
    if (reason === WRONG_PHASE) never.add(kind);
    if (reason === 0 || reason === WRONG_PHASE || reason === NO_SUCH_SEAT) return;
    if (!kinds.has(kind)) kinds.set(kind, new Map());
    const reasons = kinds.get(kind);
    if (!reasons.has(reason)) reasons.set(reason, []);
    const label = typeof what === "number" ? data.seats[(actor + what) % data.seats.length].letter : what;
    if (label) reasons.get(reason).push(label);
  });
  return [kinds, [...never].filter((kind) => !kinds.has(kind))];
}

function Refused({ data, moment }) {
  const [words, setWords] = useState("");
  const [kinds, never] = useMemo(() => refusals(data, moment), [data, moment]);
  const wanted = words.trim().toLowerCase();
  const fits = (text) => !wanted || text.toLowerCase().includes(wanted);
  const rows = [...kinds].flatMap(([kind, reasons]) => {
    const title = capital(data.kinds[kind]);
    const found = [...reasons].map(([reason, labels]) =>
      [reason, fits(title) ? labels : labels.filter((label) => fits(data.kinds[kind].replace("…", label)))])
      .filter(([reason, labels]) => labels.length || fits(title) || (wanted && fits(data.reason_names[reason])));
    return found.length ? [[title, found]] : [];
  });
  return html`<div class="refused-body">
    <input type="search" placeholder="Find an action, such as Boardwalk" aria-label="Find an illegal action"
      value=${words} onInput=${(event) => setWords(event.target.value)} />
    ${rows.map(([title, reasons]) => html`<h3>${title}</h3><dl>${reasons.map(([reason, labels]) => html`
      <dt>${capital(data.reason_names[reason])}</dt><dd>${labels.join(", ")}</dd>`)}</dl>`)}
    ${!rows.length && html`<p class="empty">No illegal action matches.</p>`}
    ${!wanted && never.length > 0 && html`<h3>Not part of this decision</h3>
      <p class="muted">${never.map((kind) => capital(data.kinds[kind])).join(" · ")}</p>`}
  </div>`;
}

function End({ data }) {
  const { winners, truncated, over, ranks } = data.result;
  const headline = !over ? "The record ends here; the game is not over."
    : `${winners.join(" and ")} won the game${truncated ? "; the game reached a turn or decision limit" : ""}.`;
  return html`<section class="choices" aria-label="Result"><h2>${headline}</h2>
    <ol class="ranks">${ranks.map(([letter, rank, worth]) => html`<li>
      <span class="at">${rank}.</span><${Disk} data=${data} seat=${data.seats.findIndex((s) => s.letter === letter)} size="22" />
      <span>${playerName(data, data.seats.findIndex((s) => s.letter === letter))}</span></li>`)}</ol></section>`;
}

export function Choices({ data, moment }) {
  const [open, setOpen] = useState(false);
  const [all, setAll] = useState(false);
  if (moment >= data.chosen.length) return html`<${End} data=${data} />`;
  const decision = data.decisions[moment];
  const legal = data.legal[moment];
  const thoughts = data.thoughts[moment];
  const codes = data.reasons[data.reasons_at[moment]];
  const refused = [...codes].filter((code) => ![0, NO_SUCH_SEAT].includes(code.charCodeAt(0) - data.reason_first)).length;
  return html`<section class="choices" aria-label="Decision">
    <h2><${Disk} data=${data} seat=${decision.actor} size="24" />
      <span>${decision.headline}</span></h2>
    <p class="hint">${legal.length === 1 ? "One legal choice." : `${legal.length} legal choices; the checked one was taken.`}</p>
    <${ReviewNote} data=${data} moment=${moment} />
    <${ThoughtNote} data=${data} thoughts=${thoughts} seat=${decision.actor} />
    <${Legal} ...${{ data, moment, thoughts, all, onAll: () => setAll(true) }} />
    <details class="refused" open=${open} onToggle=${(event) => setOpen(event.currentTarget.open)}>
      <summary>Why not something else? ${count(refused)} actions are illegal</summary>
      ${open && html`<${Refused} data=${data} moment=${moment} />`}
    </details>
  </section>`;
}
