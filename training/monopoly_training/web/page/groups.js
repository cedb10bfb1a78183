// What a deal does to the groups of both sides, and to everybody's chance to win.
import { html } from "monopoly/html.js";
import { part, percents } from "monopoly/data.js";
import { Disk, Swatch } from "monopoly/parts.js";

/** How many deeds of each touched group the two sides have before and after. */
function changes(data, moment, seats, given) {
  const owner = part(data, moment, "owner");
  const moved = new Map(given.flatMap((squares, side) => squares.filter((k) => k < 40).map((k) => [k, seats[1 - side]])));
  return data.board.group_squares.flatMap((squares, group) => {
    if (!squares.some((square) => moved.has(square))) return [];
    const count = (seat, then) => squares.filter((k) => ((then ? moved.get(k) : undefined) ?? owner[k]) === seat).length;
    return [{ group, square: squares[0], size: squares.length,
      rows: seats.map((seat) => [seat, count(seat, false), count(seat, true)]).filter(([, a, b]) => a !== b) }];
  }).filter(({ rows }) => rows.length > 0);
}

/** `seats`: both sides; `given`: what each of them gives, by square. */
export function GroupChanges({ data, moment, seats, given }) {
  const rows = changes(data, moment, seats, given);
  return rows.length > 0 && html`<ul class="groups" aria-label="Effect on groups">${rows.map(({ group, square, size, rows: sides }) => html`<li key=${group}>
    <${Swatch} data=${data} square=${square} /><span>${data.group_names[group]}</span>
    ${sides.map(([seat, before, after]) => html`<span class=${after === size ? "whole" : before === size ? "broken" : ""}>
      <${Disk} data=${data} seat=${seat} size="18" /> ${before} → ${after} of ${size}${
        after === size ? ", complete" : before === size ? ", no longer complete" : ""}</span>`)}</li>`)}</ul>`;
}

/** Everybody's chance before and after; `told`: { now, then }. */
export function ChanceChanges({ data, told }) {
  if (!told?.then) return null;
  const [now, then] = [percents(told.now), percents(told.then)];
  return html`<p class="chances"><span class="hint">Win probability</span>${told.now.map((before, seat) => (before || told.then[seat]) > 0 && html`<span>
    <${Disk} data=${data} seat=${seat} size="18" /> ${now[seat]} → <b>${then[seat]}</b></span>`)}</p>`;
}
