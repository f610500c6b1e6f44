import { asTitle, type Heading, listHeadings } from "../../prose/document/heading.ts";
import { nodeOf } from "../../prose/document/leaves.ts";
import type { NewProse } from "../../prose/plan.ts";
import { type Retitled, retitle } from "../../prose/replace-text.ts";
import type { Store } from "../../store/file/store.ts";
import type { BlockRow } from "../../store/rows/blocks.ts";
import { type ChapterRow, updateChapter } from "../../store/rows/chapters.ts";
import { textFault } from "../../text/clean-text.ts";

/** The headings of a chapter before a write and after it. */
export interface HeadingChange {
  before: readonly Heading[];
  after: readonly Heading[];
  /** Whether the write made the paragraph of this id. */
  isNew: (blockId: string | null) => boolean;
}

/** The headings among a chapter's blocks as they are stored; one that says its title counts, whatever that is. */
export function headingsOf(rows: readonly BlockRow[], { title }: Pick<ChapterRow, "title">): Heading[] {
  return listHeadings(rows.filter(({ type }) => type === "heading").map(nodeOf), asTitle(title));
}

/**
 * Gives a chapter the title that its first heading has after a write, if the two were equal before; true if that is
 * another one. A title of its own stays, and so does that of a chapter whose heading was taken out. Source: llms.txt,
 * Prose writes and what they cost.
 */
export function followHeading(
  store: Store,
  chapter: Pick<ChapterRow, "id" | "title">,
  { before, after, isNew }: HeadingChange,
): boolean {
  const [old] = before;
  const [next] = after;
  if (old === undefined || next === undefined || old.title !== asTitle(chapter.title)) return false;
  const isOut = !after.some(({ blockId }) => blockId === old.blockId);
  if (isOut && !isNew(next.blockId)) return false;
  if (next.title === old.title || textFault(next.title) !== undefined) return false;
  updateChapter(store, chapter.id, { title: next.title });
  return true;
}

/**
 * A chapter's prose with a new title as the text of its first heading, if the two are equal now; undefined if they are
 * not, or if Markdown cannot say such a heading. Source: llms.txt, Prose writes and what they cost.
 */
export function withTitle(
  prose: NewProse,
  { title: old }: Pick<ChapterRow, "title">,
  title: string,
): (Retitled & { heading: Heading }) | undefined {
  const [heading] = listHeadings(
    prose.blocks.map(({ node }) => node),
    asTitle(old),
  );
  if (heading?.title !== asTitle(old) || heading.title === asTitle(title)) return undefined;
  const done = retitle(prose, heading.index, title);
  return done && { ...done, heading };
}
