// What the keys do, and what the words on the page mean.
import { useEffect, useRef } from "preact/hooks";
import { html } from "monopoly/html.js";
import { MARKS, SignIcon } from "monopoly/marks.js";

const KEYS = [
  ["Space", "play, pause"], ["← →", "previous, next move"], ["Shift + ← →", "previous, next turn"],
  ["Page Up, Page Down", "ten moves back, forward"], ["Home, End", "start, end"],
  ["[ ]", "previous, next marked move"], ["+ −", "faster, slower"],
  ["/", "search the journal"], ["D", "dark or light colors"], ["?", "this help"],
];

export function Help({ data, open, onClose }) {
  const dialog = useRef(null);
  useEffect(() => {
    if (open) dialog.current.showModal();
    else dialog.current.close();
  }, [open]);
  const rules = Object.entries(data.rules);
  return html`<dialog ref=${dialog} onClose=${onClose} aria-labelledby="help-title">
    <h2 id="help-title">About this page</h2>
    <dl class="words">
      <dt>Move</dt><dd>One choice: throwing the dice, buying, bidding, building, or adding one item
        to an offer. Most turns have several.</dd>
      <dt>Net worth</dt><dd>Cash, deeds at list price, and buildings at cost. Mortgaged deeds count
        half.</dd>
      <dt>Rent / round</dt><dd>Average rent while every other player takes one turn.</dd>
      <dt>Win probability</dt><dd>Estimated by a model trained on games between bots. To estimate it by simulation:${" "}
        ${data.odds_at ? "use the button under the chart" : html`<code>${"monopoly-env odds FILE,--moment N,--rollouts 1000".split(",").map((words) => html`<span>${words}</span> `)}</code>`}</dd>
      ${data.review && html`<dt>Points</dt><dd>Percentage points of win probability: a drop from 30% to 25% is 5 points.</dd>`}
    </dl>
    <h3>Marked moves</h3>
    <ul class="marks-help">${Object.entries(MARKS).map(([kind, { one }]) =>
      html`<li><${SignIcon} kind=${kind} /> ${one}</li>`)}</ul>
    <h3>Keys</h3>
    <dl class="keys">${KEYS.map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl>
    <h3>The game</h3>
    <p>${data.title}${data.mode && `, ${data.mode} mode`}, ${data.seats.length} players${
      data.seed === null ? ", from a position" : `, seed ${data.seed}`}.
      ${rules.length > 0 && ` Rules: ${rules.map(([name, value]) => `${name} ${value}`).join(", ")}.`}
      ${data.source && ` ${data.source}.`}</p>
    ${data.notes.map((note) => html`<p>${note}</p>`)}
    <form method="dialog"><button class="close">Close</button></form>
  </dialog>`;
}
