import { leafIds, readLeaves, withLeafIds } from "../prose/document/leaf.ts";
import type { SourceBlock } from "../prose/document/types.ts";
import { definitionsOf } from "../prose/markdown/definitions.ts";
import { saysSameIn } from "../prose/markdown/reads-as.ts";
import { followEdits, type MergeConflict } from "../prose/merge/merge.ts";
import type { NewProse, StoredProse } from "../prose/plan/plan.ts";
import { withNode } from "../prose/plan/rewrite-leaf.ts";
import { once } from "../text/once.ts";
import { judge, type Side } from "../three-way.ts";
import type { StoredChapter } from "./book.ts";
import type { BookBase } from "./book-base.ts";

/** What a file makes of a paragraph that the manuscript has put into another chapter: that is written where it stands now. */
export interface ForwardedEdit {
  /** The id of the block's first leaf. */
  blockId: string;
  to: StoredChapter;
  /** Its leaves have the ids that they have there. */
  block: SourceBlock;
}

/** An edit that cannot be written where the paragraph stands now. */
export interface ForwardConflict {
  at: StoredChapter;
  paragraph: MergeConflict;
}

/** A file's edits of paragraphs that stand in other chapters by now. */
export interface Forwarding {
  edits: readonly ForwardedEdit[];
  conflicts: readonly ForwardConflict[];
  /** The blocks as they were before these edits, by their index in the file's prose. */
  before: ReadonlyMap<number, SourceBlock>;
  /** The leaves that are not taken from the file, by their indexes: pieces of paragraphs that are to stay as the manuscript has them. */
  dropped: ReadonlySet<number>;
}

/** Where each leaf of a book stands, by its id. Its chapters are read when that is first asked. */
export type Standing = () => ReadonlyMap<string | null, { chapter: StoredChapter; block: SourceBlock }>;

/** Where each leaf of these chapters stands. */
export function standingIn(chapters: readonly StoredChapter[]): Standing {
  return once(
    () =>
      new Map(
        chapters.flatMap((chapter) =>
          chapter
            .prose()
            .blocks.flatMap((block) => leafIds([block]).map((id) => [id, { chapter, block }] as const)),
        ),
      ),
  );
}

/** Every text of a paragraph that these chapters have, or had when folder and manuscript last met. */
export function textsIn(chapters: readonly StoredChapter[], base: BookBase | undefined): Forwards["isKnown"] {
  const changed = [...(base?.last.values() ?? [])].filter(
    ({ chapterId, revision }) => chapters.find(({ id }) => id === chapterId)?.revision !== revision,
  );
  const texts = once(
    () =>
      new Set(
        [
          ...chapters.map((chapter) => chapter.prose()),
          ...changed.map(({ chapterId }) => base?.lastProse(chapterId)),
        ].flatMap(
          (prose) => prose?.blocks.flatMap(({ node }) => readLeaves(node).map(({ text }) => text)) ?? [],
        ),
      ),
  );
  return (text) => texts().has(text);
}

/** What decides besides the three sides. */
export interface Forwards {
  standing: Standing;
  force: Side | undefined;
  /** Whether a text is that of a paragraph in some chapter, now or when folder and manuscript last met: no edit made it. */
  isKnown: (text: string) => boolean;
  /** The edits that do not come about because a chapter waits for a conflict's end, by their block ids. */
  refused: ReadonlySet<string>;
}

/**
 * The edits in a file of paragraphs that the manuscript has put into other chapters since it last was as the file: `was` is what
 * both had then, `now` brings whatever ids the file has, `stored` is its chapter if there still is one. Three-way, block by block,
 * as in a chapter.
 */
export function forwardEdits(
  { was, now, stored }: { was: StoredProse; now: NewProse; stored: StoredChapter | undefined },
  forwards: Forwards,
): Forwarding {
  const { standing, force } = forwards;
  const edits: ForwardedEdit[] = [];
  const conflicts: ForwardConflict[] = [];
  const before = new Map<number, SourceBlock>();
  const dropped = new Set<number>();
  const here = new Set(leafIds(stored?.prose().blocks ?? []));
  const away = was.blocks.filter((block) => leafIds([block]).some((id) => id !== null && !here.has(id)));
  const rows = away.length === 0 ? [] : away.filter((block) => standing().has(leafIds([block])[0] ?? ""));
  if (rows.length === 0) return { edits, conflicts, before, dropped };
  for (const { at, old, isAlone, cutOff } of followEdits(was, now, new Set(rows.map(({ row }) => row)))) {
    const block = now.blocks[at]!; // it was read there
    if (isFromElsewhere(old, block, forwards)) continue;
    const isCut = cutOff.length > 0;
    const found = isCut
      ? forwardCut({ old, block }, forwards)
      : forwardBlock({ old, block, isAlone }, forwards);
    if ("paragraph" in found) {
      conflicts.push(found);
      continue;
    }
    const own = { node: old.node, source: old.source, gap: block.gap };
    before.set(at, withLeafIds([own], leafIds([block]))[0] ?? own);
    if (found.edit !== undefined) edits.push(found.edit);
    // It stays whole, so that its pieces are no paragraphs of the file's own.
    if (force === "stored") for (const leaf of leavesAt(now, cutOff)) dropped.add(leaf);
  }
  return { edits, conflicts, before, dropped };
}

/** The leaves of these blocks, by their indexes among all of the prose. */
function leavesAt({ blocks }: NewProse, indexes: readonly number[]): number[] {
  return indexes.flatMap((at) => {
    const first = leafIds(blocks.slice(0, at)).length;
    return leafIds(blocks.slice(at, at + 1)).map((_, index) => first + index);
  });
}

/** Whether a block that stands in the place of another was put there from elsewhere: it brings another id, or a text that was there before. */
function isFromElsewhere(old: SourceBlock, block: SourceBlock, { isKnown, standing }: Forwards): boolean {
  const [leaves, others] = [readLeaves(old.node), readLeaves(block.node)];
  const ids = new Set(leaves.map(({ blockId }) => blockId));
  const there = standing().get(leaves[0]?.blockId ?? null);
  const own = [...leaves, ...(there === undefined ? [] : readLeaves(there.block.node))];
  const texts = new Set(own.map(({ text }) => text));
  return others.some(
    ({ blockId, text }) => (blockId !== null && !ids.has(blockId)) || (!texts.has(text) && isKnown(text)),
  );
}

/** A block as both had it and as the file has it; alone if no other block has a part of it now. */
interface MovedBlock {
  old: SourceBlock;
  block: SourceBlock;
  isAlone: boolean;
}

/** What a file's block comes to that the manuscript has put into another chapter: an edit there, nothing, or a conflict. */
export function forwardBlock(
  { old, block, isAlone }: MovedBlock,
  { standing, force, refused }: Omit<Forwards, "isKnown">,
): { edit: ForwardedEdit | undefined } | ForwardConflict {
  const ids = leafIds([old]);
  const blockId = String(ids[0]);
  const { chapter: to, block: there } = standing().get(blockId)!; // no other is asked for
  const sides = { base: old.source, incoming: block.source, stored: there.source };
  const verdict = judge(sides, { force });
  const isWhole = isAlone && leafIds([there]).join() === ids.join() && leafIds([block]).length === ids.length;
  const goes = verdict === "incoming" && !refused.has(blockId) ? spelt(block, to.prose(), force) : undefined;
  if (isWhole && goes !== undefined)
    return { edit: { blockId, to, block: withLeafIds([goes], ids)[0] ?? goes } };
  const isDone = verdict === "same" || verdict === "stored";
  if ((isWhole && isDone) || (isAlone && force === "stored")) return { edit: undefined };
  return { at: to, paragraph: { incoming: block.source, stored: there.source } };
}

/** The same of a block that the file has cut in pieces: it waits until one side is to win. */
function forwardCut(
  cut: Omit<MovedBlock, "isAlone">,
  forwards: Forwards,
): { edit: ForwardedEdit | undefined } | ForwardConflict {
  if (forwards.force === "stored") return { edit: undefined };
  return forwardBlock({ ...cut, isAlone: forwards.force === "incoming" }, forwards);
}

/** A block as another chapter can have it; undefined where it reads otherwise there, unless the file is to win: then afresh, if it can be. */
function spelt(block: SourceBlock, chapter: StoredProse, force: Side | undefined): SourceBlock | undefined {
  if (saysSameIn(block, chapter)) return block;
  if (force !== "incoming") return undefined;
  const afresh = withNode(block, block.node, definitionsOf(chapter));
  return saysSameIn(afresh, chapter) ? afresh : undefined;
}

/** The prose with these blocks at their indexes. */
export function withBlocksAt<Prose extends NewProse>(
  prose: Prose,
  others: ReadonlyMap<number, SourceBlock>,
): Prose {
  if (others.size === 0) return prose;
  return { ...prose, blocks: prose.blocks.map((block, at) => others.get(at) ?? block) };
}
