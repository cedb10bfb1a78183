// What a page of a game hears from the server, and sends to it.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

const AGAIN = 1000; // milliseconds until a server that does not answer is asked again

/** The address of a part of this game: the link's own key goes with it. */
export function address(what, more = "") {
  return `${location.pathname}/${what}${location.search || "?"}${more}`;
}

/** Sends a message; the answer, or an Error with the server's line. */
export async function send(what, body) {
  let answer;
  try {
    answer = await fetch(address(what), { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body) });
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  const told = await answer.json().catch(() => ({ error: "Cannot read the server's answer." }));
  if (!answer.ok) throw new Error(told.error);
  return told;
}

/** The data of a page with nothing heard yet. */
function empty(head) {
  return { ...head, odds_at: address("odds"), rows: [], decisions: [], events: [], chosen: [], legal: [], marks: [], turnStarts: [], last: -1,
    judged: new Map(), lucky: new Map(), losses: new Map(), review: null, thoughts: {}, epoch: 0, version: "", asked: null,
    result: { over: false, truncated: false, winners: [], ranks: [] } };
}

/** The data of a page with some news added. */
export function withNews(data, told) {
  const next = told.from === 0 ? empty(data) : { ...data };
  for (const { row, decision, events, action } of told.moments) {
    const before = next.rows[next.rows.length - 1];
    const now = before ? before.slice() : Int32Array.from(row);
    if (before) for (let k = 0; k < row.length; k += 2) now[row[k]] = row[k + 1];
    if (before) next.chosen.push(action);
    next.rows.push(now);
    next.decisions.push(decision);
    next.events.push(events);
  }
  next.last = next.rows.length - 1;
  for (const key of ["epoch", "version", "stamp", "asked", "asks", "undo", "trouble", "cards"]) next[key] = told[key];
  if (told.result) next.result = told.result;
  else next.result = { ...next.result, over: false };
  return next;
}

/** The game as it stands, kept up to date: [data, whether the server answers]. */
export function useGame(head) {
  const [data, setData] = useState(() => empty({ ...head, kinds: head.kinds.map((text) => text.replace(" (more)", "")) }));
  const [lost, setLost] = useState("");
  const newest = useRef(data);
  const hear = useCallback((told) => {
    newest.current = withNews(newest.current, told);
    setData(newest.current);
  }, []);
  useEffect(() => {
    const stop = new AbortController();
    const listen = async () => {
      while (!stop.signal.aborted) {
        const { version, epoch, rows } = newest.current;
        try {
          const more = `&version=${version}&epoch=${epoch}&have=${rows.length}`;
          const answer = await fetch(address("moves", more), { signal: stop.signal });
          if (!answer.ok) throw new Error((await answer.json()).error);
          hear(await answer.json());
          setLost("");
        } catch (problem) {
          if (stop.signal.aborted) return;
          setLost(problem instanceof TypeError ? "The server does not answer. Reconnecting …" : problem.message);
          await new Promise((resume) => { setTimeout(resume, AGAIN); });
        }
      }
    };
    listen();
    return () => stop.abort();
  }, []);
  return [data, lost];
}
