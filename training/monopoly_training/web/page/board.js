// The board: squares as Python drew them, and on them what changes. Units: the board is 1,000 wide.
import { html } from "monopoly/html.js";
import { part } from "monopoly/data.js";
import { useWidth } from "monopoly/parts.js";
import { Middle } from "monopoly/middle.js";
import { buildingPath } from "monopoly/shapes.js";

const HOTEL = 5;
const JAIL = 10;
const FREE_PARKING = 20;
const GAP = 2; // between tokens
const LARGEST_TOKEN = 15;
const BELOW_CELL = 4; // visitors of the Jail below the cell; more stand beside it

const center = ([x, y, w, h]) => [x + w / 2, y + h / 2];
const inset = ([x, y, w, h], by) => [x + by, y + by, w - 2 * by, h - 2 * by];

/** The largest radius that so many tokens have in a box, and their columns. */
function tokenGrid(count, width, height) {
  let best = [0, 0];
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const across = (width - (columns - 1) * GAP) / columns / 2;
    const down = (height - (rows - 1) * GAP) / rows / 2;
    const radius = Math.min(across, down, LARGEST_TOKEN);
    if (radius > best[0]) best = [radius, columns];
  }
  return best;
}

/** Where the tokens of some seats stand in a box: [seat, x, y, radius]. */
function placed(seats, box) {
  if (!seats.length) return [];
  const [radius, columns] = tokenGrid(seats.length, box[2], box[3]);
  const rows = Math.ceil(seats.length / columns);
  const [x, y] = center(box);
  const step = 2 * radius + GAP;
  return seats.map((seat, k) => {
    const row = Math.floor(k / columns);
    const inRow = Math.min(columns, seats.length - row * columns);
    return [seat, x + ((k % columns) - (inRow - 1) / 2) * step, y + (row - (rows - 1) / 2) * step,
      radius];
  });
}

function tokens(data, moment, detail) {
  const [at, jail, out] = ["at", "jail", "out"].map((name) => part(data, moment, name));
  const free = data.seats.map((_, seat) => seat).filter((seat) => !out[seat]);
  const rows = [];
  for (let square = 0; square < 40; square++) {
    const here = free.filter((seat) => at[seat] === square && !jail[seat]);
    if (square === JAIL) {
      const [cell, below, beside] = detail.jail;
      rows.push(...placed(free.filter((seat) => jail[seat]), cell));
      rows.push(...placed(here.slice(0, BELOW_CELL), below));
      rows.push(...placed(here.slice(BELOW_CELL), beside));
    } else {
      rows.push(...placed(here, detail.squares[square].tokens));
    }
  }
  return rows.sort((a, b) => a[0] - b[0]);
}

function Token({ data, seat, x, y, radius }) {
  const { fill, ink } = data.board.seats[seat];
  return html`<g class="token" style=${{ transform: `translate(${x}px, ${y}px)` }}>
    <circle r=${radius} fill=${fill} stroke="var(--building_edge)" stroke-width=${Math.max(1.2, radius * 0.12)} />
    <text y=${radius * 0.42} font-size=${radius * 1.15} font-weight="700" text-anchor="middle"
      fill=${ink}>${data.seats[seat].letter}</text>
  </g>`;
}

function Buildings({ band, level }) {
  const upright = band[3] > band[2];
  const length = Math.max(band[2], band[3]);
  const depth = Math.min(band[2], band[3]);
  const side = Math.min(depth - 6, length / 4 - 4);
  const hotel = level === HOTEL;
  const count = hotel ? 1 : level;
  const [x, y] = center(band);
  return Array.from({ length: count }, (_, k) => {
    const along = (k - (count - 1) / 2) * (side + 3);
    return html`<path d=${buildingPath(upright ? x : x + along, upright ? y + along : y, side, hotel, upright)}
      fill=${hotel ? "var(--hotel)" : "var(--house)"} stroke="var(--building_edge)"
      stroke-width=${Math.max(1, side * 0.09)} />`;
  });
}

function Owner({ data, foot, owner, mortgaged, detail }) {
  const { fill, ink } = data.board.seats[owner];
  const letter = data.seats[owner].letter;
  const [x, y, w, h] = inset(foot, 1.5);
  const text = !mortgaged ? letter : detail.names ? `${letter} mortgaged` : `${letter} ×`;
  const size = Math.min(detail.foot * (detail.names ? 0.62 : 0.75) * (mortgaged ? 1 : 1.1), (w - 8) / (text.length * 0.58));
  return html`<rect x=${x} y=${y} width=${w} height=${h} rx="3"
      fill=${mortgaged ? "var(--mortgaged)" : fill} stroke=${mortgaged ? fill : "none"} stroke-width="2.4" />
    <text x=${x + w / 2} y=${y + h / 2 + size * 0.36} font-size=${size} font-weight="700"
      text-anchor="middle" fill=${mortgaged ? "var(--ink)" : ink}>${text}</text>`;
}

function Pot({ box, text }) {
  const [x, y, w, h] = box;
  const size = Math.min(24, (w - 34) / (text.length * 0.6));
  return html`<rect x=${x + 12} y=${y + h / 2 - 19} width=${w - 24} height="38" rx="8"
      fill="var(--house)" stroke="var(--building_edge)" stroke-width="1.5" />
    <text x=${x + w / 2} y=${y + h / 2 + size * 0.36} font-size=${size} font-weight="700"
      text-anchor="middle" fill="#ffffff">${text}</text>`;
}

/** What a screen reader is told about the board. */
function spoken(data, moment) {
  const [at, jail, out] = ["at", "jail", "out"].map((name) => part(data, moment, name));
  return data.seats.map((seat, k) =>
    out[k] ? `${seat.letter} is bankrupt` : jail[k] ? `${seat.letter} is in Jail`
      : `${seat.letter} is on ${data.board.squares[at[k]].name}`).join("; ");
}

/** Squares that can be clicked: `picks` says what that does, `picked` which ones are chosen. */
function Picks({ board, picks, picked, onPick }) {
  return [...picks].map(([square, { label, quiet, tab }]) => {
    const [x, y, w, h] = inset(board.boxes[square], 2.5);
    const pick = () => onPick(square);
    return html`<rect key=${`pick${square}`} x=${x} y=${y} width=${w} height=${h} rx="4" role="button"
      class=${`pick ${picked.has(square) ? "picked" : ""} ${quiet ? "quiet" : ""}`} tabindex=${quiet && !tab ? -1 : 0} aria-label=${label}
      aria-pressed=${picked.has(square)} onClick=${pick}
      onKeyDown=${(event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), pick())}><title>${label}</title></rect>`;
  });
}

const NOTHING = new Map();
const NONE = new Set();

export function Board({ data, moment, pot, picks = NOTHING, picked = NONE, onPick }) {
  const [ref, width] = useWidth(600);
  const board = data.board;
  const detail = board.details[width < board.small_below ? "small" : "full"];
  const [owner, level, mortgaged] = ["owner", "level", "mortgaged"].map((n) => part(data, moment, n));
  const decision = data.decisions[moment];
  const marked = new Set([
    ...(decision.square === undefined ? [] : [decision.square]),
    ...(decision.sides ?? []).flatMap(([, squares]) => squares.filter((square) => square < 40)),
  ]);
  return html`<div class="board" ref=${ref} style=${{ "--u": `${width / 1000}px` }}>
    <svg viewBox="0 0 1000 1000" role=${picks.size ? "group" : "img"} aria-label=${`Board. ${spoken(data, moment)}`}
      font-family=${board.font}>
      <rect width="1000" height="1000" rx="6" fill="var(--board)" />
      ${detail.squares.map((square, k) => html`<g key=${k}
          class=${`${mortgaged[k] ? "mortgaged" : ""} ${k === FREE_PARKING && pot ? "pot" : ""}`}>
        <g dangerouslySetInnerHTML=${{ __html: square.svg }} />
        ${square.band && level[k] > 0 && html`<${Buildings} band=${square.band} level=${level[k]} />`}
        ${square.band && owner[k] >= 0 && html`<${Owner} data=${data} foot=${square.foot}
          owner=${owner[k]} mortgaged=${mortgaged[k]} detail=${detail} />`}
      </g>`)}
      ${pot && html`<${Pot} box=${board.boxes[FREE_PARKING]} text=${pot} />`}
      ${[...marked].map((square) => {
        const [x, y, w, h] = inset(board.boxes[square], 2.5);
        return html`<rect x=${x} y=${y} width=${w} height=${h} rx="4" fill="none"
          stroke="var(--accent)" stroke-width="5" />`;
      })}
      ${picks.size > 0 && html`<${Picks} ...${{ board, picks, picked, onPick }} />`}
    </svg>
    ${/* apart, so that a step lays out these alone */ ""}
    <svg class="tokens" viewBox="0 0 1000 1000" aria-hidden="true" font-family=${board.font}>
      ${tokens(data, moment, detail).map(([seat, x, y, radius]) =>
        html`<${Token} key=${`token${seat}`} ...${{ data, seat, x, y, radius }} />`)}
    </svg>
    <${Middle} data=${data} moment=${moment} small=${!detail.names} />
  </div>`;
}
