import { groupBy } from "../../text/group-by.ts";
import type { Leaf } from "../document/leaf.ts";
import { movedBy, stretchedBy, type TextEdit } from "../document/text-edit.ts";
import type { MentionSpan } from "../document/types.ts";
import type { Identity } from "./assign-ids.ts";
import type {
  DroppedMention,
  DropReason,
  PlannedMention,
  ProsePlan,
  StoredAnnotations,
  StoredMention,
} from "./plan.ts";

/** What becomes of mention marks. `markdown` drops all, `keep` those on changed text, `document` reads the new marks. */
export type MentionPolicy = "markdown" | "keep" | "document";

/** The leaves before and after a write, and which continues which. */
export interface LeafChanges extends Omit<Identity, "warnings"> {
  old: readonly Leaf[];
  next: readonly Leaf[];
  /** What exactly was edited in a leaf, by its `blockId`, if that is known: its other mentions stay. */
  edits?: ReadonlyMap<string, readonly TextEdit[]> | undefined;
  /** The fact whose name the edits change: its mentions change with it. */
  renamed?: string | undefined;
}

/** Marks that a document brings, by index of the new leaf, and the facts that they may name. */
export interface NewMarks {
  spans: readonly (readonly MentionSpan[])[];
  /** The book's fact for every id that is one or was merged into one. */
  facts: ReadonlyMap<string, string>;
  mint: () => string;
}

type MentionChanges = Pick<ProsePlan, "mentionsDropped" | "mentionsWritten" | "warnings">;
type SnippetChanges = Pick<ProsePlan, "snippetsDetached" | "snippetsMoved" | "snippetsAttached">;

/**
 * Which mentions stay, move, are new or are dropped and why. Every stored mention ends as kept or in `mentionsDropped`.
 * Source: llms.txt, Prose writes and what they cost.
 */
export function planMentions(
  { mentions }: Pick<StoredAnnotations, "mentions">,
  changes: LeafChanges,
  policy: MentionPolicy,
  marks?: NewMarks,
): MentionChanges {
  const dropped: DroppedMention[] = [];
  const fates = fateByBlock(changes);
  const open: StoredMention[] = [];
  const moved: PlannedMention[] = [];
  for (const mention of mentions) {
    const reason = dropReason(fates.get(mention.blockId), policy);
    const edits = reason === "edited" ? changes.edits?.get(mention.blockId) : undefined;
    const follow = mention.factId === changes.renamed ? stretchedBy : movedBy;
    const kept = edits === undefined ? undefined : follow(mention, edits);
    if (kept !== undefined) {
      if (kept.from !== mention.from || kept.text !== mention.text) moved.push({ ...kept, isNew: false });
    } else if (reason !== undefined) dropped.push({ ...mention, reason });
    else open.push(mention);
  }
  if (policy !== "document" || marks === undefined) {
    return { mentionsDropped: dropped, mentionsWritten: moved, warnings: [] };
  }
  const read = readMarks(open, changes, marks);
  return { ...read, mentionsDropped: [...dropped, ...read.mentionsDropped] };
}

type Fate = "same" | "edited" | undefined;

/** What became of each old leaf's text, by its `blockId`; undefined if the leaf is removed. */
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

function spanOf({ from, to, text }: MentionSpan): Pick<MentionSpan, "from" | "to" | "text"> {
  return { from, to, text };
}

/** The marks of a document: known ones stay, others are new, what it no longer has is dropped. */
function readMarks(
  open: readonly StoredMention[],
  { old, next, ids, from }: LeafChanges,
  { spans, facts, mint }: NewMarks,
): MentionChanges {
  const left = leftOf(open);
  const written: PlannedMention[] = [];
  const dropped: DroppedMention[] = [];
  const warnings: string[] = [];
  spans.forEach((marks, place) => {
    const blockId = ids[place]!; // one id a new leaf
    const before = old[from[place] ?? -1];
    if (before !== undefined && before.text !== next[place]?.text) {
      // Offsets of an edited text mean nothing any more; its stored mentions are dropped as edited already.
      if (marks.length > 0) warnings.push(`marks_on_edited_text: ${blockId}`);
      return;
    }
    const found = marks.map((mark) => ({
      mark,
      factId: facts.get(mark.factId),
      stored: takeStored(left, mark, blockId),
    }));
    // Marks of two facts that were merged since are one.
    const held = new Set(found.filter(({ stored }) => stored !== undefined).map(spotOf));
    for (const { mark, factId, stored } of found) {
      const spot = spotOf({ mark, factId });
      if (factId !== undefined && stored === undefined && held.has(spot)) continue;
      held.add(spot);
      if (factId === undefined) {
        warnings.push(`unknown_fact: ${mark.factId} in ${blockId}`);
        if (stored !== undefined) dropped.push({ ...stored, reason: "unknown_fact" });
      } else if (stored === undefined) {
        written.push({ id: mint(), factId, blockId, ...spanOf(mark), isNew: true });
      } else if (!isSame(stored, mark, { factId, blockId })) {
        written.push({ id: stored.id, factId, blockId, ...spanOf(mark), isNew: false });
      }
    }
  });
  for (const mention of left.byId.values()) dropped.push({ ...mention, reason: "unmarked" });
  return { mentionsDropped: dropped, mentionsWritten: written, warnings };
}

function spotOf({
  mark,
  factId,
}: {
  mark: Pick<MentionSpan, "from" | "to">;
  factId: string | undefined;
}): string {
  return `${factId} ${mark.from} ${mark.to}`;
}

/** Stored mentions that no mark has been found for yet. */
interface LeftMentions {
  byId: Map<string, StoredMention>;
  bySpot: ReadonlyMap<string, readonly StoredMention[]>;
}

function leftOf(open: readonly StoredMention[]): LeftMentions {
  const spot = ({ blockId, ...mention }: StoredMention) =>
    `${blockId} ${spotOf({ mark: mention, ...mention })}`;
  return { byId: new Map(open.map((mention) => [mention.id, mention])), bySpot: groupBy(open, spot) };
}

function takeStored(left: LeftMentions, mark: MentionSpan, blockId: string): StoredMention | undefined {
  const byId = mark.mentionId === null ? undefined : left.byId.get(mark.mentionId);
  const here = left.bySpot.get(`${blockId} ${spotOf({ mark, factId: mark.factId })}`) ?? [];
  const found = byId ?? here.find(({ id }) => left.byId.has(id));
  if (found !== undefined) left.byId.delete(found.id);
  return found;
}

function isSame(stored: StoredMention, mark: MentionSpan, now: { factId: string; blockId: string }): boolean {
  return (
    stored.factId === now.factId &&
    stored.blockId === now.blockId &&
    stored.from === mark.from &&
    stored.to === mark.to
  );
}

const QUOTE_CHARACTERS = 200;

/**
 * Where the marginalia goes: it stays with its paragraph, moves with one that another absorbed, or is detached with a
 * quote of what it was next to. A detached note whose paragraph comes back is attached again. Source: llms.txt, Prose
 * writes and what they cost.
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

/** The beginning of a paragraph, to know it by: at most 200 UTF-16 units, never half a character. */
export function quoteParagraph(text: string): string {
  if (text.length <= QUOTE_CHARACTERS) return text;
  return `${text
    .slice(0, QUOTE_CHARACTERS - 1)
    .toWellFormed()
    .replace(/\ufffd$/, "")}…`;
}
