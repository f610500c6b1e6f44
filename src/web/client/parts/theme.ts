import { signal } from "@preact/signals";

const KEY = "manuscript.theme";

/** The themes with their names; "" is the system's own. */
export const THEMES: Readonly<Record<string, string>> = { "": "As the system", light: "Light", dark: "Dark" };

/** The chosen theme. */
export const theme = signal(localStorage.getItem(KEY) ?? "");

/** Chooses a theme, for good. */
export function setTheme(chosen: string): void {
  theme.value = chosen;
  if (chosen === "") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen);
}

theme.subscribe((chosen) => {
  if (chosen === "") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
});
