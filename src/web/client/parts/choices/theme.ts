import { kept } from "./kept.ts";

/** The chosen theme: light or dark; "" is the system's own. */
export const theme = kept<"" | "light" | "dark">("manuscript.theme", "");

theme.subscribe((chosen) => {
  if (chosen === "") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
});
