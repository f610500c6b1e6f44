import { oneLine } from "../../cli/output/columns.ts";
import type { AnswerOf } from "../../contract/index.ts";

const NOTE_CHARACTERS = 600;
const QUOTE_CHARACTERS = 80;

/** A note in one line: "note sn_…: Too dark?"; a long one is told of by its beginning, unless all of it is asked for. */
export function noteLine(note: AnswerOf<"createSnippet">["snippet"], isWhole = false): string {
  const { id, kind, text, url, items, detached } = note;
  const entries = items?.map((item) => `${item.done ? "[x]" : "[ ]"} ${item.text}`).join("; ") ?? "";
  const content = [text ?? "", entries, url ?? ""].filter(Boolean).join(" ");
  const lost =
    detached === null ? "" : ` (its paragraph is gone: “${oneLine(detached.quote, QUOTE_CHARACTERS)}”)`;
  return `${kind} ${id}: ${oneLine(content, isWhole ? Infinity : NOTE_CHARACTERS)}${lost}`;
}
