// The players: where they are, what they have, whose turn it is.
import { html } from "monopoly/html.js";
import { money, part, playerName, single } from "monopoly/data.js";
import { Odds } from "monopoly/odds.js";
import { Disk, useMedia } from "monopoly/parts.js";

function place(data, moment, seat) {
  const of = (name) => part(data, moment, name)[seat];
  if (of("out")) return "bankrupt";
  const cards = of("cards") ? ` · ${of("cards")} Jail card${of("cards") > 1 ? "s" : ""}` : "";
  if (of("jail")) {
    const tries = of("tries");
    return `in Jail${tries ? `, ${tries} failed throw${tries > 1 ? "s" : ""}` : ""}${cards}`;
  }
  return data.board.squares[of("at")].name + cards;
}

/** All deeds of the board by group: filled if the player has them, hollow if mortgaged. */
function Deeds({ data, moment, seat }) {
  const owner = part(data, moment, "owner");
  const mortgaged = part(data, moment, "mortgaged");
  const mine = data.board.squares.filter((square, k) => square.group && owner[k] === seat).length;
  return html`<span class="deeds" role="img" aria-label=${`${mine} deed${mine === 1 ? "" : "s"}`}>
    ${data.board.group_squares.filter((squares) => squares.length).map((squares, group) => html`<span class="group">${squares.map((square) => {
      const color = data.board.groups[data.board.squares[square].group];
      const has = owner[square] === seat;
      return html`<i class=${has ? (mortgaged[square] ? "hollow" : "full") : ""}
        title=${has ? `${data.board.squares[square].name}${mortgaged[square] ? ", mortgaged" : ""}` : undefined}
        style=${has ? { borderColor: color, background: mortgaged[square] ? "none" : color } : undefined}></i>`;
    })}</span>`)}</span>`;
}

export function Players({ data, moment }) {
  const low = useMedia("(max-height: 900px) and (min-width: 800px)");
  const turn = single(data, moment, "turn");
  const [cash, worth, rent, out] = ["cash", "worth", "rent", "out"].map((n) => part(data, moment, n));
  const wide = (amounts) => ({ "--figures": Math.max(...[...amounts].map((amount) => money(data, amount).length)) }); // of a currency with a long sign
  const won = data.result.over && moment === data.last ? data.result.winners : [];
  return html`<section class=${`players ${data.seats.length > (low ? 3 : 5) ? "many" : ""}`} aria-label="Players"><${Odds} data=${data} moment=${moment} /><table>
    <thead><tr><th scope="col">Player</th><th scope="col" class="number" style=${wide(cash)}>Cash</th>
      <th scope="col" class="number" style=${wide(worth)} title="Cash, deeds at list price, buildings at cost; mortgaged deeds count half">Net worth</th>
      <th scope="col" class="number" title="Average rent while every other player takes one turn">Rent / round</th></tr></thead>
    <tbody>${data.seats.map((seat, k) => html`<tr class=${`${k === turn ? "turn" : ""} ${out[k] ? "out" : ""}`}>
      <th scope="row"><div><span class="who"><${Disk} data=${data} seat=${k} hollow=${out[k]} size="26" />
        <span><b>${playerName(data, k)}${won.includes(seat.letter) && html` <em>won</em>`}</b>
          <small>${place(data, moment, k)}</small></span></span>
        <${Deeds} data=${data} moment=${moment} seat=${k} /></div></th>
      <td>${out[k] ? "–" : money(data, cash[k])}</td>
      <td>${out[k] ? "–" : money(data, worth[k])}</td>
      <td>${out[k] ? "–" : money(data, rent[k])}</td></tr>`)}</tbody>
  </table></section>`;
}
