// The page of a replay.
import { render } from "preact";
import { useState } from "preact/hooks";
import { html } from "monopoly/html.js";
import { count, money, playerName, readData, single } from "monopoly/data.js";
import { Board } from "monopoly/board.js";
import { Charts } from "monopoly/charts.js";
import { Choices } from "monopoly/choices.js";
import { Controls } from "monopoly/controls.js";
import { Help } from "monopoly/help.js";
import { Highlights } from "monopoly/highlights.js";
import { Journal } from "monopoly/journal.js";
import { IconButton, useMedia } from "monopoly/parts.js";
import { Players } from "monopoly/players.js";
import { Review } from "monopoly/review.js";
import { useKeys, usePlayer } from "monopoly/player.js";
import { Tabs } from "monopoly/tabs.js";
import { useTheme } from "monopoly/theme.js";
import { Timeline } from "monopoly/timeline.js";

const PANELS = { choices: "Decision", journal: "Journal", charts: "Charts", highlights: "Highlights", review: "Review" };

function Panel({ name, data, player, theme }) {
  const { moment, seek } = player;
  if (name === "choices") return html`<${Choices} data=${data} moment=${moment} />`;
  if (name === "journal") return html`<${Journal} data=${data} moment=${moment} onSeek=${seek} />`;
  if (name === "charts") return html`<${Charts} ...${{ data, moment, theme, onSeek: seek }} />`;
  if (name === "review") return html`<${Review} data=${data} moment=${moment} onSeek=${seek} />`;
  return html`<${Highlights} data=${data} moment=${moment} onSeek=${seek} />`;
}

function CopyLink({ moment }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    const address = `${location.href.split("#")[0]}#t=${moment}`;
    try {
      await navigator.clipboard.writeText(address);
      setSaid("Link copied");
    } catch {
      prompt("The link to this move:", address);
    }
    setTimeout(() => setSaid(""), 1500);
  };
  return html`<span class="copy"><${IconButton} icon="link" label="Copy a link to this move" onClick=${copy} />
    <span role="status" class=${said ? "said" : "spoken"}>${said}</span></span>`;
}

function Replay({ data }) {
  const player = usePlayer(data);
  const [theme, toggleTheme] = useTheme(data.board.themes);
  const [help, setHelp] = useState(false);
  const [tab, setTab] = useState("choices");
  const [side, setSide] = useState("journal");
  const wide = useMedia("(min-width: 1500px)");
  const phone = useMedia("(max-width: 799px)");
  const search = () => {
    (wide ? setSide : setTab)("journal");
    setTimeout(() => document.getElementById("journal-words")?.focus());
  };
  useKeys(player, { "?": () => setHelp(true), d: toggleTheme, D: toggleTheme, "/": search });
  const { moment, seek } = player;
  const pot = single(data, moment, "pot");
  const shared = { data, player, theme };
  const names = Object.fromEntries((wide ? ["journal", "highlights", "review"] : Object.keys(PANELS))
    .filter((name) => name !== "review" || data.review).map((name) => [name, PANELS[name]]));
  return html`<div class=${`replay ${wide ? "is-wide" : ""}`}>
    <header>
      <h1>${data.title}${data.mode && ` (${data.mode})`} <small>replay: ${data.seats.map((seat, k) =>
        `${seat.letter} ${playerName(data, k)}`).join(", ")}</small></h1>
      <span class="tools">
        ${data.play_on && moment < data.last && html`<a class="home" href=${`${data.play_on}&at=${moment}`}>Play on from here</a>`}
        <${CopyLink} moment=${moment} />
        <${IconButton} icon=${theme === "dark" ? "sun" : "moon"} onClick=${toggleTheme}
          label=${theme === "dark" ? "Light colors (D)" : "Dark colors (D)"} />
        <${IconButton} icon="help" label="Help (?)" onClick=${() => setHelp(true)} />
      </span>
    </header>
    <main>
      <div class="stage"><${Board} data=${data} moment=${moment} pot=${pot ? money(data, pot) : ""} /></div>
      <div class="side">
        <${Players} data=${data} moment=${moment} />
        ${wide && html`<div class="card"><${Panel} name="choices" ...${shared} /></div>`}
        ${!wide && html`<${Tabs} names=${names} tab=${tab} setTab=${setTab}><${Panel} name=${tab} ...${shared} /></${Tabs}>`}
      </div>
      ${wide && html`<div class="side">
        <div class="card"><${Panel} name="charts" ...${shared} /></div>
        <${Tabs} names=${names} tab=${side} setTab=${setSide}><${Panel} name=${side} ...${shared} /></${Tabs}>
      </div>`}
    </main>
    <footer>
      <${Timeline} data=${data} moment=${moment} onSeek=${seek} lanes=${!phone} />
      <div class="bar"><${Controls} player=${player} />
        <span class="marks-nav">
          <${IconButton} icon="markBack" label="Marked moment before ([)" onClick=${() => player.mark(-1)} />
          <${IconButton} icon="markOn" label="Marked moment after (])" onClick=${() => player.mark(1)} />
        </span>
        <span class="where">${count(moment)} / ${count(data.last)}</span></div>
    </footer>
    <${Help} data=${data} open=${help} onClose=${() => setHelp(false)} />
  </div>`;
}

export async function start() {
  const app = document.getElementById("app");
  try {
    const data = await readData(document.getElementById("data"));
    app.textContent = "";
    render(html`<${Replay} data=${data} />`, app);
  } catch (problem) {
    app.innerHTML = "<p class='wait' role='alert'></p>";
    app.firstChild.textContent = problem.message;
    throw problem;
  }
}
