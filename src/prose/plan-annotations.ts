import { groupBy } from "../text/group-by.ts";
import type { Identity } from "./assign-ids.ts";
import type { Leaf } from "./document/leaves.ts";
import { movedBy, stretchedBy, type TextEdit } from "./document/text-edit.ts";
import type { MentionSpan } from "./document/types.ts";
import type {
  DroppedMention,
  DropReason,
  PlannedMention,
  ProsePlan,
  StoredAnnotations,
  StoredMention,
} from "./plan.ts";

/** Marks of a document by index of the new leaf, and the facts that they may name. */
export interface NewMarks {
  spans: readonly (readonly MentionSpan[])[];
  /** The book's fact for each id of a fact, or of one that was merged into it. */
  facts: ReadonlyMap<string, string>;
  mint: () => string;
  /** True if marks are read on edited text, too: one whose own words are unchanged stays. */
  isKeeping: boolean;
}

/**
 * A stored mention whose mark is still to be found; `reason` is why it goes otherwise, if its paragraph has changed.
 */
export interface OpenMention extends StoredMention {
  reason: DropReason | undefined;
}

/** A leaf of the document; `isEdited` if its stored text was different. */
export interface MarkedLeaf {
  blockId: string;
  isEdited: boolean;
}

/** Results for the marks read so far. */
interface Read {
  left: LeftMentions;
  written: PlannedMention[];
  dropped: DroppedMention[];
  warnings: string[];
}

/** Reads the marks of a document: known ones stay, others are new, missing ones are dropped. */
function readMarks(
  open: readonly OpenMention[],
  leaves: readonly MarkedLeaf[],
  marks: NewMarks,
): Pick<ProsePlan, "mentionsDropped" | "mentionsWritten" | "warnings"> {
  const read: Read = { left: leftOf(open), written: [], dropped: [], warnings: [] };
  marks.spans.forEach((spans, place) => {
    const { blockId, isEdited } = leaves[place]!; // one each
    if (!isEdited || marks.isKeeping) readLeafMarks(read, spans, { ...marks, blockId });
    // Offsets of an edited text mean nothing any more; its stored mentions are dropped as edited already.
    else if (spans.length > 0) read.warnings.push(`marks_on_edited_text: ${blockId}`);
  });
  const { left, written, dropped, warnings } = read;
  const unmarked = Array.from(left.byId.values(), (mention) => dropOf(mention, mention.reason ?? "unmarked"));
  return { mentionsDropped: [...dropped, ...unmarked], mentionsWritten: written, warnings };
}

function readLeafMarks(
  { left, written, dropped, warnings }: Read,
  spans: readonly MentionSpan[],
  { facts, mint, blockId }: NewMarks & { blockId: string },
): void {
  const found = spans
    .map((mark) => ({ mark, factId: facts.get(mark.factId) }))
    .filter((known) => !isReworded(left, known))
    .map((known) => ({ ...known, stored: takeStored(left, known.mark, blockId) }));
  // Marks of two facts that were merged since count as one.
  const held = new Set(found.filter(({ stored }) => stored !== undefined).map(spotOf));
  for (const { mark, factId, stored } of found) {
    const spot = spotOf({ mark, factId });
    if (factId !== undefined && stored === undefined && held.has(spot)) continue;
    held.add(spot);
    if (factId === undefined) {
      warnings.push(`unknown_fact: ${mark.factId} in ${blockId}`);
      if (stored !== undefined) dropped.push(dropOf(stored, "unknown_fact"));
    } else if (stored === undefined) {
      written.push({ id: mint(), factId, blockId, ...spanOf(mark), isNew: true });
    } else if (!isSame(stored, mark, { factId, blockId })) {
      written.push({ id: stored.id, factId, blockId, ...spanOf(mark), isNew: false });
    }
  }
}

function dropOf({ reason: _, ...mention }: OpenMention, reason: DropReason): DroppedMention {
  return { ...mention, reason };
}

function spanOf({ from, to, text }: MentionSpan): Pick<MentionSpan, "from" | "to" | "text"> {
  return { from, to, text };
}

/** A mark with the known fact that it names, if there is one. */
interface KnownMark {
  mark: MentionSpan;
  factId: string | undefined;
}

/**
 * True if the mark is that of a mention whose paragraph was edited or removed, and now covers other words or names
 * another fact.
 */
function isReworded({ known }: LeftMentions, { mark, factId }: KnownMark): boolean {
  const stored = mark.mentionId === null ? undefined : known.get(mark.mentionId);
  if (stored?.reason === undefined || factId === undefined) return false;
  return stored.text !== mark.text || stored.factId !== factId;
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
  known: ReadonlyMap<string, OpenMention>;
  byId: Map<string, OpenMention>;
  /** Mentions on unchanged text by place. On changed text their offsets are meaningless. */
  bySpot: ReadonlyMap<string, readonly OpenMention[]>;
}

function leftOf(open: readonly OpenMention[]): LeftMentions {
  const spot = ({ blockId, ...mention }: OpenMention) =>
    `${blockId} ${spotOf({ mark: mention, ...mention })}`;
  const known = new Map(open.map((mention) => [mention.id, mention]));
  const steady = open.filter(({ reason }) => reason === undefined);
  return { known, byId: new Map(known), bySpot: groupBy(steady, spot) };
}

function takeStored(left: LeftMentions, mark: MentionSpan, blockId: string): OpenMention | undefined {
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
