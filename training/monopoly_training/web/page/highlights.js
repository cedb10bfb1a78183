// The moments that stand out, as a list.
import { useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { MARKS, SignIcon } from "monopoly/marks.js";

export function Highlights({ data, moment, onSeek }) {
  const [kind, setKind] = useState("all");
  const kinds = Object.keys(MARKS).filter((one) => data.marks.some((mark) => mark[1] === one));
  const rows = data.marks.filter((mark) => kind === "all" || mark[1] === kind);
  return html`<section class="highlights" aria-label="Highlights">
    <div class="filters"><select aria-label="Kind of mark" value=${kind} onChange=${(event) => setKind(event.target.value)}>
      <option value="all">All ${data.marks.length} marked moves</option>
      ${kinds.map((one) => html`<option value=${one}>${MARKS[one].many} (${data.marks.filter((mark) => mark[1] === one).length})</option>`)}
    </select></div>
    <ol class="rows" tabindex="0" aria-label="Marked moves">${rows.map(([t, one, , text]) => html`<li>
      <button type="button" class=${`row ${t === moment ? "now" : t > moment ? "later" : ""}`} onClick=${() => onSeek(t)}>
      <span class="at">${t}</span><${SignIcon} kind=${one} size="18" /><span>${text}</span></button></li>`)}
      ${rows.length === 0 && html`<li class="empty">No auctions, deals, completed groups or bankruptcies in this game.</li>`}</ol>
  </section>`;
}
