import { isTags, isTitle } from "../../../prose/document/heading.ts";
import { leafText } from "../../../prose/document/leaves.ts";
import type { SourceBlock, SourceChapter } from "../../../prose/document/types.ts";
import { joinMarkdown } from "../../../prose/join-chapter.ts";
import { parseMarkdown } from "../../../prose/parse.ts";
import { BadRequest } from "../../../refusals.ts";
import { splitFrontMatter } from "../../front-matter.ts";

/**
 * Cuts a text before each top-level heading of a level, 1 to 6. Joined, the pieces are the text. Prose before the
 * first heading is a piece of its own; tags are not. Headings in code, quotes and lists do not count, nor do headings
 * that name nothing: a lone `#` is a scene break. `known` is the text already parsed. Throws `BadRequest`, naming the
 * text, if there is no such heading.
 */
export function splitByHeadings(text: string, level: number, name: string, known?: ParsedText): string[] {
  const { bom, frontMatter, body } = splitFrontMatter(text);
  const { eol, head, blocks } = known?.body === body ? known.parsed : parseMarkdown(body);
  const pieces: SourceBlock[][] = [[]];
  for (const block of blocks) {
    if (levelOf(block) === level) pieces.push([]);
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
  const hasProse = pieces[0]?.some((block) => !isTagLine(block)) ?? false;
  if (!hasProse) return [lead + before + first, ...others];
  return [lead + before, first, ...others];
}

/** A text without front matter, parsed. */
interface ParsedText {
  body: string;
  parsed: SourceChapter;
}

/** Proposal for cutting one text into chapters. */
export interface SplitGuess extends ParsedText {
  /** Heading level that begins a chapter. */
  level: number;
  /** Title of the book, from a single heading above the chapters. */
  title?: string;
  /** Reason, for the plan. */
  why: string;
}

/**
 * Guesses how to cut a text; undefined if it is one chapter. Several headings of level 1 are chapters. A single one
 * above several of level 2 is the book's title, and those are the chapters. `body` is the text without front matter.
 */
export function guessSplit(body: string): SplitGuess | undefined {
  if (!mayHoldChapters(body)) return undefined;
  const parsed = parseMarkdown(body);
  const headings = parsed.blocks.filter((block) => levelOf(block) !== undefined);
  const firsts = headings.filter((block) => levelOf(block) === 1);
  const seconds = headings.filter((block) => levelOf(block) === 2);
  const [first] = firsts;
  if (firsts.length > 1)
    return { level: 1, why: `${firsts.length} # headings: a chapter each`, body, parsed };
  if (first === undefined || first !== headings[0] || seconds.length < 2) return undefined;
  const title = leafText(first.node).replace(/\s+/g, " ").trim();
  const why = `one # heading, the book's title, and ${seconds.length} ## headings: a chapter each`;
  return { level: 2, ...(title === "" ? {} : { title }), why, body, parsed };
}

// True if a text may have headings of chapters. Parsing a novel to find none would take as long as the import.
function mayHoldChapters(body: string): boolean {
  return (body.match(/^ {0,3}(?:#{1,2}[ \t\r\n]|=+[ \t]*\r?$|-+[ \t]*\r?$)/gm) ?? []).length > 1;
}

/** Returns the level of a heading that can begin a chapter; undefined for any other block. */
function levelOf({ node }: SourceBlock): unknown {
  return node.type === "heading" && isTitle(leafText(node)) ? node.attrs?.level : undefined;
}

function isTagLine({ node }: SourceBlock): boolean {
  return (node.type === "paragraph" || node.type === "heading") && isTags(leafText(node));
}
