// A training run or a tournament, as it goes on.
import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { unpack } from "monopoly/data.js";
import { IconButton, useWidth } from "monopoly/parts.js";
import { useTheme } from "monopoly/theme.js";

const EVERY = 2000; // milliseconds between two looks
const count = (number) => Math.round(number).toLocaleString("en-US");
const shortCount = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 }).format;
const part = (share) => (share === null ? "–" : `${(100 * share).toFixed(1)}%`);
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** What the server says now; the last answer stays while it does not answer. */
function useProgress(first) {
  const [state, setState] = useState(first);
  const [lost, setLost] = useState(false);
  useEffect(() => {
    let timer;
    const look = async () => {
      try {
        const answer = await fetch("/state");
        if (!answer.ok) throw new Error(await answer.text());
        setState(await answer.json());
        setLost(false);
      } catch {
        setLost(true);
      }
      timer = setTimeout(look, EVERY);
    };
    timer = setTimeout(look, EVERY);
    return () => clearTimeout(timer);
  }, []);
  return [state, lost];
}

function Curve({ points, colors, theme }) {
  const [box, width] = useWidth(600);
  const against = [...new Set(points.map((point) => point.against))];
  const columns = useMemo(() => {
    const steps = [...new Set(points.map((point) => point.steps))].sort((a, b) => a - b);
    return [steps, ...against.map((name) => steps.map((step) =>
      points.findLast((point) => point.steps === step && point.against === name)?.win_rate ?? null))];
  }, [points]);
  const plot = useRef(null);
  useEffect(() => {
    const axis = { stroke: style("muted"), grid: { stroke: style("line"), width: 0.5 }, ticks: { show: false },
      font: "12px system-ui, sans-serif" };
    plot.current = new uPlot({
      width: Math.max(width, 200), height: 300, legend: { show: false }, padding: [10, 24, 0, 0],
      scales: { x: { time: false }, y: { range: [0, 1] } }, cursor: { drag: { x: false, y: false } },
      series: [{}, ...against.map((_, k) => ({ stroke: colors[k % colors.length], width: 2.2, spanGaps: true,
        points: { show: true, size: 6, fill: colors[k % colors.length] } }))],
      axes: [{ ...axis, size: 30, values: (_, ticks) => ticks.map(shortCount) },
        { ...axis, size: 52, values: (_, ticks) => ticks.map((tick) => `${Math.round(100 * tick)}%`) }],
    }, columns, box.current);
    return () => plot.current.destroy();
  }, [columns, theme, width]);
  const last = points[points.length - 1];
  return html`<figure class="chart">
    <figcaption><b>Win rate by training decisions</b><span class="legend">${against.map((name, k) => html`<span>
      <i class="key" style=${{ background: colors[k % colors.length] }}></i>against ${name}</span>`)}</span></figcaption>
    <div class="plot" ref=${box} role="img" aria-label=${`Win rate after ${count(last.steps)} decisions: ${against.map((name) =>
      `${part(points.findLast((point) => point.against === name).win_rate)} against ${name}`).join(", ")}`}></div></figure>`;
}

function Run({ state, colors, theme }) {
  const { points } = state;
  if (!points?.length) return html`<p class="wait">${state.note || "No evaluation yet."}</p>`;
  const last = points[points.length - 1];
  const newest = [...new Set(points.map((point) => point.against))].map((name) =>
    points.findLast((point) => point.against === name));
  const [seed, setSeed] = useState(1);
  const games = (state.games ?? []).map((game) => ({ ...game, key: `${game.steps}/${game.number}`, place: `/evaluated/${game.steps}/${game.number}`,
    named: `game ${game.number} after ${count(game.steps)} decisions`, at: shortCount(game.steps), recorded: true }));
  return html`<div class="card"><${Curve} ...${{ points, colors, theme }} /></div>
    <div class="card"><h2>Last evaluation</h2>
      <p class="hint">${count(last.steps)} decisions, ${count(last.seconds)} s of training${state.per_second
        ? `, ${count(state.per_second)} decisions per second` : ""}</p>
      <div class="scroll" tabindex="0" role="group" aria-label="Last evaluation"><table class="scores"><thead><tr><th scope="col">Against</th><th scope="col">Wins</th>
        <th scope="col">95% interval</th><th scope="col">Rank</th><th scope="col">Turns</th><th scope="col">Truncated</th></tr></thead>
      <tbody>${newest.map((point) => html`<tr><th scope="row">${point.against}</th><td>${part(point.win_rate)}</td>
        <td>${part(point.low)} to ${part(point.high)}</td><td>${point.mean_rank.toFixed(2)}</td>
        <td>${count(point.turns)}</td><td>${part(point.truncated)}</td></tr>`)}</tbody></table></div></div>
    <div class="card"><h2>Evaluation games</h2>
      <p class="hint">Newest first, by training decisions.</p>
      <${GameList} games=${games} empty="No saved games yet." /></div>
    <div class="card"><h2>Watch the current policy</h2>
      ${state.model ? html`<p class="hint">Plays a new game against ${last.against} and opens the replay, in a few seconds.</p>
        <p class="line"><label>Seed <input type="number" min="0" value=${seed} onInput=${(event) => setSeed(Number(event.target.value))} /></label>
        <a class="close" href=${`/game/${seed}`} target="_blank" rel="noopener">Play a game</a></p>`
        : html`<p class="hint">Available after the first checkpoint.</p>`}</div>`;
}

function Standings({ rows }) {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Standings"><table class="scores standings"><thead><tr><th scope="col">Bot</th><th scope="col">Games</th>
      <th scope="col">Wins</th><th scope="col">95% interval</th><th scope="col" class="bars"><span class="spoken">Bar</span></th></tr></thead>
    <tbody>${rows.map((row) => html`<tr><th scope="row">${row.agent}</th><td>${count(row.games)}</td><td>${part(row.rate)}</td>
      <td>${part(row.low)} to ${part(row.high)}</td><td class="bars"><span class="range" aria-hidden="true">
        <i style=${{ left: `${100 * row.low}%`, width: `${100 * (row.high - row.low)}%` }}></i>
        ${row.rate !== null && html`<b style=${{ left: `${100 * row.rate}%` }}></b>`}</span></td></tr>`)}</tbody></table></div>`;
}

/** Games to open on the board: who sat where, the winners in bold. */
function GameList({ games, empty }) {
  return html`<ol class="games">${games.map((game) => html`<li key=${game.key}><span class="at">${game.at}</span>
      <span>${game.seats.map((name, k) => html`${k > 0 && ", "}${game.winners.includes(k) ? html`<b>${name}</b>` : name}`)}
        <small> ${count(game.turns)} turns${game.truncated ? ", truncated" : ""}</small></span>
      ${game.recorded ? html`<a href=${game.place} target="_blank" rel="noopener" aria-label=${`Watch ${game.named}`}>watch</a>`
        : html`<small>not saved</small>`}</li>`)}
    ${games.length === 0 && html`<li class="empty">${empty}</li>`}</ol>`;
}

function Tournament({ state }) {
  const rows = (games) => (games ?? []).map((game) => ({ ...game, key: game.number, at: count(game.number), place: `/replay/${game.number}`, named: `game ${game.number}` }));
  return html`<div class="card"><h2>Standings</h2>
      <p class="hint">${count(state.played ?? 0)}${state.planned ? ` of ${count(state.planned)}` : ""} games${state.ended ? ", finished" : ""}${
        state.turns ? `, ${count(state.turns)} turns a game` : ""}; 95% intervals by seed</p>
      <${Standings} rows=${state.standings ?? []} /></div>
    ${state.saved?.length > 0 && html`<div class="card"><h2>Saved games</h2>
      <${GameList} games=${rows(state.saved)} /></div>`}
    <div class="card"><h2>Newest games</h2>
      <${GameList} games=${rows(state.games)} empty="No finished games yet." /></div>`;
}

function Watch({ data }) {
  const [state, lost] = useProgress(data.state);
  const [theme, toggle] = useTheme(data.themes);
  const View = state.kind === "run" ? Run : Tournament;
  return html`<div class="watch"><header><h1>${state.name} <small>${state.kind === "run" ? "training run" : "tournament"}</small></h1>
      <span class="tools"><span role="status" class="hint">${lost ? "No answer; showing the last state." : "Live"}</span>
        <${IconButton} icon=${theme === "dark" ? "sun" : "moon"} onClick=${toggle}
          label=${theme === "dark" ? "Light colors" : "Dark colors"} /></span></header>
    ${state.note && state.points?.length !== 0 && html`<p class="note" role="alert">${state.note}</p>`}
    <main><${View} ...${{ state, colors: data.colors, theme }} /></main></div>`;
}

export async function start() {
  const app = document.getElementById("app");
  const data = await unpack(document.getElementById("data"));
  app.textContent = "";
  render(html`<${Watch} data=${data} />`, app);
}
