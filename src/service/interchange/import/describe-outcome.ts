import type { BookPlan, ChapterPlan } from "../../../book/plan.ts";
import type { LocalAnswer } from "../../../contract/local-answers.ts";
import type { ChapterId } from "../../../ids.ts";
import { nodeOf, readLeaves } from "../../../prose/document/leaves.ts";
import type { DocNode } from "../../../prose/document/types.ts";
import type { ProsePlan } from "../../../prose/plan.ts";
import { WouldLose } from "../../../refusals.ts";
import { listNodes } from "../../../store/rows/blocks.ts";
import { theChapter } from "../../guards.ts";
import type { Manuscript } from "../../manuscript.ts";
import { compareNodes } from "../../prose/compare-revisions.ts";
import { describePlan } from "../../prose/replace-prose.ts";
import type { Outcome } from "../apply-book-plan.ts";

type ImportedChapter = LocalAnswer<"imported">["chapters"][number];

/** Describes the outcome for one file's chapter; `withChanges` adds its changes word by word. */
export function describeOutcome(
  manuscript: Manuscript,
  { id, file, status, from, plan, before, headingChanged = false, ...known }: Outcome,
  withChanges: boolean,
): ImportedChapter {
  const chapter = "stored" in from && plan === undefined ? from.stored : theChapter(manuscript, id);
  const isCompared = before !== undefined && (withChanges || status === "updated");
  const after = () => plan?.blocks.map(({ node }) => node) ?? newNodes(manuscript, id);
  const compared = isCompared ? (known.compared ?? compareNodes(before, after())) : undefined;
  const dropped = plan === undefined ? NOTHING : describePlan(plan, theChapter(manuscript, id));
  return {
    id,
    title: chapter.title,
    file,
    status,
    wordCount: chapter.wordCount,
    titleChanged: plan?.titleChanged ?? false,
    headingChanged,
    words: wordsOf(from, plan, compared) ?? untouched(status, chapter).words,
    paragraphs: plan === undefined ? untouched(status, chapter).paragraphs : countLeaves(plan),
    ...(from.kind === "conflict" ? { conflict: describeConflict(from) } : {}),
    ...(withChanges && compared !== undefined ? { changes: compared.paragraphs } : {}),
    ...warningsOf(from, known.warnings),
    mentionsDropped: dropped.mentionsDropped,
    snippetsDetached: dropped.snippetsDetached,
    snippetsMoved: dropped.snippetsMoved,
  };
}

/** Describes a chapter without a plan: all of it is new, or unchanged. */
function untouched(
  status: Outcome["status"],
  { wordCount, blockCount }: { wordCount: number; blockCount: number },
): Pick<ImportedChapter, "words" | "paragraphs"> {
  const isNew = status === "created";
  return {
    words: { added: isNew ? wordCount : 0, removed: 0 },
    paragraphs: { ...NONE, [isNew ? "new" : "kept"]: blockCount },
  };
}

function newNodes({ store }: Manuscript, id: ChapterId): DocNode[] {
  return listNodes(store, id).map((node) => nodeOf({ node }));
}

/** Counts the words that a write adds and removes. Paragraphs that moved to or from another chapter do not count. */
function wordsOf(
  from: ChapterPlan,
  plan: ProsePlan | undefined,
  compared: ReturnType<typeof compareNodes> | undefined,
): ProsePlan["words"] | undefined {
  const isTravelling = from.kind === "write" && from.arrived.size + from.left.size > 0;
  return (isTravelling ? undefined : compared?.words) ?? plan?.words;
}

/** Returns warnings about parts of a file that were not imported. An unchanged file is not read. */
function warningsOf(
  { incoming }: ChapterPlan,
  known: Outcome["warnings"],
): Pick<ImportedChapter, "warnings"> {
  const warnings = known ?? ("warnings" in incoming ? (incoming.warnings ?? []) : []);
  return warnings.length === 0 ? {} : { warnings: [...warnings] };
}

const NOTHING = { mentionsDropped: [], snippetsDetached: [], snippetsMoved: [] };
const NONE = { kept: 0, moved: 0, edited: 0, new: 0, removed: 0 };

function countLeaves({ leaves, removed }: ProsePlan): ImportedChapter["paragraphs"] {
  const counts = { ...NONE, removed: removed.length };
  for (const { status } of leaves) counts[status]++;
  return counts;
}

function describeConflict({
  stored,
  fields,
  paragraphs,
}: ChapterPlan & { kind: "conflict" }): NonNullable<ImportedChapter["conflict"]> {
  return {
    revision: stored.revision,
    fields,
    paragraphs: paragraphs.map(({ incoming, stored: theirs }) => ({
      mine: incoming ?? null,
      theirs: theirs ?? null,
    })),
    markdown: stored.markdown().toString(),
  };
}

/** Lists the texts of paragraphs that a plan leaves in no chapter. */
export function listGoing(
  { emptied }: BookPlan,
  outcomes: readonly Outcome[],
  dropped: BookPlan["gone"],
): string[] {
  const removed = outcomes.flatMap(({ plan }) => plan?.removed ?? []);
  const rests = dropped.flatMap(({ stored }) => {
    const { blocks } = emptied.find((other) => other.stored === stored)?.prose ?? stored.prose();
    return blocks.flatMap(({ node }) => readLeaves(node));
  });
  return [...removed, ...rests].map(({ text }) => text);
}

/** Throws `WouldLose`, naming each chapter that would lose more than half. Its file may have been cut off. */
export function assertNotShrunk(
  manuscript: Manuscript,
  outcomes: readonly Outcome[],
  moves: BookPlan["moves"],
): void {
  const grouped = (count: number) => count.toLocaleString("en-GB");
  const shrunk = outcomes.flatMap(({ id, from }) => {
    if (from.kind !== "write") return [];
    // Paragraphs that moved to another chapter are not lost.
    const away = moves.filter((move) => move.from.id === id).reduce((sum, move) => sum + move.wordCount, 0);
    const before = from.stored.wordCount - away;
    const { title, wordCount } = theChapter(manuscript, id);
    return wordCount * 2 < before ? [`${title} (${grouped(before)} words to ${grouped(wordCount)})`] : [];
  });
  if (shrunk.length === 0) return;
  const named = shrunk.slice(0, 3).join(", ") + (shrunk.length > 3 ? ` and ${shrunk.length - 3} more` : "");
  throw new WouldLose(
    `More than half would go of ${named}. Nothing was written; look at the files, and add --yes if that is what you want.`,
  );
}
