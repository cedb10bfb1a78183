// What the keys do, and what the words on the page mean.
import { useEffect, useRef } from "preact/hooks";
import { html } from "monopoly/html.js";
import { MARKS, SignIcon } from "monopoly/marks.js";

const KEYS = [
  ["Space", "play, pause"], ["← →", "one move back, on"], ["Shift + ← →", "one turn back, on"],
  ["Page Up, Page Down", "ten moves back, on"], ["Home, End", "the start, the end"],
  ["[ ]", "the marked moment before, after"], ["+ −", "faster, slower"],
  ["/", "search the journal"], ["D", "dark or light"], ["?", "this help"],
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
      <dt>Move</dt><dd>One choice of a player: to throw the dice, to buy, to bid, to build, to put one
        thing into an offer. Most turns have several.</dd>
      <dt>Net worth</dt><dd>Cash, deeds at their list price, and buildings at what they cost. A mortgaged
        deed counts half.</dd>
      <dt>Rent a round</dt><dd>What a player's deeds earn, on average, while everybody else takes one
        turn.</dd>
      <dt>Chance to win</dt><dd>By a value learned from games between bots (${data.value}). By playing on instead:
        ${data.odds_at ? "the button under the chart" : html`<code>monopoly-env odds FILE --moment N --rollouts 1000</code>`}</dd>
      ${data.review && html`<dt>Points</dt><dd>Of the chance to win: from 30 % to 25 % is a loss of 5 points.</dd>`}
    </dl>
    <h3>Marked moments</h3>
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
    <form method="dialog"><button class="close" autofocus>Close</button></form>
  </dialog>`;
}
