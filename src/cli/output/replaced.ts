import type { ReplaceAnswer } from "../../service/prose/replace-text.ts";
import { diffWords } from "../../service/prose/word-diff.ts";
import { styled, type Terminal } from "../io/terminal.ts";
import { counted } from "./columns.ts";
import { showDiffBriefly } from "./word-diff.ts";

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
