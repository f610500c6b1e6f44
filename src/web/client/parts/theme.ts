import { signal } from "@preact/signals";

const KEY = "manuscript.theme";

/** The chosen theme: light or dark; "" is the system's own. */
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
