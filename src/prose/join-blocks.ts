import { append } from "../text/extremes.ts";
import { definitionsOf, hasDefinitions, innerDefinitions, keepDefinitions, widen } from "./definitions.ts";
import { sameNode } from "./document/same-node.ts";
import type { SourceBlock, SourceChapter } from "./document/types.ts";
import { joinMarkdown } from "./join-chapter.ts";
import { normalizeBlocks } from "./markdown/normalize.ts";
import { parseMarkdown } from "./parse.ts";
import { writeBlock } from "./write.ts";

/** Neighbouring blocks, with the Markdown before the first. */
export type Stretch<Block extends SourceBlock> = Pick<SourceChapter<Block>, "head" | "blocks">;

/** Markdown before and behind a stretch of a chapter with the link definitions in scope. */
export interface Outside {
  before: string;
  after: string;
}

/**
 * Returns the blocks written so that their Markdown reads back as exactly them. Blocks that do already are only cut
 * into source and gap as a parse cuts them. Otherwise blank lines go between neighbours that run together, also
 * behind definitions at the chapter's start, and a block is rewritten if that does not help or if a link definition
 * came or went. Undefined if Markdown cannot say it; throws `BadRequest` if it cannot say one block. O(text), a few
 * times that if something is mended.
 */
export function joinBlocks<Block extends SourceBlock>(
  stretch: Stretch<Block>,
  outside: Outside = { before: "", after: "" },
): Stretch<Block> | undefined {
  const scope = scopeOf(stretch, outside);
  const whole = readBack(stretch, scope);
  if (whole !== undefined) return whole;
  const mended: Block[] = [];
  for (const given of stretch.blocks) {
    const block = readBack(alone(given), scope) ? given : writeAfresh(given, scope);
    const previous = mended.pop();
    const pair = previous === undefined ? [block] : part(previous, block, scope);
    if (pair === undefined) return undefined;
    append(mended, pair);
  }
  // Prose between two scene breaks may look like front matter, but not behind a blank line.
  const [first, ...others] = mended;
  const blocks =
    first?.node.type === "scene_break" ? [{ ...first, gap: widen(first.gap) }, ...others] : mended;
  const result = { head: partedHead(stretch.head, blocks[0], scope), blocks };
  return readBack(result, scopeOf(result, outside));
}

function scopeOf(stretch: Stretch<SourceBlock>, { before, after }: Outside): string {
  return [before, definitionsOf(stretch), after].filter((part) => part !== "").join("\n\n");
}

/** Returns the stretch as a parse cuts it, if it reads as its nodes. */
function readBack<Block extends SourceBlock>(
  { head, blocks }: Stretch<Block>,
  scope: string,
): Stretch<Block> | undefined {
  const read = parseMarkdown(joinMarkdown({ bom: false, eol: "lf", head, blocks }), scope);
  if (read.blocks.length !== blocks.length) return undefined;
  if (!read.blocks.every(({ node }, index) => sameNode(node, blocks[index]!.node))) return undefined; // lengths are equal
  // Verbatim line ends that are all \r\n: a parse would take them out.
  if (read.eol === "crlf") return { head, blocks };
  return {
    head: read.head,
    blocks: blocks.map((block, index) => {
      const { source, gap } = read.blocks[index]!; // lengths are equal
      return { ...block, source, gap };
    }),
  };
}

// Puts a blank line first, because front matter comes only at a chapter's start.
function alone<Block extends SourceBlock>(...blocks: Block[]): Stretch<Block> {
  return { head: "\n", blocks };
}

/** Returns the head with a blank line at its end if its last definition would take the first block for its title. */
function partedHead(head: string, first: SourceBlock | undefined, scope: string): string {
  const isParted = first === undefined || readBack({ head, blocks: [first] }, scope) !== undefined;
  return isParted || !hasDefinitions(head) ? head : `${head}\n`;
}

function part<Block extends SourceBlock>(previous: Block, next: Block, scope: string): Block[] | undefined {
  for (const pair of waysToPart(previous, next, scope)) {
    if (readBack(alone(...pair), scope) !== undefined) return pair;
  }
  return undefined;
}

/** Yields two neighbours as they are, then with ever more changes. */
function* waysToPart<Block extends SourceBlock>(
  previous: Block,
  next: Block,
  scope: string,
): Generator<Block[]> {
  yield [previous, next];
  const gap = widen(previous.gap);
  yield [{ ...previous, gap }, next];
  const [, normal] = normalizeBlocks([previous.node, next.node]);
  const other = writeAfresh({ ...next, node: normal! }, scope); // two in, two out
  yield [{ ...previous, gap }, other];
  const closed = writeAfresh(previous, scope);
  yield [{ ...closed, gap: widen(closed.gap) }, next];
  yield [{ ...closed, gap: widen(closed.gap) }, other];
}

function writeAfresh<Block extends SourceBlock>(block: Block, scope: string): Block {
  const node = normalizeBlocks([block.node])[0]!; // one in, one out
  const gap = keepDefinitions(block.gap, innerDefinitions(block));
  return { ...block, node, source: writeBlock(node, scope), gap };
}
