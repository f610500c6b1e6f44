import type { ProsePlan } from "../../../prose/plan.ts";
import { WouldLose } from "../../../refusals.ts";
import type { Store } from "../../../store/file/store.ts";
import { type FormerBlock, walkBack } from "../../../store/journal/history.ts";
import type { ChapterRow } from "../../../store/rows/chapters.ts";
import { counted } from "../../../text/columns.ts";

/** An older revision on which a text is based, and the loss that writing it would cause. */
interface Outdated {
  revision: number;
  takenBack: readonly string[];
  /** Words that the text would undo. */
  words: number;
}

/**
 * Throws `WouldLose` if a text without a stated base comes from an older revision: it undoes later changes and keeps
 * none of them. Source: docs/drafts.md, A chapter edited outside.
 */
export function assertUpToDate(store: Store, chapter: ChapterRow, plan: ProsePlan): void {
  const found = findOutdated(store, chapter, plan);
  if (found === undefined) return;
  const { revision, takenBack } = found;
  const [first = "", ...others] = takenBack;
  const more = others.length === 0 ? "" : ` and ${counted(others.length, "more paragraph")}`;
  throw new WouldLose(
    `The text is older than the chapter: it looks like revision ${revision} and would take back “${shorten(first)}”${more}, written since.`,
    `Nothing was written; --base ${revision} keeps what was written since, --force writes the text as it is.`,
  );
}

/**
 * Finds the revision since which a text undoes most words; the newest of equals. A text that keeps a change knows of
 * everything before it, unless it has a paragraph again word for word: such a text was merged once and saved again.
 */
function findOutdated(store: Store, { id }: ChapterRow, plan: ProsePlan): Outdated | undefined {
  const kept = new Map(plan.blocks.flatMap(({ row, source }) => (row === null ? [] : [[row, source]])));
  const added = new Set(plan.blocks.flatMap(({ row, source }) => (row === null ? [source] : [])));
  let found: Outdated | undefined;
  let isKnown = false;
  walkBack(store, id, (revision, changed) => {
    const judged = [...changed].map(([row, block]) => {
      const text = kept.get(row);
      const isAsBefore = block.before !== null && text === block.before;
      return { block, isAsBefore, verdict: isKnown ? undefined : judgeBlock(block, text, added) };
    });
    isKnown ||= judged.some(({ verdict }) => verdict === "keeps");
    const undone = judged
      .filter(({ isAsBefore, verdict }) => (isKnown ? isAsBefore : verdict === "takes back"))
      .map(({ block }) => block);
    const words = undone.reduce((sum, block) => {
      const { came, went } = wordsChanged(block);
      return sum + 1 + came.length + went.length;
    }, 0);
    if (words > (found?.words ?? 0))
      found = { revision, takenBack: undone.map(({ now, before }) => now ?? before ?? ""), words };
    return true;
  });
  return found;
}

/**
 * Judges how a text treats a change of a block; undefined if it may be either.
 *
 * | since then the block | and the text | |
 * |---|---|---|
 * | came | has it, or most of its words | keeps |
 * | came | lacks it | takes back |
 * | went | has it again, word for word | takes back |
 * | went | lacks it | keeps |
 * | was edited | has it as it is, or most words that came | keeps |
 * | was edited | has it as it was, or every word that went | takes back |
 */
function judgeBlock(
  { before, now }: FormerBlock,
  text: string | undefined,
  added: ReadonlySet<string>,
): "keeps" | "takes back" | undefined {
  if (now === null) return before !== null && added.has(before) ? "takes back" : "keeps";
  if (text === undefined) return before === null ? "takes back" : undefined;
  if (text === now) return "keeps";
  if (text === before) return "takes back";
  const words = wordsOf(text);
  const { came, went } = wordsChanged({ before, now });
  // A single word may occur by chance.
  if (came.filter((word) => words.has(word)).length > came.length / 2) return "keeps";
  return went.length > 0 && went.every((word) => words.has(word)) ? "takes back" : undefined;
}

/** Returns the words that a change of a block added and removed. */
function wordsChanged({ before, now }: FormerBlock): { came: string[]; went: string[] } {
  const [old, current] = [wordsOf(before ?? ""), wordsOf(now ?? "")];
  return {
    came: [...current].filter((word) => !old.has(word)),
    went: [...old].filter((word) => !current.has(word)),
  };
}

const wordsOf = (markdown: string) => new Set(markdown.split(/\s+/));

function shorten(markdown: string): string {
  const line = markdown.replace(/\s+/gu, " ").trim();
  return line.length <= 60 ? line : `${line.slice(0, 60).replace(/\s\S*$/u, "")}…`;
}
