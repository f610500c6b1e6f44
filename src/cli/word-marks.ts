import type { Change } from "../service/word-diff.ts";
import { hasColour, styled, type Terminal } from "./terminal.ts";

/** A word diff in one text: coloured on a terminal, else `[-removed-]` and `{+added+}`. */
export function marked(terminal: Terminal, changes: readonly Change[]): string {
  return changes
    .map(({ op, text }) => {
      if (op === "same") return text;
      if (hasColour(terminal)) return styled(terminal, op === "added" ? "green" : "red", text);
      return op === "added" ? `{+${text}+}` : `[-${text}-]`;
    })
    .join("");
}
