// The scrubber, and above it a lane for each kind of moment that stands out.
import { useMemo } from "preact/hooks";
import { html } from "monopoly/html.js";
import { chosenText, count } from "monopoly/data.js";
import { MARKS, SignIcon } from "monopoly/marks.js";
import { useWidth } from "monopoly/parts.js";

const LANE = 14;
const THUMB = 16; // the scrubber's handle, whose middle moves from half its width to the other end

function Lane({ data, kind, width, onSeek }) {
  const marks = useMemo(() => data.marks.filter((mark) => mark[1] === kind), [data, kind]);
  const x = (moment) => THUMB / 2 + (moment / Math.max(data.last, 1)) * (width - THUMB);
  const pick = (event) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const near = marks.reduce((best, mark) =>
      Math.abs(x(mark[0]) - at) < Math.abs(x(best[0]) - at) ? mark : best, marks[0]);
    if (near && Math.abs(x(near[0]) - at) < 12) onSeek(near[0]);
  };
  return html`<svg class="lane" width=${width} height=${LANE} onClick=${pick} aria-hidden="true">
    <line x1="0" x2=${width} y1=${LANE / 2} y2=${LANE / 2} stroke="var(--line)" stroke-width="0.6" />
    ${marks.map(([moment, , seat, text]) => html`<rect x=${x(moment) - 2} y="2" width="4"
      height=${LANE - 4} rx="1.5" fill=${seat < 0 ? "var(--muted)" : data.board.seats[seat].fill}
      stroke="var(--paper)" stroke-width="0.8"><title>Move ${moment}: ${text}</title></rect>`)}
  </svg>`;
}

export function Timeline({ data, moment, onSeek, lanes = true }) {
  const [box, width] = useWidth(600);
  const kinds = Object.keys(MARKS).filter((kind) => data.marks.some((mark) => mark[1] === kind));
  const said = moment < data.last
    ? `move ${moment} of ${data.last}: next, ${data.seats[data.decisions[moment].actor].letter} chooses to ${chosenText(data, moment)}`
    : `move ${moment} of ${data.last}: the end`;
  return html`<div class="timeline">
    ${lanes && html`<div class="lane-names">${kinds.map((kind) => html`<span>
      <${SignIcon} kind=${kind} size="12" />${MARKS[kind].many}</span>`)}<span class="where">
      Move ${count(moment)} of ${count(data.last)}</span></div>`}
    <div class="lanes" ref=${box}>
      ${lanes && kinds.map((kind) => html`<${Lane} key=${kind} ...${{ data, kind, width, onSeek }} />`)}
      <input type="range" min="0" max=${data.last} value=${moment} aria-label="Move" id="scrubber"
        aria-valuetext=${said} onInput=${(event) => onSeek(Number(event.target.value))} />
    </div>
  </div>`;
}
