// The review: accuracy, losses and luck of each player, and the decisions that stand out.
import { useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { playerName, points } from "monopoly/data.js";
import { Disk } from "monopoly/parts.js";

export const KINDS = { blunder: ["??", "Blunder"], mistake: ["?", "Mistake"], fine: ["!", "Fine move"] };
const part = (share) => (share === null || share === undefined ? "–" : `${Math.round(100 * share)}%`);
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The sign of a judgment: ?? */
export function Judgment({ kind }) {
  return html`<span class=${`judgment ${kind}`} aria-hidden="true">${KINDS[kind][0]}</span>`;
}

/** What the review says of the decision at a moment. */
export function ReviewNote({ data, moment }) {
  if (!data.review) return null;
  const mark = data.judged.get(moment);
  const luck = data.lucky.get(moment);
  const seat = data.decisions[moment].actor;
  const lost = data.losses.get(moment);
  return html`<div class="review-note">
    ${mark && html`<p><${Judgment} kind=${mark[2]} /> <b>${KINDS[mark[2]][1]}: ${points(-mark[3])} points</b>
      ${mark[5] ? ` for ${data.seats[mark[1]].letter}. Better: ${mark[5]}.` : ` for ${data.seats[mark[1]].letter}.`}</p>`}
    ${!mark && lost !== undefined && html`<p class="hint">${lost >= 0.0005
      ? `Lost ${(100 * lost).toFixed(1)} points of win probability.` : "No better move known."}</p>`}
    ${luck && html`<p class="hint">Luck of this throw for ${data.seats[seat].letter}: <b>${points(luck[seat])}</b> points.</p>`}
  </div>`;
}

function Scores({ data }) {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Scores"><table class="scores">
    <thead><tr><th scope="col">Player</th><th scope="col" title="Share of decisions that lost less than half a point">Accuracy</th>
      <th scope="col" title="Win probability lost by decisions, in points">Lost</th>
      <th scope="col" title="Effect of dice and cards on the win probability, in points">Luck</th>
      ${Object.values(KINDS).map(([sign, name]) => html`<th scope="col" title=${`${name}s`}>${sign}</th>`)}</tr></thead>
    <tbody>${data.review.seats.map((row, k) => html`<tr><th scope="row"><${Disk} data=${data} seat=${k} size="20" />
        <span>${playerName(data, k)}</span></th>
      <td title=${`of ${row.decisions} decisions`}>${part(row.accuracy)}</td><td>${points(-row.lost)}</td><td>${points(row.luck)}</td>
      <td>${row.blunders}</td><td>${row.mistakes}</td><td>${row.fine}</td></tr>`)}</tbody></table></div>`;
}

function Phases({ data }) {
  const { phases, seats } = data.review;
  return html`<details class="phases"><summary>Accuracy by kind of decision</summary>
    <div class="scroll"><table class="scores"><thead><tr><th scope="col">Decision</th>${data.seats.map((seat) =>
      html`<th scope="col">${seat.letter}</th>`)}</tr></thead>
    <tbody>${phases.map((phase) => html`<tr><th scope="row">${NAMES[phase] ?? capital(phase.toLowerCase())}</th>
      ${seats.map((row) => html`<td title=${row.phases[phase] ? `of ${row.phases[phase].decisions}` : ""}>${
        part(row.phases[phase]?.accuracy)}</td>`)}</tr>`)}</tbody></table></div></details>`;
}

const NAMES = { TURN: "Before the throw", BUY: "Buy or not", AUCTION: "Auctions", END: "End of the turn",
  BETWEEN: "Between turns", ANSWER: "Answers to offers", DEAL: "Offers accepted", DEBT: "Debts",
  DEED: "Mortgaged deeds received", CLAIM: "Scarce buildings", TAX: "Taxes", RENT: "Rent" };

export function Review({ data, moment, onSeek }) {
  const [kind, setKind] = useState("all");
  const [seat, setSeat] = useState(-1);
  const rows = data.review.marks.filter((mark) => (kind === "all" || mark[2] === kind) && (seat < 0 || mark[1] === seat));
  return html`<section class="review" aria-label="Review">
    <${Scores} data=${data} />
    <${Phases} data=${data} />
    <div class="filters">
      <select aria-label="Kind of mark" value=${kind} onChange=${(event) => setKind(event.target.value)}>
        <option value="all">All ${data.review.marks.length} marks</option>
        ${Object.entries(KINDS).map(([one, [sign, name]]) => html`<option value=${one}>${sign} ${name}s (${
          data.review.marks.filter((mark) => mark[2] === one).length})</option>`)}</select>
      <select aria-label="Player" value=${seat} onChange=${(event) => setSeat(Number(event.target.value))}>
        <option value="-1">All players</option>${data.seats.map((one, k) => html`<option value=${k}>${one.letter} only</option>`)}</select>
    </div>
    <ol class="rows" tabindex="0" aria-label="Marks">${rows.map(([t, who, one, lost, done, better]) => html`<li>
      <button type="button" class=${`row ${t === moment ? "now" : t > moment ? "later" : ""}`} onClick=${() => onSeek(t)}>
        <span class="at">${t}</span><${Disk} data=${data} seat=${who} size="18" /><${Judgment} kind=${one} />
        <span>${capital(done)}${better && html`<small class="better">Better: ${better}</small>`}</span>
        <span class="share">${points(-lost)}</span></button></li>`)}
      ${rows.length === 0 && html`<li class="empty">No decision matches.</li>`}</ol>
    <p class="hint">${capital(data.review.legend)}.</p>
  </section>`;
}
