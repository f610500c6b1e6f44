import type { DocNode, SourceBlock } from "../../src/prose/document/types.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { writeChapter } from "../../src/prose/write.ts";

/** The blocks of a Markdown text. */
export function parse(markdown: string): DocNode[] {
  return parseMarkdown(markdown).blocks.map(({ node }) => node);
}

/** The blocks' fresh Markdown as one text. */
export function write(nodes: readonly DocNode[]): string {
  return join(writeChapter(nodes));
}

/** Sources and gaps as one text. */
export function join(blocks: readonly SourceBlock[]): string {
  return blocks.map(({ source, gap }) => source + gap).join("");
}

/** Whether every generated case is tried, as in `.ci/run`, or a part of them. */
export const ALL_CASES = process.env.MANUSCRIPT_CASES === "all";

/** Of a property's cases. */
const PART = ALL_CASES ? 1 : 1 / 10;

/**
 * How many generated cases a property runs, and from which seed: always the same, so that a run says the same anywhere,
 * and those of a part are the first of all. `MANUSCRIPT_RUNS` and `MANUSCRIPT_SEED` look further.
 */
export function randomly(runs: number): { numRuns: number; seed: number } {
  const seed = Number(process.env.MANUSCRIPT_SEED ?? 20_261_122);
  return { numRuns: Number(process.env.MANUSCRIPT_RUNS ?? Math.ceil(runs * PART)), seed };
}
