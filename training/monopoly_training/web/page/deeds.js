// Building, selling, mortgaging: by kind, or by the deed that was clicked.
import { html } from "monopoly/html.js";
import { money, part } from "monopoly/data.js";
import { capital, deedsOf, legalOf, refusedOf } from "monopoly/asked.js";
import { Choice } from "monopoly/buttons.js";
import { Swatch } from "monopoly/parts.js";

export const WORK = ["build", "sell", "mortgage", "lift", "keep"];
const NAMES = { build: "Build", sell: "Sell", mortgage: "Mortgage", lift: "Lift mortgage", keep: "Keep mortgaged" };
const DOES = { build: "Build", sell: "Sell a building", mortgage: "Mortgage", lift: "Lift the mortgage", keep: "Keep it mortgaged" };

/** What a kind can be done to: legal rows, and refused ones among the seat's own deeds. */
function rowsOf(data, kind) {
  const owner = part(data, data.last, "owner");
  const mine = new Set(deedsOf(data, owner, data.asked.seat));
  return [legalOf(data, kind), refusedOf(data, kind).filter(({ value }) => mine.has(value))];
}

/** The kinds that this decision knows, with how many of each are legal. */
export function workOf(data) {
  return WORK.flatMap((kind) => {
    const [legal, refused] = rowsOf(data, kind);
    if (!legal.length && !refused.length) return [];
    const counts = new Map();
    for (const { reason } of refused) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    const [reason] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [""];
    return [{ kind, count: legal.length, reason: legal.length ? "" : reason }];
  });
}

/** Buttons that choose a kind of work. */
export function WorkKinds({ data, kind, setKind }) {
  const rows = workOf(data);
  return rows.length > 0 && html`<div class="kinds" role="group" aria-label="Your property">${rows.map((row) => html`<${Choice} key=${row.kind}
    label=${`${NAMES[row.kind]}${row.count ? ` (${row.count})` : ""}`} reason=${row.reason} pressed=${kind === row.kind}
    onClick=${() => setKind(kind === row.kind ? null : row.kind)} />`)}</div>`;
}

/** What the buttons of a kind do, deed by deed. */
export function WorkList({ data, kind, act, busy }) {
  const [legal, refused] = rowsOf(data, kind);
  const groups = kind === "sell" ? legalOf(data, "sell_group") : [];
  return html`<div class="work"><p class="hint">Click a lot on the board, or here.</p>
    <ul>${legal.map(({ text, value, effect }) => html`<li key=${text}><button type="button" class="lot" onClick=${() => !busy && act([text])}>
        <${Swatch} data=${data} square=${value} /><span>${data.board.squares[value].name}</span><small>${effect}</small></button></li>`)}
      ${groups.map(({ text, meaning, effect }) => html`<li key=${text}><button type="button" class="lot" onClick=${() => !busy && act([text])}>
        <span>${capital(meaning)}</span><small>${effect}</small></button></li>`)}
      ${refused.map(({ value, reason }) => html`<li key=${`no${value}`} class="refused-lot"><${Swatch} data=${data} square=${value} />
        <span>${data.board.squares[value].name}</span><small>${capital(reason)}</small></li>`)}</ul></div>`;
}

/** A deed that was clicked: what it costs and brings, and what can be done with it. */
export function DeedCard({ data, square, act, busy, onClose }) {
  const { name, note } = data.board.squares[square];
  const [owner, level, mortgaged] = ["owner", "level", "mortgaged"].map((one) => part(data, data.last, one)[square]);
  const { rent, house, mortgage } = data.prices;
  const street = house[square] > 0;
  const whose = owner < 0 ? "not owned" : owner === data.asked?.seat ? "yours" : `owned by ${data.seats[owner].letter}`;
  const built = level === 5 ? data.words.hotel : level ? `${level} ${level === 1 ? data.words.house : data.words.houses}` : "";
  const doable = data.asked ? WORK.flatMap((kind) => legalOf(data, kind).filter((row) => row.value === square).map((row) => ({ ...row, kind }))) : [];
  const refused = data.asked && owner === data.asked.seat
    ? WORK.flatMap((kind) => refusedOf(data, kind).filter((row) => row.value === square).map((row) => ({ ...row, kind }))) : [];
  return html`<section class="deed" aria-label=${name}>
    <h3><${Swatch} data=${data} square=${square} /><span>${name}</span><button type="button" class="x" aria-label="Close" onClick=${onClose}>×</button></h3>
    <p class="hint">${[whose, built, mortgaged ? "mortgaged" : "", `price ${note}`, `mortgage ${money(data, mortgage[square])}`,
      street ? `a building costs ${money(data, house[square])}` : ""].filter(Boolean).join(" · ")}</p>
    ${street && html`<p class="rents">Rent ${rent[square].map((amount, k) => html`<span class=${owner >= 0 && !mortgaged && level === k ? "now" : ""}>${
      money(data, amount)}<small>${k === 0 ? "base" : k === 5 ? data.words.hotel : k}</small></span>`)}</p>`}
    <div class="plain">${doable.map(({ kind, text, effect }) => html`<${Choice} key=${text} label=${DOES[kind]} effect=${effect}
        onClick=${() => !busy && act([text])} />`)}
      ${refused.map(({ kind, reason }) => html`<${Choice} key=${kind} label=${DOES[kind]} reason=${reason} />`)}</div>
  </section>`;
}
