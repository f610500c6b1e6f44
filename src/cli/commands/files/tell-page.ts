import { type Terminal, talk } from "../../io/terminal.ts";
import type { ShownPage } from "./browser.ts";

/** Says where the page was opened, or what to do instead. */
export async function tellHow(
  terminal: Terminal,
  opened: ShownPage["opened"],
  { app }: { app: boolean },
): Promise<void> {
  if (opened === null)
    await talk(
      terminal,
      'No browser could be started from here. Open the link yourself, within two minutes; or open the page anywhere and run "manuscript open --code" with what it shows.',
    );
  else if (app && opened !== "app")
    await talk(terminal, "No Chromium was found for a window of its own; the page opens in the browser.");
  else
    await talk(
      terminal,
      "The page opens, signed in. If it does not, open the link: once, within two minutes.",
    );
}
