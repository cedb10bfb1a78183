// The start page: a new game, and the saved ones.
import { render } from "preact";
import { useMemo, useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { capital } from "monopoly/asked.js";
import { unpack } from "monopoly/data.js";
import { IconButton } from "monopoly/parts.js";
import { useTheme } from "monopoly/theme.js";

const PERSON = "human";
const LETTERS = "ABCDEFGH";
const MODES = { standard: "standard", short: "short game", time_limit: "time limit", power_doubles: "power doubles" };
const PACES = { 0: "instant", 150: "fast", 400: "normal", 1000: "slow" };

function Letter({ colors, seat }) {
  const { fill, ink } = colors[seat];
  return html`<span class="disk" aria-hidden="true" style=${{ width: "26px", height: "26px", fontSize: "15px", background: fill, color: ink }}>${LETTERS[seat]}</span>`;
}

function Seats({ data, seats, setSeats, tokens }) {
  const change = (seat, name) => setSeats(seats.map((one, k) => (k === seat ? name : one)));
  return html`<ol class="seats">${seats.map((name, seat) => html`<li key=${seat}><${Letter} colors=${data.colors} seat=${seat} />
    <label><span class="spoken">Who plays ${LETTERS[seat]}</span>
      <select value=${name} onChange=${(event) => change(seat, event.target.value)}>
        <option value=${PERSON}>human</option>
        <optgroup label="Bots">${data.bots.map(([bot, about]) => html`<option value=${bot} title=${about}>${bot}</option>`)}</optgroup></select></label>
    <small>${tokens[seat] ? `${tokens[seat]}; ` : ""}${name === PERSON ? "you, or anyone with the link" : data.bots.find(([bot]) => bot === name)?.[1] ?? ""}</small></li>`)}</ol>`;
}

/** The choices of a new game, as the server takes them. */
function useChoices(data) {
  const first = data.start?.seats ?? data.default;
  const [edition, setEdition] = useState(data.editions[0]);
  const [choice, setChoice] = useState({ mode: "standard", rules: {}, seed: "", practice: true, pace: data.pace });
  const [seats, setSeats] = useState(first);
  const change = (more) => setChoice({ ...choice, ...more });
  const choose = (id) => {
    const next = data.editions.find((one) => one.id === id);
    setEdition(next);
    change({ mode: "standard", rules: {} });
    setSeats(seats.slice(0, next.players[1]));
  };
  const count = (players) => setSeats(Array.from({ length: players }, (_, k) => seats[k] ?? seats.find((one) => one !== PERSON) ?? data.default[1]));
  const wishes = { seats, practice: choice.practice, pace: choice.pace, ...(choice.seed === "" ? {} : { seed: Number(choice.seed) }),
    ...(data.start ? { from: { name: data.start.name, at: String(data.start.at) } } : { edition: edition.id, mode: choice.mode, rules: choice.rules }) };
  return { edition, choice, seats, change, choose, count, setSeats, wishes };
}

function Rules({ edition, rules, onChange }) {
  const toggle = (row, on) => {
    const { [row.name]: _, ...others } = rules;
    onChange(on ? { ...others, [row.name]: row.value } : others);
  };
  return html`<details class="house"><summary>House rules${Object.keys(rules).length ? ` (${Object.keys(rules).length})` : ""}</summary>
    <ul>${edition.rules.map((row) => html`<li key=${row.name}><label><input type="checkbox" checked=${row.name in rules}
      onChange=${(event) => toggle(row, event.target.checked)} /> <span>${capital(row.meaning)}</span></label></li>`)}</ul></details>`;
}

function NewGame({ data }) {
  const { edition, choice, seats, change, choose, count, setSeats, wishes } = useChoices(data);
  const [said, tell] = useState("");
  const [busy, setBusy] = useState(false);
  const begin = async (event) => {
    event.preventDefault();
    setBusy(true);
    tell("");
    try {
      const answer = await fetch(`/new${data.token && `?token=${data.token}`}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wishes) });
      const told = await answer.json();
      if (!answer.ok) throw new Error(told.error);
      const { path } = told.links[told.links.length - 1];
      location.href = data.token && !path.includes("token=") ? `${path}&token=${data.token}` : path;
    } catch (problem) {
      tell(problem instanceof TypeError ? "The server does not answer. Is it still running?" : problem.message);
      setBusy(false);
    }
  };
  const players = Array.from({ length: edition.players[1] - edition.players[0] + 1 }, (_, k) => edition.players[0] + k);
  return html`<form class="card new" onSubmit=${begin} aria-label="New game"><h2>${data.start ? "Play on from a position" : "New game"}</h2>
    ${data.start ? html`<p>From move ${data.start.at} of ${data.start.name} (${data.start.edition}): ${data.start.headline}. Dice and cards will be new.</p>`
    : html`<div class="fields"><label>Edition <select value=${edition.id} onChange=${(event) => choose(event.target.value)}>${data.editions.map((one) =>
        html`<option value=${one.id}>${one.title}${one.year && !one.title.includes(one.year) ? `, ${one.year}` : ""}</option>`)}</select></label>
      <label>Mode <select value=${choice.mode} onChange=${(event) => change({ mode: event.target.value })}>${edition.modes.map((mode) =>
        html`<option value=${mode}>${MODES[mode] ?? mode}</option>`)}</select></label>
      <label>Players <select value=${seats.length} onChange=${(event) => count(Number(event.target.value))}>${players.map((one) =>
        html`<option value=${one}>${one}</option>`)}</select></label></div>`}
    <${Seats} ...${{ data, seats, setSeats }} tokens=${data.start ? [] : edition.tokens} />
    <div class="fields"><label>Bot speed <select value=${choice.pace} onChange=${(event) => change({ pace: Number(event.target.value) })}>${Object.entries(PACES).map(([ms, name]) =>
        html`<option value=${ms}>${name}</option>`)}</select></label>
      <label>Seed <input type="number" min="0" placeholder="any" value=${choice.seed} onInput=${(event) => change({ seed: event.target.value })} /></label>
      <label class="check"><input type="checkbox" checked=${choice.practice} onChange=${(event) => change({ practice: event.target.checked })} /> Practice: allow taking back moves</label></div>
    ${!data.start && html`<${Rules} edition=${edition} rules=${choice.rules} onChange=${(rules) => change({ rules })} />`}
    ${said && html`<p class="note" role="alert">${said}</p>`}
    <button type="submit" class="choice main begin" disabled=${busy}><span>${busy ? "Setting up …" : "Play"}</span></button></form>`;
}

/** The links of a game: whom each plays for. */
function GoOn({ row, path }) {
  const verb = row.over ? "view" : "continue";
  if (!row.links.length) return html`<span class="go"><a href=${path(row, "")}>watch</a></span>`;
  if (row.links.length === 1) return html`<span class="go"><a href=${path(row, row.links[0][1])}>${verb}</a></span>`;
  return html`<span class="go">${verb} as ${row.links.map(([letters, key]) => html`<a key=${key} href=${path(row, key)}
    aria-label=${`${verb} as ${letters.split("").join(" and ")}`}>${letters.length > 1 ? "all" : letters}</a>`)}</span>`;
}

function Games({ data }) {
  const title = (row) => data.editions.find((one) => one.id === row.edition)?.title ?? row.edition;
  const day = (row) => new Date(1000 * row.created).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const rows = useMemo(() => data.games, [data]);
  const path = (row, key) => {
    const query = new URLSearchParams({ ...(key && { seat: key }), ...(data.token && { token: data.token }) }).toString();
    return `/game/${row.name}${query && `?${query}`}`;
  };
  return html`<section class="card"><h2>Saved games</h2><ul class="games">${rows.map((row) => html`<li key=${row.name}>${row.problem
    ? html`<span class="muted">${row.problem}</span>`
    : html`<span>${title(row)}: ${row.seats.map((name) => name).join(", ")}${" "}
        <small>${day(row)}, ${row.moves} moves${row.over ? ", finished" : ""}</small></span>
      <${GoOn} row=${row} path=${path} />`}</li>`)}
    ${rows.length === 0 && html`<li class="empty">Every move is saved. You can continue any game from here.</li>`}</ul></section>`;
}

function Home({ data }) {
  const [theme, toggle] = useTheme(data.themes);
  return html`<div class="watch lobby"><header><h1>Monopoly <small>against bots and friends</small></h1><span class="tools">
      <${IconButton} icon=${theme === "dark" ? "sun" : "moon"} onClick=${toggle} label=${theme === "dark" ? "Light colors" : "Dark colors"} /></span></header>
    <main><${NewGame} data=${data} /><${Games} data=${data} /></main></div>`;
}

export async function start() {
  const app = document.getElementById("app");
  const data = await unpack(document.getElementById("data"));
  app.textContent = "";
  render(html`<${Home} data=${data} />`, app);
}
