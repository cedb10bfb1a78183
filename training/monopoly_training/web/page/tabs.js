// Panels behind tabs; arrow keys move between tabs, as in the ARIA pattern.
import { html } from "monopoly/html.js";

/** `names`: what each tab is called, by its key, in order. */
export function Tabs({ names, tab, setTab, children }) {
  const keys = Object.keys(names);
  const move = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const next = keys[(keys.indexOf(tab) + by + keys.length) % keys.length];
    setTab(next);
    document.getElementById(`tab-${next}`).focus();
  };
  return html`<div class="tabs">
    <div role="tablist" aria-label="Views" onKeyDown=${move}>${keys.map((name) => html`<button type="button"
      role="tab" id=${`tab-${name}`} aria-selected=${name === tab} aria-controls=${`panel-${name}`}
      tabindex=${name === tab ? 0 : -1} onClick=${() => setTab(name)}>${names[name]}</button>`)}</div>
    <div class="panel" role="tabpanel" tabindex="0" id=${`panel-${tab}`} aria-labelledby=${`tab-${tab}`}>${children}</div>
  </div>`;
}
