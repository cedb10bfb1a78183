// Light and dark: what the system prefers, until the reader chooses.
import { useEffect, useState } from "preact/hooks";

const KEY = "monopoly-theme";
const preferred = () =>
  matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

// A page from disk may not be allowed to remember anything.
function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // then the choice holds until the page is closed
  }
}

/** The theme and what switches it; sets the colors of the board's file as CSS variables. */
export function useTheme(themes) {
  const [theme, setTheme] = useState(() => remembered() ?? preferred());
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const follow = () => remembered() ?? setTheme(preferred());
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  const root = document.documentElement;
  root.dataset.theme = theme;
  for (const [name, color] of Object.entries(themes[theme])) root.style.setProperty(`--${name}`, color);
  const toggle = () => {
    const other = theme === "dark" ? "light" : "dark";
    remember(other);
    setTheme(other);
  };
  return [theme, toggle];
}
