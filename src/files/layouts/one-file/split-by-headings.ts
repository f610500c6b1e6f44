import type { SourceBlock } from "../../../prose/document/types.ts";
import { joinMarkdown, parseMarkdown } from "../../../prose/markdown/parse-chapter.ts";
import { BadRequest } from "../../../refusals.ts";
import { splitFrontMatter } from "../../folder/front-matter.ts";

/**
 * A text cut before each heading of a level, 1 to 6, that stands at its top level: joined, the pieces are the text. What
 * stands before the first heading is a piece of its own where it holds prose. Headings in code, quotes and lists do not
 * count. Throws `BadRequest`, naming the text, where there is no such heading.
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
