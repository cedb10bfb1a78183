// The page of a game that people play.
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { money, part, playerName, single, unpack } from "monopoly/data.js";
import { capital, deedsOf, legalOf } from "monopoly/asked.js";
import { Board } from "monopoly/board.js";
import { Charts } from "monopoly/charts.js";
import { barredReason, itemsOf, toggled } from "monopoly/composer.js";
import { WORK } from "monopoly/deeds.js";
import { Desk } from "monopoly/desk.js";
import { Journal } from "monopoly/journal.js";
import { Disk, IconButton, useMedia } from "monopoly/parts.js";
import { Players } from "monopoly/players.js";
import { address, send, useGame } from "monopoly/server.js";
import { Tabs } from "monopoly/tabs.js";
import { useTheme } from "monopoly/theme.js";

const SPACES = ["to", "attack"]; // kinds that name a space to click

/** What clicking squares does now: [squares with labels, those that are chosen, what a click does]. */
function usePicks(data, view, setView, act, busy) {
  return useMemo(() => {
    const picks = new Map();
    if (data.last < 0) return [picks, new Set(), () => {}];
    const { squares } = data.board;
    const draft = data.asked && view?.draft;
    if (draft) {
      for (const [seat, mine] of [[data.asked.seat, true], [draft.partner, false]]) {
        for (const item of itemsOf(data, seat)) {
          if (item < 40 && !barredReason(data, item)) picks.set(item, { label: `${squares[item].name}: ${mine ? "give it" : "ask for it"}`, mine });
        }
      }
      return [picks, new Set([...draft.give, ...draft.ask]), (square) => setView({ draft: toggled(draft, square, picks.get(square).mine) })];
    }
    const owner = part(data, data.last, "owner");
    const mine = new Set(data.asked ? deedsOf(data, owner, data.asked.seat) : []);
    const doable = new Set(data.asked ? WORK.flatMap((kind) => legalOf(data, kind).map(({ value }) => value)) : []);
    squares.forEach((square, k) => square.group && picks.set(k, { label: `${square.name}${mine.has(k) ? ", yours" : ""}`, quiet: true, tab: doable.has(k) }));
    for (const kind of data.asked ? (view?.kind ? [view.kind] : SPACES) : []) {
      for (const { value, text, meaning, effect } of legalOf(data, kind)) picks.set(value, { label: `${capital(meaning)}${effect && ` (${effect})`}`, text });
    }
    const shown = view?.square === undefined ? new Set() : new Set([view.square]);
    return [picks, shown, (square) => {
      const { text } = picks.get(square);
      if (!text) setView(view?.square === square ? null : { square });
      else if (!busy) act([text]);
    }];
  }, [data, view, busy]);
}

/** How the game ended, and where it can be looked at again. */
function End({ data }) {
  const { ranks, truncated } = data.result;
  const seatOf = (letter) => data.seats.findIndex((seat) => seat.letter === letter);
  return html`<div class="over">${truncated && html`<p>The game reached a turn or decision limit.</p>`}
    <ol class="ranks">${ranks.map(([letter, rank, worth]) => html`<li key=${letter}><span class="at">${rank}.</span>
      <${Disk} data=${data} seat=${seatOf(letter)} size="22" /><span>${playerName(data, seatOf(letter))}</span><span class="muted">net worth ${money(data, worth)}</span></li>`)}</ol>
    <p class="plain"><a class="choice main" href=${address("replay")} target="_blank" rel="noopener">Watch the replay</a>
      <a class="choice" href=${address("record")} download=${`${data.name}.jsonl`}>Save the record</a></p></div>`;
}

/** What holds for the whole game: taking back, being asked between turns, links of the others. */
function Extras({ data, tell }) {
  const doing = (what, body) => async () => {
    try {
      await send(what, body);
    } catch (problem) {
      tell(problem.message);
    }
  };
  const asks = data.mine.length > 0 && data.mine.every((seat) => data.asks.includes(seat));
  return html`<div class="extras">
    ${data.practice && html`<button type="button" class="small-button" disabled=${!data.undo}
      onClick=${doing("undo", { at: data.stamp })}>Take back</button>`}
    ${!data.result.over && html`<label><input type="checkbox" checked=${asks} onChange=${(event) => doing("windows", { ask: event.target.checked })()} />
      Ask me between other players' turns</label>`}</div>`;
}

/** Where all games are listed; only whoever runs the server may look there. */
function home(data) {
  const token = new URLSearchParams(location.search).get("token");
  return data.guarded ? token && `/?token=${token}` : "/";
}

function Links({ data }) {
  const names = (seats) => seats.map((seat) => data.seats[seat].letter).join(" and ");
  return html`<section class="links" aria-label="Links"><p>Each link plays one seat; anyone with the link can play it. Links open on other
      machines if the server was started with --host.</p>
    <ul>${data.links.map(({ seats, path }) => html`<li key=${path}><span>${seats.map((seat) => html`<${Disk} data=${data} seat=${seat} size="20" />`)}</span>
      <a href=${path}>${location.origin}${path}</a><span class="muted">plays ${names(seats)}</span></li>`)}</ul>
  </section>`;
}

function Play({ head }) {
  const [data, lost] = useGame(head);
  const [theme, toggleTheme] = useTheme(head.board.themes);
  const [view, setView] = useState(null); // { kind } of work, { square } that is looked at, { draft } of an offer
  const [busy, setBusy] = useState(false);
  const [said, tell] = useState("");
  const [look, setLook] = useState(null); // an earlier moment that is looked at
  const [tab, setTab] = useState("desk");
  const wide = useMedia("(min-width: 1500px)");
  useEffect(() => {
    tell("");
    setLook(null);
    if (data.asked || data.result.over) setTab("desk");
  }, [data.stamp]);
  const sending = async (body) => {
    setBusy(true);
    try {
      await send("move", { at: data.stamp, ...body });
      tell("");
    } catch (problem) {
      tell(problem.message);
    }
    setBusy(false);
  };
  const act = (actions) => sending({ actions });
  const [picks, picked, onPick] = usePicks(data, view, setView, act, busy);
  if (data.last < 0) return html`<p class="wait">${lost || "Setting up the game …"}</p>`;
  const moment = look === null ? data.last : Math.min(look, data.last);
  const pot = single(data, moment, "pot");
  const tabs = { ...(wide ? {} : { desk: data.asked ? "Your move" : "Now" }), journal: "Journal", charts: "Charts", ...(data.links.length ? { links: "Links" } : {}) };
  const shown = wide && tab === "desk" ? "journal" : tab;
  const desk = html`<${Desk} ...${{ data, view, setView, act, busy, offer: (deal) => sending({ deal }) }} ending=${data.result.over && html`<${End} data=${data} />`}>
    ${data.mine.length > 0 && html`<${Extras} data=${data} tell=${tell} />`}</${Desk}>`;
  const looking = look !== null && moment < data.last && html`<p class="card looking">Showing move ${moment} of ${data.last}.
    <button type="button" class="small-button" onClick=${() => setLook(null)}>Back to the game</button></p>`;
  const panels = html`<${Tabs} names=${tabs} tab=${shown} setTab=${setTab}>
    ${shown === "desk" && desk}
    ${shown === "journal" && html`<${Journal} data=${data} moment=${moment} onSeek=${setLook} />`}
    ${shown === "charts" && html`<${Charts} ...${{ data, moment, theme, onSeek: setLook }} />`}
    ${shown === "links" && html`<${Links} data=${data} />`}</${Tabs}>`;
  return html`<div class=${`replay play ${wide ? "is-wide" : ""}`} data-stamp=${data.stamp} data-asked=${data.asked?.phase ?? "nobody"}>
    <header><h1>${data.title}${data.mode && ` (${data.mode})`} <small>${data.seats.map((seat, k) => `${seat.letter} ${playerName(data, k)}`).join(", ")}</small></h1>
      <span class="tools">${home(data) && html`<a class="home" href=${home(data)}>All games</a>`}<${IconButton} icon=${theme === "dark" ? "sun" : "moon"} onClick=${toggleTheme}
        label=${theme === "dark" ? "Light colors" : "Dark colors"} /></span></header>
    ${(lost || said || data.trouble) && html`<p class="note" role="alert">${lost || said || data.trouble}
      ${!lost && !said && data.trouble && html` <button type="button" class="small-button" onClick=${() => send("retry", {}).catch((p) => tell(p.message))}>Try again</button>`}</p>`}
    <main>
      <div class="stage"><${Board} ...${{ data, moment, pot: pot ? money(data, pot) : "" }} picks=${look === null ? picks : undefined} picked=${picked} onPick=${onPick} /></div>
      <div class="side">
        <${Players} data=${data} moment=${moment} />
        ${looking}
        ${wide ? html`<div class="card">${desk}</div>` : panels}
      </div>
      ${wide && html`<div class="side">${panels}</div>`}
    </main></div>`;
}

export async function start() {
  const app = document.getElementById("app");
  const head = await unpack(document.getElementById("data"));
  app.textContent = "";
  render(html`<${Play} head=${head} />`, app);
}
