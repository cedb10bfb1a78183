// What happened since the reader decided last.
import { html } from "monopoly/html.js";
import { single } from "monopoly/data.js";
import { Disk } from "monopoly/parts.js";

const MOST = 40; // sentences

/** The moment after the last decision that these seats took; 0 if there is none. */
function sinceWhen(data, seats) {
  for (let t = data.last - 1; t >= 0; t--) {
    const passed = data.decisions[t].headline.endsWith("may act between turns");
    if (seats.includes(single(data, t, "actor")) && !passed) return t + 1;
  }
  return 0;
}

export function Since({ data }) {
  const first = sinceWhen(data, data.mine);
  const events = data.events.slice(first).flat().filter(([topic]) => data.topics[topic] !== "move" || first > 0);
  const shown = events.slice(-MOST);
  if (!shown.length) return null;
  const title = data.mine.length ? "Since your last decision" : "What happened";
  return html`<details class="since" open><summary>${title}</summary>
    <ol tabindex="0" aria-label=${title} ref=${(list) => list && (list.scrollTop = list.scrollHeight)}>${shown.map(([, player, , text]) => html`<li>
      ${player >= 0 ? html`<${Disk} data=${data} seat=${player} size="16" />` : html`<span class="disk none"></span>`}<span>${text}</span></li>`)}</ol></details>`;
}
