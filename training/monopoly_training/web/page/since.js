// What happened since the reader decided last.
import { useEffect, useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { single } from "monopoly/data.js";
import { Disk } from "monopoly/parts.js";

const SHOWN = 9; // sentences at once; the older ones come with a button

/** The moment after the last decision that these seats took; 0 if there is none. */
function sinceWhen(data, seats) {
  for (let t = data.last - 1; t >= 0; t--) {
    const passed = data.decisions[t].headline.endsWith("may act between turns");
    if (seats.includes(single(data, t, "actor")) && !passed) return t + 1;
  }
  return 0;
}

export function Since({ data }) {
  const [all, setAll] = useState(false);
  useEffect(() => setAll(false), [data.stamp]);
  const first = sinceWhen(data, data.mine);
  const events = data.events.slice(first).flat();
  if (!events.length) return null;
  const shown = all ? events : events.slice(-SHOWN);
  const title = data.mine.length && first > 0 ? "Since your last decision" : "What happened";
  return html`<details class="since" open><summary>${title}</summary>
    ${shown.length < events.length && html`<button type="button" class="small-button earlier" onClick=${() => setAll(true)}>Show ${events.length - shown.length} earlier</button>`}
    <ol aria-label=${title}>${shown.map(([, player, other, text]) => html`<li>
      ${player >= 0 || other >= 0 ? html`<${Disk} data=${data} seat=${player >= 0 ? player : other} size="16" />` : html`<span class="disk none"></span>`}<span>${text}</span></li>`)}</ol></details>`;
}
