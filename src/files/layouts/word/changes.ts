import type { TrackedChange, WordParagraph, WordRun } from "./paragraph.ts";
import { hasChanges } from "./read-word.ts";

/** What tracked changes come to. */
export type View = "accept" | "reject";
/** A paragraph as it reads when every tracked change is accepted, or rejected. */
export interface ShownParagraph extends WordParagraph {
  /** Paragraphs of the file that it is made of. */
  sources: readonly WordParagraph[];
  /** Those of them of which nothing is left. */
  gone: ReadonlySet<WordParagraph>;
  /** The changes within it, in order. */
  changes: readonly TrackedChange[];
}

/** Returns the paragraphs in a view. A deleted end of a paragraph joins it with the next, so does a rejected one. */
export function showPlain(paragraphs: readonly WordParagraph[], view: View): ShownParagraph[] {
  const gone = view === "accept" ? "deleted" : "inserted";
  const shown: (ShownParagraph & { isEnded: boolean; isTouched: boolean })[] = [];
  for (const paragraph of paragraphs) {
    const runs = paragraph.runs.filter((run) => run[gone] === undefined);
    const isTouched = hasChanges(paragraph);
    const last = shown.at(-1);
    const isEnded = paragraph[gone] === undefined;
    const own = {
      ...{ sources: [paragraph], isEnded, isTouched, changes: changesOf(paragraph) },
      gone: new Set(isTouched && paragraph.runs.length > 0 && runs.length === 0 ? [paragraph] : []),
    };
    if (last === undefined || last.isEnded || last.cell !== paragraph.cell) {
      shown.push({ ...paragraph, ...own, runs });
      continue;
    }
    const form = last.runs.length === 0 ? paragraph : last;
    shown[shown.length - 1] = {
      ...form,
      cell: last.cell,
      startsPage: last.startsPage,
      runs: [...last.runs, ...runs],
      sources: [...last.sources, paragraph],
      gone: new Set([...last.gone, ...own.gone]),
      changes: [...last.changes, ...own.changes],
      isEnded,
      isTouched: true,
    };
  }
  // Of a paragraph that only the other view has, nothing is left but its end.
  const isLeft = ({ runs, sources, isTouched }: (typeof shown)[number]) =>
    !isTouched ||
    runs.length > 0 ||
    sources.every((source) => source.runs.length === 0 && source[gone] === undefined);
  return shown.filter(isLeft);
}

function changesOf({ runs, inserted, deleted }: WordParagraph): TrackedChange[] {
  const all = [...runs.flatMap((run: WordRun) => [run.inserted, run.deleted]), inserted, deleted];
  return all.filter((change) => change !== undefined);
}
