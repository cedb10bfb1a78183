// What a page is about, unpacked: from base64 and gzip to objects, from changes to whole rows.

/** The game in the page's own data element. Throws an Error that people can read. */
export const readData = async (element) => prepare(await unpack(element));

/** The data of an element as plain objects. Throws an Error that people can read. */
export async function unpack(element) {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser is too old to unpack the game: it needs DecompressionStream.");
  }
  const bytes = Uint8Array.from(atob(element.textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** Adds what is worked out once: a row of numbers for every moment, names, formats. */
function prepare(data) {
  let row = Int32Array.from(data.table[0]);
  data.rows = data.table.map((changes, moment) => {
    if (moment > 0) {
      row = row.slice();
      for (let k = 0; k < changes.length; k += 2) row[changes[k]] = changes[k + 1];
    }
    return row;
  });
  data.kinds = data.kinds.map((text) => text.replace(" (more)", ""));
  data.last = data.rows.length - 1;
  data.judged = new Map((data.review?.marks ?? []).map((mark) => [mark[0], mark]));
  data.lucky = new Map((data.review?.luck ?? []).map(([moment, ...luck]) => [moment, luck]));
  data.losses = new Map((data.review?.lost ?? []).map(([moment, , lost]) => [moment, lost]));
  data.turnStarts = data.rows.flatMap((_, t) =>
    t === 0 || single(data, t, "turns") !== single(data, t - 1, "turns") ? [t] : []);
  return data;
}

/** A part of the numbers of a moment: "cash" by seat, "owner" by square … */
export function part(data, moment, name) {
  const [start, size] = data.layout[name];
  return data.rows[moment].subarray(start, start + size);
}

/** One of the numbers that stand alone, such as "turns". */
export function single(data, moment, name) {
  return data.rows[moment][data.layout.single[0] + data.single.indexOf(name)];
}

/** An amount as the edition writes it: $1,500. */
export function money(data, amount) {
  const digits = String(Math.abs(amount)).replace(/\B(?=(\d{3})+$)/g, data.money.thousands);
  return `${amount < 0 ? "-" : ""}${data.money.symbol}${digits}`;
}

/** Chances in thousandths as whole percentages that add up to 100; null stays null. */
export function percents(thousandths) {
  const total = thousandths.reduce((sum, one) => sum + one, 0) || 1;
  const exact = thousandths.map((one) => (100 * one) / total);
  const shown = exact.map(Math.floor);
  const missing = Math.round(exact.reduce((sum, one) => sum + one, 0)) - shown.reduce((sum, one) => sum + one, 0);
  const order = exact.map((_, k) => k).sort((a, b) => exact[b] % 1 - exact[a] % 1);
  for (const k of order.slice(0, missing)) shown[k] += 1;
  return shown.map((one, k) => (thousandths[k] === null ? null : one === 0 && thousandths[k] > 0 ? "<1%" : `${one}%`));
}

/** A difference of chances, from -1 to 1, in percentage points with its sign. */
export const points = (difference) =>
  `${difference < 0 ? "−" : "+"}${Math.abs(100 * difference).toFixed(1)}`;

/** A count with commas. */
export const count = (number) => number.toLocaleString("en-US");

/** An action in words; a seat is given from the actor's point of view. */
export function actionName(data, action, actor) {
  const [kind, what] = data.action_names[action];
  if (typeof what !== "number") return data.kinds[kind].replace("…", what);
  const seat = (actor + what) % data.seats.length;
  return data.kinds[kind].replace("…", data.seats[seat].letter);
}

/** What was done at a moment, in words; empty at the end. */
export function chosenText(data, moment) {
  if (moment >= data.chosen.length) return "";
  const legal = data.legal[moment].find(([action]) => action === data.chosen[moment]);
  return legal ? legal[1] : actionName(data, data.chosen[moment], data.decisions[moment].actor);
}

/** How a player is called. */
export function playerName(data, seat) {
  return data.seats[seat].bot || data.seats[seat].token;
}
