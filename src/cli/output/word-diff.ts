import type { ReplaceAnswer } from "../../service/prose/replace-text.ts";
import { type Change, diffWords } from "../../service/prose/word-diff.ts";
import { counted } from "../../text/columns.ts";
import { hasColour, styled, type Terminal } from "../io/terminal.ts";

/** A word diff in one text: coloured on a terminal, else `[-removed-]{+added+}` as git's word diff has it. */
export function showDiff(terminal: Terminal, changes: readonly Change[]): string {
  return changes.map((change) => showChange(terminal, change)).join("");
}

/** A word diff in one line, with what is far from any change left out. */
export function showDiffBriefly(terminal: Terminal, changes: readonly Change[]): string {
  const shown = changes.map((change, index) => {
    if (change.op !== "same") return showChange(terminal, change);
    if (change.text.length <= 2 * CONTEXT) return change.text;
    const head = index === 0 ? [] : [`${change.text.slice(0, CONTEXT).replace(/\s\S*$/u, "")}…`];
    const tail =
      index === changes.length - 1 ? [] : [`…${change.text.slice(-CONTEXT).replace(/^\S*\s/u, "")}`];
    return [...head, ...tail].join(" ");
  });
  return shown.join("").replace(/\s+/gu, " ").trim();
}

function showChange(terminal: Terminal, { op, text }: Change): string {
  if (op === "same") return text;
  if (hasColour(terminal)) return styled(terminal, op === "added" ? "green" : "red", text);
  return op === "added" ? `{+${text}+}` : `[-${text}-]`;
}

/** Characters shown of what stays, on either side of a change. */
const CONTEXT = 40;

/** Each paragraph in which words were replaced, in one line, under the titles of their chapters. */
export function showReplaced(terminal: Terminal, chapters: ReplaceAnswer["chapters"]): string {
  const lines = chapters.flatMap(({ id, title, titleChanged, paragraphs }) => [
    `${id}  ${styled(terminal, "bold", title)}  ${counted(paragraphs.length, "paragraph")}${titleChanged ? ", its title follows its heading" : ""}`,
    ...paragraphs.map(
      ({ blockId, before, after }) => `  ${blockId}  ${showDiffBriefly(terminal, diffWords(before, after))}`,
    ),
  ]);
  return lines.join("\n");
}
