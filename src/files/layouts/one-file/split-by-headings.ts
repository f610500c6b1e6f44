import { leafText } from "../../../prose/document/text.ts";
import type { SourceBlock } from "../../../prose/document/types.ts";
import { joinMarkdown, parseMarkdown } from "../../../prose/markdown/parse-chapter.ts";
import { BadRequest } from "../../../refusals.ts";
import { splitFrontMatter } from "../../folder/front-matter.ts";

/**
 * A text cut before each heading of a level, 1 to 6, that stands at its top level: joined, the pieces are the text. What
 * stands before the first heading is a piece of its own where it holds prose. Headings in code, quotes and lists do not
 * count. Throws `BadRequest`, naming the text, if there is no such heading.
 */
export function splitByHeadings(text: string, level: number, name: string): string[] {
  const { bom, frontMatter, body } = splitFrontMatter(text);
  const { eol, head, blocks } = parseMarkdown(body);
  const pieces: SourceBlock[][] = [[]];
  for (const block of blocks) {
    if (block.node.type === "heading" && block.node.attrs?.level === level) pieces.push([]);
    pieces.at(-1)!.push(block); // there is one from the start
  }
  if (pieces.length === 1) {
    throw new BadRequest(
      `${name} has no heading of level ${level} (${"#".repeat(level)} Title); choose another with --split, or leave it out.`,
    );
  }
  const texts = pieces.map((piece) => joinMarkdown({ bom: false, eol, head: "", blocks: piece }));
  const lead = (bom ? "\ufeff" : "") + frontMatter + joinMarkdown({ bom: false, eol, head, blocks: [] });
  const [before = "", first = "", ...others] = texts;
  return before === "" ? [lead + first, ...others] : [lead + before, first, ...others];
}

/** How one text is best cut into chapters. */
export interface SplitGuess {
  /** Before headings of this level. */
  level: number;
  /** The book's, from a heading that stands alone above the chapters. */
  title?: string;
  /** For the plan. */
  why: string;
}

/**
 * Several headings of level 1 are chapters; one of them above several of level 2 is the book's title and those are the
 * chapters; any other text is one chapter: undefined. `body` is the text without front matter.
 */
export function guessSplit(body: string): SplitGuess | undefined {
  if (!mayHoldChapters(body)) return undefined;
  const headings = parseMarkdown(body).blocks.filter(({ node }) => node.type === "heading");
  const firsts = headings.filter((block) => levelOf(block) === 1);
  const seconds = headings.filter((block) => levelOf(block) === 2);
  const [first] = firsts;
  if (firsts.length > 1) return { level: 1, why: `${firsts.length} # headings: a chapter each` };
  if (first === undefined || first !== headings[0] || seconds.length < 2) return undefined;
  const title = leafText(first.node).replace(/\s+/g, " ").trim();
  const why = `one # heading, the book's title, and ${seconds.length} ## headings: a chapter each`;
  return { level: 2, ...(title === "" ? {} : { title }), why };
}

// Reading a novel's blocks to find that it has no headings would take as long as the import.
function mayHoldChapters(body: string): boolean {
  return (body.match(/^ {0,3}(?:#{1,2}[ \t\r\n]|=+[ \t]*\r?$|-+[ \t]*\r?$)/gm) ?? []).length > 1;
}

function levelOf({ node }: SourceBlock): unknown {
  return node.attrs?.level;
}
