// Cash, net worth and expected rent of everybody over the game; a line marks the moment shown.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { money, part, percents } from "monopoly/data.js";
import { Disk, useWidth } from "monopoly/parts.js";
import { Played } from "monopoly/played.js";

const METRICS = [
  ["chance", "Win probability"],
  ["cash", "Cash"],
  ["worth", "Net worth"],
  ["rent", "Expected rent per round"],
];
const WHOLE = [1, 2, 5].flatMap((step) => [0, 1, 2, 3, 4].map((power) => step * 10 ** power)).sort((a, b) => a - b); // moves between two marks
const SYNC = "moments"; // the charts whose cursors move together

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Values in words: chances in percent, amounts as the edition writes them; null stays null. */
const inWords = (data, metric, values) =>
  (metric === "chance" ? percents(values) : values.map((value) => value === null ? null : money(data, value)));

/** An amount that is short enough for an axis: $1.5k. */
function short(data, amount) {
  const size = Math.abs(amount);
  if (size < 1000) return money(data, amount);
  const [unit, letter] = size < 1e6 ? [1e3, "k"] : [1e6, "m"];
  return `${data.money.symbol}${Number((amount / unit).toFixed(1))}${letter}`;
}

function options({ data, metric, width, onHover }) {
  const axis = { stroke: style("muted"), grid: { stroke: style("line"), width: 0.5 },
    ticks: { show: false }, font: "11px system-ui, sans-serif" };
  return {
    width, height: 130, legend: { show: false }, padding: [8, 18, 0, 0],
    scales: { x: { time: false, range: [0, Math.max(data.last, 1)] },
      ...(metric === "chance" ? { y: { range: [0, 1000] } } : {}) },
    cursor: { sync: { key: SYNC }, drag: { x: false, y: false }, y: false, points: { size: 5 } },
    series: [{}, ...data.board.seats.slice(0, data.seats.length).map(({ fill }) => ({
      stroke: fill, width: 1.8, points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }),
    }))],
    axes: [{ ...axis, size: 24, incrs: WHOLE },
      { ...axis, size: 52, values: (_, ticks) =>
        ticks.map((tick) => (metric === "chance" ? `${tick / 10}%` : short(data, tick))) }],
    hooks: {
      setCursor: [(plot) => onHover(plot.cursor.idx ?? null)],
    },
  };
}

/** Go where the pointer presses or drags; returns the line that marks the moment shown. */
function makeSeekable(plot, onSeek) {
  let seeking = false;
  const seek = (event) => {
    const { left } = plot.over.getBoundingClientRect();
    onSeek(plot.posToIdx(event.clientX - left)); // moments are numbered as points are
  };
  plot.over.addEventListener("pointerdown", (event) => {
    seeking = true;
    plot.over.setPointerCapture(event.pointerId);
    seek(event);
  });
  plot.over.addEventListener("pointermove", (event) => seeking && seek(event));
  for (const end of ["pointerup", "pointercancel"]) {
    plot.over.addEventListener(end, () => { seeking = false; });
  }
  const now = document.createElement("div");
  now.className = "now-line";
  plot.over.appendChild(now);
  return now;
}

function Chart({ data, metric, title, moment, theme, onSeek, hovered, onHover }) {
  const [box, width] = useWidth(400);
  const plot = useRef(null);
  const now = useRef(null);
  const handlers = useRef({});
  handlers.current = { onSeek, onHover };
  const columns = useMemo(() => [
    data.rows.map((_, t) => t),
    ...data.seats.map((_, seat) => data.rows.map((_, t) =>
      part(data, t, "out")[seat] ? null : part(data, t, metric)[seat])),
  ], [data, metric]);
  useEffect(() => {
    const made = new uPlot(options({
      data, metric, width: Math.max(width, 120), onHover: (t) => handlers.current.onHover(t),
    }), columns, box.current);
    plot.current = made;
    now.current = makeSeekable(made, (t) => handlers.current.onSeek(t));
    return () => made.destroy();
  }, [columns, theme]);
  useEffect(() => plot.current.setSize({ width: Math.max(width, 120), height: 130 }), [width]);
  useEffect(() => {
    // uPlot sizes its plot a little later than the effects of this render run
    queueMicrotask(() => { now.current.style.left = `${plot.current.valToPos(moment, "x")}px`; });
  });
  const shown = hovered ?? moment;
  const values = inWords(data, metric, data.seats.map((_, seat) => columns[seat + 1][shown]));
  const said = values.map((value, seat) => `${data.seats[seat].letter} ${value ?? "bankrupt"}`).join(", ");
  return html`<figure class="chart">
    <figcaption><b>${title}</b><span class="legend">${values.map((value, seat) => html`<span>
      <${Disk} data=${data} seat=${seat} size="16" hollow=${value === null} />
      ${value ?? "–"}</span>`)}</span></figcaption>
    <div class="plot" ref=${box} role="img" aria-label=${`${title} at move ${shown}: ${said}`}></div>
  </figure>`;
}

export function Charts({ data, moment, theme, onSeek }) {
  const [hovered, setHovered] = useState(null);
  return html`<section class="charts" aria-label="Charts">
    ${METRICS.map(([metric, title]) => html`<${Chart} key=${metric} title=${title}
      ...${{ data, metric, moment, theme, onSeek, hovered, onHover: setHovered }} />
      ${metric === "chance" && html`<${Played} key="played" data=${data} moment=${moment} />`}`)}
    <p class="hint">${hovered === null ? "Click or drag in a chart to go to that move." :
      `Values at move ${hovered}; click to go there.`}</p>
  </section>`;
}
