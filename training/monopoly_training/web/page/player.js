// Which moment is shown: playing, stepping, keys, and the address that links to it.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { SPEEDS, STEP } from "monopoly/controls.js";

const FASTEST = 40; // milliseconds between two pictures; beyond that moves are skipped

function linked(last) {
  const found = /(?:^#|&)t=(\d{1,9})/.exec(location.hash);
  return found ? Math.min(Number(found[1]), last) : null;
}

export function usePlayer(data) {
  const last = data.last;
  const [moment, setMoment] = useState(() => linked(last) ?? 0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const state = useRef({});
  const seek = useCallback((t) => setMoment(Math.max(0, Math.min(last, t))), [last]);
  const toggle = useCallback(() => {
    if (!state.current.playing && state.current.moment === last) setMoment(0);
    setPlaying((on) => !on);
  }, [last]);
  const turn = useCallback((direction) => {
    const { moment: now } = state.current;
    const starts = data.turnStarts;
    const next = direction > 0 ? starts.find((t) => t > now) : starts.findLast((t) => t < now);
    seek(next ?? (direction > 0 ? last : 0));
  }, [data]);
  const mark = useCallback((direction) => {
    const { moment: now } = state.current;
    const found = direction > 0 ? data.marks.find(([t]) => t > now) : data.marks.findLast(([t]) => t < now);
    if (found) seek(found[0]);
  }, [data]);
  state.current = { moment, playing };

  useEffect(() => {
    if (!playing) return undefined;
    const wait = STEP / speed;
    const by = Math.max(1, Math.round(FASTEST / wait));
    const timer = setInterval(() => {
      if (state.current.moment >= last) setPlaying(false);
      else seek(state.current.moment + by);
    }, Math.max(wait, FASTEST));
    return () => clearInterval(timer);
  }, [playing, speed]);

  useEffect(() => {
    const timer = setTimeout(() => history.replaceState(null, "", `#t=${moment}`), 150);
    return () => clearTimeout(timer);
  }, [moment]);

  useEffect(() => {
    const follow = () => {
      const t = linked(last);
      if (t !== null) seek(t);
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return { moment, last, playing, speed, seek, toggle, turn, mark, setSpeed, setPlaying };
}

const faster = (speed, by) => SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(speed) + by))];

/** What each key does; keys that write text or belong to a control stay its own. */
export function useKeys(player, more) {
  const now = useRef(null);
  now.current = [player, more];
  useEffect(() => {
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const [p, others] = now.current;
      const { tagName, type } = event.target;
      const range = tagName === "INPUT" && type === "range";
      if ((["INPUT", "TEXTAREA", "SELECT"].includes(tagName) && !range) || document.querySelector("dialog[open]")) return;
      const keys = {
        " ": p.toggle, Home: () => p.seek(0), End: () => p.seek(p.last),
        ArrowRight: () => (event.shiftKey ? p.turn(1) : p.seek(p.moment + 1)),
        ArrowLeft: () => (event.shiftKey ? p.turn(-1) : p.seek(p.moment - 1)),
        PageDown: () => p.seek(p.moment + 10), PageUp: () => p.seek(p.moment - 10),
        "]": () => p.mark(1), "[": () => p.mark(-1),
        "+": () => p.setSpeed(faster(p.speed, 1)), "=": () => p.setSpeed(faster(p.speed, 1)),
        "-": () => p.setSpeed(faster(p.speed, -1)), ...others,
      };
      const action = keys[event.key];
      if (!action || (event.key === " " && ["BUTTON", "SUMMARY"].includes(tagName))) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
