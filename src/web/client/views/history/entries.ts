import type { Answer } from "../../api/operations.ts";

/** One state of a chapter's prose. */
export type Revision = Answer<"listRevisions">["revisions"][number];

/** Revisions that one hand made in one go: the chapter was as `before` ahead of them, and is as `last` behind them. */
export interface Entry {
  before: number;
  first: Revision;
  last: Revision;
  added: number;
  removed: number;
  /** The acts that made them, oldest first. */
  acts: readonly string[];
}

/** A longer pause ends a sitting, as in the change feed. */
const PAUSE_MS = 10 * 60_000;

const TYPED = new Set(["replaceProse", "replaceParagraph", "insertParagraphs", "deleteParagraph"]);

/** Revisions as a writer remembers them, the newest first: what was typed in one sitting is one entry. */
export function entriesOf(revisions: readonly Revision[]): Entry[] {
  const entries: Entry[] = [];
  for (const revision of revisions) {
    const open = entries.at(-1);
    if (open !== undefined && goesOn(open.last, revision)) {
      entries[entries.length - 1] = {
        ...open,
        last: revision,
        added: open.added + revision.added,
        removed: open.removed + revision.removed,
        acts: [...open.acts, revision.act],
      };
    } else {
      const { added, removed, act } = revision;
      entries.push({
        before: open?.last.revision ?? revision.revision - 1,
        first: revision,
        last: revision,
        added,
        removed,
        acts: [act],
      });
    }
  }
  return entries.reverse();
}

function goesOn(last: Revision, next: Revision): boolean {
  return (
    last.source === next.source &&
    TYPED.has(last.kind) &&
    TYPED.has(next.kind) &&
    Date.parse(next.at) - Date.parse(last.at) <= PAUSE_MS
  );
}
