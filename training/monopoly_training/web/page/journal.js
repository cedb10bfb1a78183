// Everything that happened, in sync with the moment shown, and filterable.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { count, points } from "monopoly/data.js";
import { Disk } from "monopoly/parts.js";
import { Judgment, KINDS } from "monopoly/review.js";

const TOPICS = {
  all: "Everything", move: "Turns and throws", money: "Money", card: "Cards", property: "Deeds and mortgages",
  building: "Houses and hotels", review: "Review marks", auction: "Auctions", deal: "Deals", talk: "Messages and promises", jail: "Jail", end: "Bankruptcies and result",
};
const AROUND = 60; // rows that are drawn before and after the moment shown
const MORE = 200; // rows that come when the reader scrolls to an end

function rowsOf(data) {
  return data.events.flatMap((events, moment) =>
    [...judgment(data, moment - 1),
      ...events.map(([topic, player, other, text]) => ({ moment, topic: data.topics[topic], player, other, text }))]);
}

/** What the review says of the move that led to a moment, before what came of it. */
function judgment(data, move) {
  const mark = data.judged.get(move);
  if (!mark) return [];
  const [, player, kind, lost, , better] = mark;
  const text = `${KINDS[kind][1]}, ${points(-lost)} points${better ? `; better: ${better}` : ""}`;
  return [{ moment: move + 1, topic: "review", player, other: -1, text, kind }];
}

function filtered(rows, { words, topic, seat }) {
  const wanted = words.trim().toLowerCase();
  return rows.filter((row) =>
    (topic === "all" || row.topic === topic)
    && (seat < 0 || row.player === seat || (row.other === seat && row.topic !== "card" && row.topic !== "auction"))
    && (!wanted || row.text.toLowerCase().includes(wanted)));
}

/** The index of the last row at or before a moment; -1 if there is none. */
function lastAt(rows, moment) {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].moment <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function Row({ data, row, moment, onSeek }) {
  const seen = row.player >= 0 ? row.player : row.other; // whoever deals with the Bank
  const when = row.moment === moment ? "now" : row.moment > moment ? "later" : "";
  return html`<li><button type="button" class=${`row ${when}`} aria-current=${when === "now" ? "step" : undefined}
      onClick=${() => onSeek(row.moment)}>
    <span class="at">${row.moment}</span>
    ${seen >= 0 ? html`<${Disk} data=${data} seat=${seen} size="18" />` : html`<span class="disk none"></span>`}
    ${row.kind && html`<${Judgment} kind=${row.kind} />`}
    <span>${row.text}</span></button></li>`;
}

export function Journal({ data, moment, onSeek }) {
  const [filter, setFilter] = useState({ words: "", topic: "all", seat: -1 });
  const [range, setRange] = useState([0, 0]);
  const list = useRef(null);
  const all = useMemo(() => rowsOf(data), [data]);
  const rows = useMemo(() => filtered(all, filter), [all, filter]);
  const here = lastAt(rows, moment);
  const [from, to] = here >= range[0] && here < range[1] && range[1] <= rows.length
    ? range : [Math.max(0, here - AROUND), Math.min(rows.length, here + AROUND)];
  const change = (part) => {
    setFilter({ ...filter, ...part });
    setRange([0, 0]);
  };
  const follow = () => {
    const box = list.current;
    if (!box) return; // the tab was left meanwhile
    const shown = box.querySelectorAll(".now");
    const row = shown[shown.length - 1] ?? box.querySelectorAll(".row:not(.later)")[here - from];
    if (!row) return;
    const [top, height] = [row.offsetTop, row.offsetHeight]; // from the top of the list
    if (top < box.scrollTop + 30 || top + height > box.scrollTop + box.clientHeight - 30) {
      box.scrollTop = top - box.clientHeight * 0.5;
    }
  };
  const newest = useRef(follow);
  newest.current = follow;
  useEffect(follow, [moment, filter, data]);
  useEffect(() => {
    const observer = new ResizeObserver(() => newest.current()); // charts above it may come later
    observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  const grow = () => {
    const box = list.current;
    if (box.scrollTop + box.clientHeight > box.scrollHeight - 60 && to < rows.length) {
      setRange([from, Math.min(rows.length, to + MORE)]);
    } else if (box.scrollTop < 60 && from > 0) {
      const before = box.scrollHeight - box.scrollTop;
      setRange([Math.max(0, from - MORE), to]);
      requestAnimationFrame(() => { box.scrollTop = box.scrollHeight - before; });
    }
  };
  return html`<section class="journal" aria-label="Journal">
    <form class="filters" role="search" onSubmit=${(event) => event.preventDefault()}>
      <input type="search" id="journal-words" placeholder="Search" aria-label="Search the journal"
        value=${filter.words} onInput=${(event) => change({ words: event.target.value })} />
      <select aria-label="Topic" value=${filter.topic} onChange=${(event) => change({ topic: event.target.value })}>
        ${Object.entries(TOPICS).filter(([topic]) => (topic !== "review" || data.review) && (topic !== "talk" || all.some((row) => row.topic === topic))).map(([topic, name]) => html`<option value=${topic}>${name}</option>`)}
      </select>
      <select aria-label="Player" value=${filter.seat} onChange=${(event) => change({ seat: Number(event.target.value) })}>
        <option value="-1">All players</option>
        ${data.seats.map((seat, k) => html`<option value=${k}>${seat.letter} only</option>`)}
      </select>
      <span class="hits" role="status">${count(rows.length)} ${rows.length === 1 ? "line" : "lines"}</span>
    </form>
    <ol class="rows" ref=${list} onScroll=${grow} tabindex="0" aria-label="What happened, by move">
      ${rows.slice(from, to).map((row, k) => html`<${Row} key=${from + k} ...${{ data, row, moment, onSeek }} />`)}
      ${rows.length === 0 && html`<li class="empty">${all.length ? "No entries match." : "Nothing has happened yet."}</li>`}
    </ol>
  </section>`;
}
