// Play, pause, step, speed.
import { html } from "monopoly/html.js";
import { IconButton } from "monopoly/parts.js";

export const SPEEDS = [0.5, 1, 2, 4, 10, 30];
export const STEP = 400; // milliseconds a move at speed 1

export function Controls({ player }) {
  const { moment, last, playing, speed } = player;
  return html`<div class="controls" role="toolbar" aria-label="Playback">
    <${IconButton} icon="start" label="To the start (Home)" onClick=${() => player.seek(0)} disabled=${moment === 0} className="wide" />
    <${IconButton} icon="turnBack" label="Turn back (Shift + ←)" onClick=${() => player.turn(-1)} disabled=${moment === 0} />
    <${IconButton} icon="back" label="Move back (←)" onClick=${() => player.seek(moment - 1)} disabled=${moment === 0} />
    <${IconButton} icon=${playing ? "pause" : "play"} size="24" className="main"
      label=${playing ? "Pause (Space)" : "Play (Space)"} onClick=${player.toggle} />
    <${IconButton} icon="step" label="Next move (→)" onClick=${() => player.seek(moment + 1)} disabled=${moment === last} />
    <${IconButton} icon="turnOn" label="Next turn (Shift + →)" onClick=${() => player.turn(1)} disabled=${moment === last} />
    <${IconButton} icon="end" label="To the end (End)" onClick=${() => player.seek(last)} disabled=${moment === last} className="wide" />
    <label class="speed"><span class="spoken">Speed</span>
      <select value=${speed} onChange=${(event) => player.setSpeed(Number(event.target.value))} title="Speed (+ and −)">
        ${SPEEDS.map((one) => html`<option value=${one}>${one}×</option>`)}
      </select></label>
  </div>`;
}
