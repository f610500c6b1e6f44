import { leafIds } from "../../prose/document/leaves.ts";
import { bareMarkdown } from "../../prose/join-chapter.ts";
import { type MergeConflict, mergeProse, type Travelling } from "../../prose/merge.ts";
import type { NewProse, StoredProse } from "../../prose/plan.ts";
import { judge, type Side } from "../../three-way.ts";
import {
  type BaseChapter,
  CHAPTER_FIELDS,
  type ChapterFields,
  type IncomingChapter,
  type IncomingFields,
  type StoredChapter,
} from "../book.ts";

/**
 * Outcome for a file whose chapter may have changed too. Write: the file's changes go into the chapter, merged if both
 * sides changed different paragraphs. Leave: the chapter stays. Conflict: both sides changed the same differently.
 */
export type ChapterVerdict =
  | { kind: "write"; fields: Partial<ChapterFields>; prose: NewProse; isMerged: boolean; hasBase: boolean }
  | { kind: "leave" }
  | { kind: "conflict"; paragraphs: readonly MergeConflict[]; fields: readonly string[] };

/**
 * Compares a file and its chapter with their base. Without a base the file wins unless `force` says otherwise; with
 * one, `force` decides only conflicts. Source: docs/decisions/007-three-way.md.
 */
export function mergeChapter(
  sides: ChapterSides,
  { force, ...moves }: { force?: Side | undefined } & Travelling = {},
): ChapterVerdict {
  const { base, incoming, stored } = sides;
  const fields = mergeFields({ base, incoming: incoming.fields, stored }, force);
  const before = base?.prose();
  if (base === undefined || before === undefined)
    return force === "stored"
      ? { kind: "leave" }
      : { kind: "write", fields: fields.taken, prose: incoming.prose, isMerged: false, hasBase: false };
  const present = stored.prose();
  const texts = {
    base: bareMarkdown(before),
    incoming: bareMarkdown(incoming.prose),
    stored: bareMarkdown(present),
  };
  const isSilent = Object.keys(fields.taken).length + fields.conflicts.length === 0;
  // Fields from outside the file count too, such as a move to another part's folder.
  if (base.hash === incoming.hash && isSilent)
    return texts.incoming === texts.stored && fields.isStored
      ? written(fields, incoming.prose)
      : { kind: "leave" };
  const verdict = judge(texts);
  if (verdict === "same" || verdict === "incoming") return written(fields, incoming.prose);
  // Moved block ids identify paragraphs even if the words are the same.
  if (verdict === "stored" && bringsIdsOf(incoming.prose, before))
    return written(fields, proseOf(present), true);
  const merged = mergeProse(before, incoming.prose, present, { force, ...moves });
  if ("conflicts" in merged) return undecided(incoming, { ...fields, paragraphs: merged.conflicts }, force);
  const isAsStored = force === "stored" && Object.keys(fields.taken).length === 0;
  if (isAsStored && bareMarkdown(merged.prose) === texts.stored) return { kind: "leave" };
  return written(fields, merged.prose, true);
}

/** Plans to write a chapter, unless both sides have changed one of its fields. */
function written(
  { taken, conflicts }: ReturnType<typeof mergeFields>,
  prose: NewProse,
  isMerged = false,
): ChapterVerdict {
  return conflicts.length > 0
    ? { kind: "conflict", paragraphs: [], fields: conflicts }
    : { kind: "write", fields: taken, prose, isMerged, hasBase: true };
}

/** Three sides of a chapter. No base: no common past is known. */
interface ChapterSides {
  base: BaseChapter | undefined;
  incoming: IncomingChapter;
  stored: StoredChapter;
}

/** Plans a conflict: both sides have changed a paragraph differently. */
function undecided(
  { prose }: IncomingChapter,
  {
    taken,
    conflicts,
    paragraphs,
  }: { taken: Partial<ChapterFields>; conflicts: string[]; paragraphs: readonly MergeConflict[] },
  force: Side | undefined,
): ChapterVerdict {
  if (force === "stored") return { kind: "leave" };
  if (force === "incoming") return { kind: "write", fields: taken, prose, isMerged: false, hasBase: true };
  return { kind: "conflict", paragraphs, fields: conflicts };
}

/**
 * Merges fields. Returns those that get the file's value, those in conflict, and whether the file equals what is
 * stored.
 */
function mergeFields(
  {
    base,
    incoming,
    stored,
  }: { base: ChapterFields | undefined; incoming: IncomingFields; stored: ChapterFields },
  force?: Side,
): { taken: Partial<ChapterFields>; conflicts: string[]; isStored: boolean } {
  const taken: Record<string, unknown> = {};
  const conflicts: string[] = [];
  let isStored = true;
  for (const key of CHAPTER_FIELDS) {
    const said = incoming[key];
    if (said === undefined) continue;
    const sides = { incoming: said, stored: stored[key], ...(base && { base: base[key] }) };
    const verdict = judge<string | null>(sides, { force });
    if (verdict !== "same") isStored = false;
    if (verdict === "incoming") taken[key] = said;
    if (verdict === "conflict") conflicts.push(key);
  }
  return { taken: taken as Partial<ChapterFields>, conflicts, isStored };
}

function proseOf({ bom, eol, head, blocks }: StoredProse): NewProse {
  return { bom, eol, head, blocks };
}

/** True if each leaf with an id has that id in the other, equal prose too. */
function bringsIdsOf(prose: NewProse, same: StoredProse): boolean {
  const known = leafIds(same.blocks);
  return leafIds(prose.blocks).every((id, index) => id === null || id === known[index]);
}
