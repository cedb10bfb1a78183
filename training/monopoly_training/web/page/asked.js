// The question at hand, sorted: what is legal and what is refused, by kind and by square.

const OK = 0;
// Reasons that only say that something is no part of this decision.
const BESIDE = new Set([1, 21, 26, 27, 29, 31, 40]);

/** The legal actions of a kind: [{ action, text, meaning, effect, value }]. */
export function legalOf(data, kind) {
  return (data.asked?.legal ?? []).filter(([action]) => data.action_kinds[action] === kind)
    .map(([action, text, meaning, effect]) => ({ action, text, meaning: plain(meaning), effect, value: data.action_values[action] }));
}

export const plain = (text) => text.replace(" (more)", "");
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The refused actions of a kind that belong to this decision: [{ action, value, reason }]. */
export function refusedOf(data, kind) {
  const codes = data.asked?.reasons ?? "";
  const rows = [];
  for (let action = 0; action < codes.length; action++) {
    if (data.action_kinds[action] !== kind) continue;
    const reason = codes.charCodeAt(action) - data.reason_first;
    if (reason !== OK && !BESIDE.has(reason)) {
      rows.push({ action, value: data.action_values[action], reason: data.reason_names[reason] });
    }
  }
  return rows;
}

/** Whether any action of a kind belongs to this decision. */
export const comesUp = (data, kind) => legalOf(data, kind).length > 0 || refusedOf(data, kind).length > 0;

/** The streets, railroads and utilities of a seat, in the order of the board. */
export function deedsOf(data, owner, seat) {
  return data.board.squares.flatMap((square, k) => (square.group && owner[k] === seat ? [k] : []));
}
