import type { Leaf } from "../document/leaves.ts";
import { movedBy, stretchedBy, type TextEdit } from "../document/text-edit.ts";
import type { Identity } from "./assign-ids.ts";
import { type NewMarks, type OpenMention, readMarks } from "./new-marks.ts";
import type { DroppedMention, DropReason, PlannedMention, ProsePlan, StoredAnnotations } from "./plan.ts";

/** Treatment of mention marks. `markdown` drops all, `keep` those on changed text, `document` reads the new marks. */
export type MentionPolicy = "markdown" | "keep" | "document";

/** Leaves before and after a write, and their correspondence. */
export interface LeafChanges extends Omit<Identity, "warnings"> {
  old: readonly Leaf[];
  next: readonly Leaf[];
  /** Edits in a leaf by `blockId`, if they are known exactly: its other mentions stay. */
  edits?: ReadonlyMap<string, readonly TextEdit[]> | undefined;
  /** Fact whose name the edits change. Its mentions change with it. */
  renamed?: string | undefined;
}

type MentionChanges = Pick<ProsePlan, "mentionsDropped" | "mentionsWritten" | "warnings">;
type SnippetChanges = Pick<ProsePlan, "snippetsDetached" | "snippetsMoved" | "snippetsAttached">;

/**
 * Plans which mentions stay, move, are new or are dropped, with reasons. Every stored mention ends as kept or in
 * `mentionsDropped`. Source: llms.txt, Prose writes and what they cost.
 */
export function planMentions(
  { mentions }: Pick<StoredAnnotations, "mentions">,
  changes: LeafChanges,
  policy: MentionPolicy,
  marks?: NewMarks,
): MentionChanges {
  const dropped: DroppedMention[] = [];
  const fates = fateByBlock(changes);
  const open: OpenMention[] = [];
  const moved: PlannedMention[] = [];
  for (const mention of mentions) {
    const reason = dropReason(fates.get(mention.blockId), policy);
    const edits = reason === "edited" ? changes.edits?.get(mention.blockId) : undefined;
    const follow = mention.factId === changes.renamed ? stretchedBy : movedBy;
    const kept = edits === undefined ? undefined : follow(mention, edits);
    if (kept !== undefined) {
      if (kept.from !== mention.from || kept.text !== mention.text) moved.push({ ...kept, isNew: false });
    } else if (reason === undefined || marks?.isKeeping) open.push({ ...mention, reason });
    else dropped.push({ ...mention, reason });
  }
  if (policy !== "document" || marks === undefined) {
    return { mentionsDropped: dropped, mentionsWritten: moved, warnings: [] };
  }
  const { old, next, ids, from } = changes;
  const leaves = ids.map((blockId, place) => {
    const before = old[from[place] ?? -1];
    return { blockId, isEdited: before !== undefined && before.text !== next[place]?.text };
  });
  const read = readMarks(open, leaves, marks);
  return { ...read, mentionsDropped: [...dropped, ...read.mentionsDropped] };
}

type Fate = "same" | "edited" | undefined;

/** Returns the fate of each old leaf's text by `blockId`; undefined if the leaf is removed. */
function fateByBlock({ old, next, from }: LeafChanges): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  from.forEach((index, place) => {
    const before = old[index];
    if (before === undefined || before.blockId === null) return;
    fates.set(before.blockId, before.text === next[place]!.text ? "same" : "edited"); // one `from` a new leaf
  });
  return fates;
}

function dropReason(fate: Fate, policy: MentionPolicy): DropReason | undefined {
  if (fate === undefined) return "removed";
  if (fate === "edited") return "edited";
  return policy === "markdown" ? "markdown" : undefined;
}

const QUOTE_CHARACTERS = 200;

/**
 * Plans the notes. A note stays with its paragraph, moves to the one that absorbed it, or is detached with a quote of
 * its paragraph. A detached note whose paragraph comes back is attached again. Source: llms.txt, Prose writes and
 * what they cost.
 */
export function planSnippets(
  { snippets }: Pick<StoredAnnotations, "snippets">,
  changes: LeafChanges,
): SnippetChanges {
  const { old, ids, into } = changes;
  const present = new Set(ids);
  const oldIndex = new Map(old.map(({ blockId }, index) => [blockId, index]));
  const result = { snippetsDetached: [], snippetsMoved: [], snippetsAttached: [] } as {
    -readonly [Key in keyof SnippetChanges]: SnippetChanges[Key][number][];
  };
  for (const snippet of snippets) {
    if (snippet.blockId === null) {
      if (snippet.lost !== null && present.has(snippet.lost)) {
        result.snippetsAttached.push({ id: snippet.id, blockId: snippet.lost });
      }
    } else if (!present.has(snippet.blockId)) {
      const index = oldIndex.get(snippet.blockId) ?? -1;
      const survivor = ids[into[index] ?? -1];
      if (survivor !== undefined)
        result.snippetsMoved.push({ id: snippet.id, from: snippet.blockId, to: survivor });
      else {
        const { id, kind, blockId } = snippet;
        result.snippetsDetached.push({ id, kind, blockId, quote: quoteParagraph(old[index]?.text ?? "") });
      }
    }
  }
  return result;
}

/** Returns the beginning of a paragraph as a quote: at most 200 UTF-16 units, never half a character. */
export function quoteParagraph(text: string): string {
  if (text.length <= QUOTE_CHARACTERS) return text;
  return `${text
    .slice(0, QUOTE_CHARACTERS - 1)
    .toWellFormed()
    .replace(/\ufffd$/, "")}…`;
}
