// Chances by playing the moment shown on, asked of the server that sent the page.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { Disk } from "monopoly/parts.js";

const whole = (chance) => `${Math.round(100 * chance)}%`;

/** The server's answer, or an Error with its line. */
async function asked(place, at) {
  let answer;
  try {
    answer = await fetch(place, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ at }) });
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  const told = await answer.json().catch(() => ({ error: "The server's answer cannot be read." }));
  if (!answer.ok) throw new Error(told.error);
  return told;
}

export function Played({ data, moment }) {
  const [told, setTold] = useState(null); // of the moment that it names
  const newest = useRef(moment);
  newest.current = moment;
  useEffect(() => setTold(null), [moment]);
  if (!data.odds_at || (data.result.over && moment === data.last)) return null;
  const ask = async () => {
    const at = moment;
    setTold({ busy: true });
    const answer = await asked(data.odds_at, at).catch((problem) => ({ problem: problem.message }));
    if (newest.current === at) setTold(answer);
  };
  return html`<div class="played"><button type="button" class="small-button" disabled=${told?.busy} onClick=${ask}>Simulate from move ${moment}</button>
    <p role="status" class="hint">${told === null ? "Plays the rest of the game many times and counts the wins." : told.busy ? "Simulating …" : told.problem
      ?? html`${told.games} games by ${told.policy}, 95% intervals: <span class="legend">${told.rows.map(([chance, low, high], seat) => html`<span>
        <${Disk} data=${data} seat=${seat} size="16" /> <b>${whole(chance)}</b> (${whole(low)} to ${whole(high)})</span>`)}</span>`}</p></div>`;
}
