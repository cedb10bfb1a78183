// Buttons for what can be done, and greyed ones that say why not.
import { html } from "monopoly/html.js";
import { capital, legalOf, refusedOf } from "monopoly/asked.js";

// Kinds that take nothing else, in the order in which they are shown.
const PLAIN = ["roll", "buy", "accept", "claim", "ask_rent", "power", "jail_card", "jail_pay", "tax_flat", "tax_percent", "end_turn",
  "auction", "pass", "reject", "bankrupt"];
const MAIN = new Set(["roll", "buy", "end_turn", "accept", "claim", "ask_rent"]);
const SHORT = { roll: "Throw the dice", end_turn: "End the turn", accept: "Accept", reject: "Reject", claim: "I want it too",
  ask_rent: "Ask for the rent", bankrupt: "Declare bankruptcy" };
const BY_PHASE = { BUY: { buy: "Buy it", auction: "Auction it", pass: "Don't buy" }, AUCTION: { pass: "Leave the auction" },
  BETWEEN: { pass: "Continue" }, RENT: { pass: "Don't ask" }, CLAIM: { pass: "No, thanks" } };
// Greyed buttons that would only be in the way.
const NOT_GREYED = new Set(["pass", "roll", "end_turn"]);

/** A button that is greyed where `reason` is given, and says it. */
export function Choice({ label, effect, reason, onClick, className = "", pressed, spoken }) {
  return html`<button type="button" class=${`choice ${className}`} aria-disabled=${Boolean(reason)} aria-pressed=${pressed} aria-label=${spoken}
      title=${reason ? capital(reason) : undefined} onClick=${(event) => !reason && onClick(event)}>
    <span>${label}</span>${(reason || effect) && html`<small>${reason ? capital(reason) : effect}</small>`}</button>`;
}

/** All choices that need nothing else. */
export function PlainChoices({ data, act, busy }) {
  const { phase } = data.asked;
  const barred = []; // after what can be done
  const rows = PLAIN.flatMap((kind) => {
    const label = BY_PHASE[phase]?.[kind] ?? SHORT[kind];
    const [legal] = legalOf(data, kind);
    if (legal) {
      return [html`<${Choice} key=${kind} label=${label ?? capital(legal.meaning)} effect=${legal.effect}
        className=${MAIN.has(kind) ? "main" : ""} onClick=${() => !busy && act([legal.text])} />`];
    }
    const [refused] = NOT_GREYED.has(kind) ? [] : refusedOf(data, kind);
    if (!refused) return [];
    const text = label ?? capital(data.kinds[data.action_names[refused.action][0]]);
    barred.push(html`<${Choice} key=${kind} label=${text} reason=${refused.reason} />`);
    return [];
  });
  return rows.length + barred.length > 0 && html`<div class="plain">${rows}${barred}</div>`;
}
