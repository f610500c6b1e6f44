import { applyTextEdits, type TextEdit } from "../../prose/document/text-edit.ts";
import type { Change, DiffWords } from "../prose/word-diff.ts";

/**
 * A text that two sides have each changed since `base`, word by word; undefined where their changes meet: between any two of
 * them a word must have stayed that both have. What both changed alike counts once.
 */
export function mergeWords(
  { base, mine, theirs }: { base: string; mine: string; theirs: string },
  diff: DiffWords,
): string | undefined {
  if (mine === theirs || theirs === base) return mine;
  if (mine === base) return theirs;
  const [own, other] = [editsOf(diff(base, mine)), editsOf(diff(base, theirs))];
  if (own.some(isMarkup) && other.some(isMarkup)) return undefined;
  const edits = [
    ...own.map((edit) => ({ ...edit, isOwn: true })),
    ...other
      .filter((edit) => !own.some((one) => isSame(one, edit)))
      .map((edit) => ({ ...edit, isOwn: false })),
  ].sort((a, b) => a.from - b.from || a.to - b.to);
  for (const [index, edit] of edits.entries()) {
    const next = edits[index + 1];
    if (next === undefined || next.isOwn === edit.isOwn) continue;
    if (!/[\p{L}\p{N}]/u.test(base.slice(edit.to, Math.max(next.from, edit.to)))) return undefined;
  }
  return applyTextEdits(base, edits);
}

/** An edit with what it takes out. */
interface Taken extends TextEdit {
  taken: string;
}

function editsOf(changes: readonly Change[]): Taken[] {
  const edits: Taken[] = [];
  let at = 0;
  for (const { op, text } of changes) {
    const last = edits.at(-1);
    const open = last?.to === at ? last : { from: at, to: at, insert: "", taken: "" };
    if (op === "same") {
      at += text.length;
      continue;
    }
    if (open !== last) edits.push(open);
    if (op === "added") open.insert += text;
    else {
      open.taken += text;
      at += text.length;
      open.to = at;
    }
  }
  return edits;
}

function isSame(one: TextEdit, other: TextEdit): boolean {
  return one.from === other.from && one.to === other.to && one.insert === other.insert;
}

// Two sides that both move delimiters may close what the other opens.
function isMarkup({ insert, taken }: Taken): boolean {
  return /[*_`~[\]<>\\!]/.test(insert + taken);
}
