// Small things that several components show.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "monopoly/html.js";

/** A player's disk with its letter. `hollow`: who is out of it. */
export function Disk({ data, seat, size = 24, hollow = false }) {
  const { fill, ink } = data.board.seats[seat];
  return html`<span class="disk" aria-hidden="true" style=${{
    width: `${size}px`, height: `${size}px`, fontSize: `${size * 0.58}px`,
    background: hollow ? "transparent" : fill, color: hollow ? "var(--muted)" : ink,
    borderColor: hollow ? fill : "transparent",
  }}>${data.seats[seat].letter}</span>`;
}

/** The color of a deed's group; cards that are kept (40, 41) show their deck. */
export function Swatch({ data, square }) {
  if (square >= 40) {
    return html`<span class="swatch deck" style=${{ background: `var(--deck_${square - 40})` }}
      aria-hidden="true">${"?!"[square - 40]}</span>`;
  }
  const group = data.board.squares[square].group;
  return html`<span class="swatch" aria-hidden="true"
    style=${{ background: data.board.groups[group] ?? "var(--muted)" }}></span>`;
}

const ICONS = {
  start: "M6 5h2v14H6zM20 5v14L9 12z",
  turnBack: "M12 5v14L3 12zM21 5v14l-9-7z",
  back: "M16 5v14L6 12z",
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  step: "M8 5v14l10-7z",
  turnOn: "M3 5v14l9-7zM12 5v14l9-7z",
  end: "M4 5v14l11-7zM16 5h2v14h-2z",
  sun: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM4.2 5.6l1.4-1.4 2.8 2.8L7 8.4zM15.6 17l1.4-1.4 2.8 2.8-1.4 1.4zM4.2 18.4 7 15.6 8.4 17l-2.8 2.8zM15.6 7l2.8-2.8 1.4 1.4L17 8.4z",
  moon: "M14 2a10 10 0 1 0 8 15A9 9 0 0 1 14 2z",
  link: "M10.6 13.4a4 4 0 0 0 5.7 0l3.5-3.5a4 4 0 0 0-5.7-5.7l-1.5 1.5 1.4 1.4 1.5-1.5a2 2 0 1 1 2.9 2.9l-3.5 3.5a2 2 0 0 1-2.9 0zM13.4 10.6a4 4 0 0 0-5.7 0l-3.5 3.5a4 4 0 0 0 5.7 5.7l1.5-1.5-1.4-1.4-1.5 1.5a2 2 0 1 1-2.9-2.9l3.5-3.5a2 2 0 0 1 2.9 0z",
  help: "M11 16h2v2.4h-2zM8 9a4 4 0 1 1 5.6 3.7c-.5.2-.6.5-.6 1V15h-2v-1.6c0-1.2.6-2 1.7-2.5A2 2 0 1 0 10 9z",
  markBack: "M5 5h2v14H5zM19 5v14L9 12z M12 2l2 2-2 2-2-2z",
  markOn: "M17 5h2v14h-2zM5 5v14l10-7z M12 2l2 2-2 2-2-2z",
  check: "M9.6 18.2 3.8 12.4l1.9-1.9 3.9 3.9 8.7-8.7 1.9 1.9z",
};

export function Icon({ name, size = 18 }) {
  return html`<svg class="icon" viewBox="0 0 24 24" width=${size} height=${size} aria-hidden="true">
    <path d=${ICONS[name]} /></svg>`;
}

/** A button with a picture alone: `label` is read aloud and shown on hovering. */
export function IconButton({ icon, label, onClick, disabled, pressed, size, className = "" }) {
  return html`<button type="button" class=${`icon-button ${className}`} aria-label=${label}
    title=${label} onClick=${onClick} disabled=${disabled} aria-pressed=${pressed}>
    <${Icon} name=${icon} size=${size} /></button>`;
}

/** Whether a media query holds, kept up to date. */
export function useMedia(query) {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const follow = () => setMatches(media.matches);
    follow();
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [query]);
  return matches;
}

/** The width of an element in pixels, kept up to date: [ref, width]. */
export function useWidth(first = 600) {
  const ref = useRef(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry.contentRect.width));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
