import { leafText } from "./text.ts";
import type { DocMark, DocNode } from "./types.ts";

/** True if the mark is a mention. */
export function isMention(mark: DocMark): boolean {
  return mark.type === "mention";
}

/** True if two marks have the same type and attributes. A missing attribute counts as null. */
export function sameMark(a: DocMark, b: DocMark): boolean {
  if (a === b) return true;
  if (a.type !== b.type) return false;
  const keys = new Set([...Object.keys(a.attrs ?? {}), ...Object.keys(b.attrs ?? {})]);
  for (const key of keys) if ((a.attrs?.[key] ?? null) !== (b.attrs?.[key] ?? null)) return false;
  return true;
}

/** Returns the fact and mention of a mark as one key. Keys sort by fact, then by mention. */
export function mentionKey(mark: DocMark): string {
  return `${String(mark.attrs?.factId)}\u0000${String(mark.attrs?.mentionId ?? "")}`;
}

/** Compares two strings by UTF-16 code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Joins neighbouring texts of equal marks, as ProseMirror does. O(nodes). */
export function joinTexts(content: readonly DocNode[]): DocNode[] {
  const joined: DocNode[] = [];
  for (const child of content) {
    const last = joined.at(-1);
    if (last?.text !== undefined && child.text !== undefined && sameMarks(last.marks, child.marks)) {
      joined[joined.length - 1] = { ...last, text: last.text + child.text };
    } else joined.push(child);
  }
  return joined;
}

/**
 * Returns the types of marks that words lost although they are still there: `["em"]` for "very *late*" that became
 * "very late indeed". Mentions do not count. O(text of the marked words).
 */
export function lostMarks(old: DocNode, next: DocNode): string[] {
  const text = leafText(next);
  const kept = markedRuns(next);
  const lost = markedRuns(old).filter(
    (run) =>
      standsIn(text, run.text) &&
      !kept.some(({ type, text: own }) => type === run.type && own.includes(run.text)),
  );
  return [...new Set(lost.map(({ type }) => type))];
}

/** Returns the trimmed texts under each type of mark. Other inline nodes end a text. */
function markedRuns({ content = [] }: DocNode): { type: string; text: string }[] {
  const types = new Set(content.flatMap(({ marks = [] }) => marks.map(({ type }) => type)));
  types.delete("mention");
  return [...types].flatMap((type) => {
    const runs = [""];
    for (const { text = "", marks = [] } of content) {
      if (marks.some((mark) => mark.type === type)) runs.push(`${runs.pop()}${text}`);
      else if (runs.at(-1) !== "") runs.push("");
    }
    return runs.map((run) => ({ type, text: run.trim() })).filter(({ text }) => text !== "");
  });
}

/** True if the text contains these as whole words: "late" is not in "related". */
function standsIn(text: string, words: string): boolean {
  const isLetter = (at: number) => /[\p{L}\p{N}]/u.test(text.charAt(at));
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (!isLetter(at - 1) && !isLetter(at + words.length)) return true;
  return false;
}

function sameMarks(a: readonly DocMark[] = [], b: readonly DocMark[] = []): boolean {
  return a.length === b.length && a.every((mark, at) => sameMark(mark, b[at] as DocMark));
}
