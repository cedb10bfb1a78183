// The moments that stand out: their names, and how each kind looks in every place.
import { html } from "monopoly/html.js";

export const MARKS = {
  bankrupt: { one: "Bankruptcy", many: "Bankruptcies", shape: "M-4-4 4 4M4-4-4 4" },
  group: { one: "Group completed", many: "Groups completed", shape: "M-5-2H5M-5 2H5M-2-5V5M2-5V5" },
  deal: { one: "Deal", many: "Deals", shape: "M-5-2H4L1-5M5 2H-4L-1 5" },
  auction: { one: "Auction", many: "Auctions", shape: "M-5 5 1-1M-2-4 4 2M0-5-4-1M5 1 1 5" },
  blunder: { one: "Blunder", many: "Blunders", shape: "M0-5V1M0 4.5V5" },
  fine: { one: "Fine move", many: "Fine moves", shape: "M-5 0-1 4 5-4" },
  jail: { one: "Jail for three doubles", many: "Jail for doubles", shape: "M-4-5V5M0-5V5M4-5V5M-5-5H5M-5 5H5" },
};

/** The sign of a kind of mark, 12 units wide around a point. */
export function Sign({ kind, color = "currentColor" }) {
  return html`<path d=${MARKS[kind].shape} fill="none" stroke=${color} stroke-width="1.6"
    stroke-linecap="round" stroke-linejoin="round" />`;
}

export function SignIcon({ kind, size = 16 }) {
  return html`<svg class="sign" viewBox="-7 -7 14 14" width=${size} height=${size} aria-hidden="true">
    <${Sign} kind=${kind} /></svg>`;
}
