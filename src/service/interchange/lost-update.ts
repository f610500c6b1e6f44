import type { ProsePlan } from "../../prose/plan/plan.ts";
import { WouldLose } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { type FormerBlock, walkBack } from "../../store/journal/history.ts";
import type { ChapterRow } from "../../store/rows/chapters.ts";
import { counted } from "../../text/counted.ts";

/** An older revision that a text was made from, and the paragraphs that writing it would take back. */
interface Outdated {
  revision: number;
  takenBack: readonly string[];
}

/**
 * Throws `WouldLose` if a text that does not say what it was made from is of an older revision: it has again what was changed
 * since then, and keeps nothing of that. Source: docs/drafts.md, A chapter edited outside.
 */
export function assertUpToDate(store: Store, chapter: ChapterRow, plan: ProsePlan): void {
  const found = findOutdated(store, chapter, plan);
  if (found === undefined) return;
  const { revision, takenBack } = found;
  const [first = "", ...others] = takenBack;
  const more = others.length === 0 ? "" : ` and ${counted(others.length, "more paragraph")}`;
  throw new WouldLose(
    `The text is older than the chapter: it looks like revision ${revision} and would take back “${shorten(first)}”${more}, written since. Nothing was written; --base ${revision} keeps what was written since, --force writes the text as it is.`,
  );
}

/** The revision since which a text takes back most, and keeps nothing. */
function findOutdated(store: Store, { id }: ChapterRow, plan: ProsePlan): Outdated | undefined {
  const kept = new Map(plan.blocks.flatMap(({ row, source }) => (row === null ? [] : [[row, source]])));
  const added = new Set(plan.blocks.flatMap(({ row, source }) => (row === null ? [source] : [])));
  let found: Outdated | undefined;
  walkBack(store, id, (revision, changed) => {
    const takenBack: string[] = [];
    for (const [row, block] of changed) {
      const verdict = judgeBlock(block, kept.get(row), added);
      if (verdict === "keeps") return false;
      if (verdict === "takes back") takenBack.push(block.now ?? block.before ?? "");
    }
    if (takenBack.length > (found?.takenBack.length ?? 0)) found = { revision, takenBack };
    return true;
  });
  return found;
}

/**
 * Decides what a text does with a change of a block; undefined where it may be either.
 *
 * | since then the block | and the text | |
 * |---|---|---|
 * | came | has it | keeps |
 * | came | lacks it | takes back |
 * | went | has it again, word for word | takes back |
 * | went | lacks it | keeps |
 * | was edited | has it as it is, or a word that came | keeps |
 * | was edited | has it as it was, or every word that went | takes back |
 */
function judgeBlock(
  { before, now }: FormerBlock,
  text: string | undefined,
  added: ReadonlySet<string>,
): "keeps" | "takes back" | undefined {
  if (before === null) return text === undefined ? "takes back" : "keeps";
  if (now === null) return added.has(before) ? "takes back" : "keeps";
  if (text === undefined) return undefined;
  if (text === now) return "keeps";
  if (text === before) return "takes back";
  const [old, current, words] = [wordsOf(before), wordsOf(now), wordsOf(text)];
  const came = [...current].filter((word) => !old.has(word));
  const went = [...old].filter((word) => !current.has(word));
  if (came.some((word) => words.has(word))) return "keeps";
  return went.length > 0 && went.every((word) => words.has(word)) ? "takes back" : undefined;
}

const wordsOf = (markdown: string) => new Set(markdown.split(/\s+/));

function shorten(markdown: string): string {
  const line = markdown.replace(/\s+/gu, " ").trim();
  return line.length <= 60 ? line : `${line.slice(0, 60).replace(/\s\S*$/u, "")}…`;
}
