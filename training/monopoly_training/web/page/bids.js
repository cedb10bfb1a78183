// Bidding: a field for the amount, and a button for each step that is legal.
import { useEffect, useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { money } from "monopoly/data.js";
import { legalOf, refusedOf } from "monopoly/asked.js";
import { Choice } from "monopoly/buttons.js";

const USUAL = 10; // what is bid over the standing bid, unless something else is typed

/** All bids that are legal: [{ amount, text }], the lowest first. */
function bidsOf(data) {
  const { standing, opening } = data.asked.bid;
  const rows = legalOf(data, "raise").map(({ value, text }) => ({ amount: standing + value, text }));
  for (const { text } of legalOf(data, "open")) rows.push({ amount: opening, text });
  const known = new Map(rows.map((row) => [row.amount, row]));
  return [...known.values()].sort((a, b) => a.amount - b.amount);
}

export function Bids({ data, act, busy }) {
  const bids = bidsOf(data);
  const { standing } = data.asked.bid;
  const usual = bids.findLast(({ amount }) => amount <= standing + USUAL) ?? bids[0];
  const [typed, setTyped] = useState("");
  useEffect(() => setTyped(""), [data.stamp]);
  if (!bids.length) {
    const [why] = refusedOf(data, "raise");
    return html`<div class="plain"><${Choice} label="Bid" reason=${why?.reason ?? "not enough cash"} /></div>`;
  }
  const wished = typed === "" ? usual.amount : Number(typed);
  const bid = bids.findLast(({ amount }) => amount <= wished) ?? bids[0];
  const place = (event) => {
    event.preventDefault();
    if (!busy) act([bid.text]);
  };
  return html`<form class="bids" onSubmit=${place}>
    <label>Your bid <input type="number" inputmode="numeric" min=${bids[0].amount} max=${bids[bids.length - 1].amount}
      value=${typed === "" ? usual.amount : typed} onInput=${(event) => setTyped(event.target.value)} /></label>
    <button type="submit" class="choice main"><span>Bid ${money(data, bid.amount)}</span></button>
    ${wished !== bid.amount && html`<p class="hint" role="status">Bids rise by fixed steps: ${money(data, bid.amount)} is
      ${bid.amount < wished ? "the next lower bid" : "the lowest bid"}.</p>`}
    <div class="steps" role="group" aria-label="Other bids">${bids.map(({ amount, text }) => html`<button type="button" key=${text}
      class="step" onClick=${() => !busy && act([text])}>${money(data, amount)}</button>`)}</div>
  </form>`;
}
