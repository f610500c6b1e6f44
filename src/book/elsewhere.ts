import { leafIds, readLeaves, withLeafIds } from "../prose/document/leaf.ts";
import type { NewProse, StoredProse } from "../prose/plan/plan.ts";
import { removeLeaves } from "../prose/plan/remove-leaf.ts";
import { BadRequest } from "../refusals.ts";
import { once } from "../text/once.ts";
import type { ChapterFile, IncomingChapter } from "./book.ts";
import { type Forwarding, type Standing, withBlocksAt } from "./forward-edits.ts";

/**
 * The file of a chapter that is gone, without the paragraphs of it that stand in other chapters by now, where a join or a move
 * brought them: taken whole, it would bring each of them a second time. `was` is what the folder had of the chapter; of its edits
 * `before` are blocks as they were before those that have gone there, and `dropped` what is not taken. The same object if there are none, or Markdown cannot say what
 * is left; undefined if nothing is left.
 */
export function withoutMoved(
  file: ChapterFile,
  was: StoredProse | undefined,
  { standing, before, dropped }: { standing: Standing } & Pick<Forwarding, "before" | "dropped">,
): ChapterFile | undefined {
  const present = standing();
  const texts = (was?.blocks ?? [])
    .flatMap(({ node }) => readLeaves(node))
    .flatMap(({ blockId, text }) => (blockId !== null && present.has(blockId) ? [text] : []));
  const prose = withBlocksAt(file.read().prose, before);
  const moved = new Set([...indexesOf(prose, texts), ...dropped]);
  if (moved.size === 0) return file;
  const rest = withoutLeavesAt(prose, moved);
  if (rest === undefined) return file;
  if (rest.blocks.length === 0) return undefined;
  const read = once(() => takenInPart({ ...file.read(), prose: rest }, moved.size));
  return { ...file, isPart: true, read, parse: read };
}

/** The chapter's file with a warning that so many paragraphs of it are not taken. */
export function takenInPart(incoming: IncomingChapter, moved: number): IncomingChapter {
  const count = moved === 1 ? "1 paragraph stands" : `${moved} paragraphs stand`;
  const warning = `${count} in other chapters by now, and only the rest was taken`;
  return { ...incoming, warnings: [...(incoming.warnings ?? []), warning] };
}

/** The places of leaves with these texts, each text as often as it is named. */
function indexesOf({ blocks }: NewProse, texts: readonly string[]): ReadonlySet<number> {
  const left = new Map<string, number>();
  for (const text of texts) left.set(text, (left.get(text) ?? 0) + 1);
  const found = new Set<number>();
  for (const [at, { text }] of blocks.flatMap(({ node }) => readLeaves(node)).entries()) {
    const count = left.get(text) ?? 0;
    if (count > 0) found.add(at);
    left.set(text, count - 1);
  }
  return found;
}

/** The prose without the leaves of these indexes; undefined if Markdown cannot say what is left. */
export function withoutLeavesAt(prose: NewProse, places: ReadonlySet<number>): NewProse | undefined {
  const ids = leafIds(prose.blocks).map((id, at) => (places.has(at) ? `moved ${at}` : id));
  const blocks = withLeafIds(prose.blocks, ids).map((block, at) => ({ ...block, row: String(at) }));
  try {
    return removeLeaves({ ...prose, blocks }, new Set([...places].map((at) => `moved ${at}`)));
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}
