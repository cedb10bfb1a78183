// Everybody's chance to win at the moment shown, as one bar.
import { html } from "monopoly/html.js";
import { part, percents } from "monopoly/data.js";

export function Odds({ data, moment }) {
  const chances = [...part(data, moment, "chance")];
  const total = chances.reduce((sum, one) => sum + one, 0) || 1;
  const shown = percents(chances);
  const said = data.seats.map((seat, k) => `${seat.letter} ${shown[k]}`).join(", ");
  return html`<div class="odds" role="img" aria-label=${`Win probabilities: ${said}`}
      title=${`Win probabilities by the learned value: ${said}`}>${data.seats.map((seat, k) => chances[k] > 0 && html`<span
        key=${k} style=${{ width: `${(100 * chances[k]) / total}%`, background: data.board.seats[k].fill,
          color: data.board.seats[k].ink }}><i><b>${seat.letter}</b> ${shown[k]}</i></span>`)}</div>`;
}
