import type { ChapterId } from "../../ids.ts";
import { applyEdits, type ProseEdit } from "../../prose/apply-edits.ts";
import { bareMarkdown } from "../../prose/join-chapter.ts";
import { assertSize } from "../../prose/parse.ts";
import { Conflict } from "../../refusals.ts";
import { assertUnchanged, bookOfChapter, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, write, writeOptimistically } from "../manuscript.ts";
import { describePlan, type ProseWrite, planProse, writePlanned } from "../prose/replace-prose.ts";
import { proseAtRevision } from "../prose/stored-prose.ts";
import { REASONS } from "./accept-proposal.ts";
import { type Ground, type Grounds, openGrounds, type PlacedEdit, textsOf } from "./edits/grounds.ts";
import { requestOf, type WeighedEdit, weighAll, withEdits } from "./edits/weigh-edits.ts";

/** Edits of a chapter's paragraphs as they were at one of its revisions. */
export interface ChapterEdits {
  revision: number;
  edits: readonly ProseEdit[];
}

/**
 * Changes, adds and deletes paragraphs of a chapter, all in one act and one plan, mentions kept where the text stays. Other
 * paragraphs may have changed since that revision. Throws `Conflict` if one of these has, and `BadRequest` where Markdown
 * cannot say what they come to.
 */
export function editParagraphs(
  manuscript: Manuscript,
  chapterId: ChapterId,
  wanted: ChapterEdits,
  caller: Caller,
): ProseWrite {
  const { store } = manuscript;
  const make = () => {
    const grounds = openGrounds(manuscript);
    const ground = grounds.now(chapterId);
    const prose =
      wanted.revision === ground.chapter.revision
        ? applyEdits(ground.prose, wanted.edits, ground.mint)
        : withEdits(ground, freshly(manuscript, grounds, ground, wanted));
    assertSize(bareMarkdown(prose));
    return planProse(store, ground.chapter, requestOf({ ground, weighed: [], prose }));
  };
  return writeOptimistically(store, bookOfChapter(manuscript, chapterId), make, (planned) =>
    write(manuscript, "editParagraphs", { ...caller, skipsEmpty: true }, (act) => {
      const chapter = theChapter(manuscript, chapterId);
      assertUnchanged(chapter, caller, { prose: true });
      const plan = writePlanned(store, act, chapter, planned());
      return () => describePlan(plan, theChapter(manuscript, chapterId));
    }),
  );
}

/** The edits as they stand now. Throws `Conflict` if a paragraph of theirs is not what it was at their revision. */
function freshly(
  { store }: Manuscript,
  grounds: Grounds,
  ground: Ground,
  { revision, edits }: ChapterEdits,
): WeighedEdit[] {
  const { id: chapterId, revision: now } = ground.chapter;
  const texts = textsOf(proseAtRevision(store, chapterId, revision));
  const placed = edits.map((edit, index): PlacedEdit => {
    const before = texts.get(String(edit.blockId))?.markdown ?? "";
    return { ...edit, index, before, status: "open" };
  });
  const asked = { id: "", chapterId, revision, createdAt: Infinity, edits: placed }; // after all that was ever proposed
  const weighed = weighAll(grounds, asked, ground, placed);
  const numbers = new Map([...texts.keys()].map((blockId, at) => [blockId, at + 1]));
  const stale = weighed.flatMap(({ edit, why, now: stands }) => {
    const isOther = edit.op !== "insert_after" && stands !== edit.before && stands !== edit.markdown;
    const reason = why ?? (isOther ? "changed" : undefined);
    const number = numbers.get(String(edit.blockId)) ?? 0;
    return reason === undefined ? [] : [`¶${number} (${REASONS[reason]})`];
  });
  if (stale.length === 0) return weighed;
  throw new Conflict(
    `Changed since revision ${revision}: ${stale.join(", ")}. Nothing was written. The chapter is at revision ${now}: read it again and redo these; edits of other paragraphs can be sent without them.`,
  );
}
