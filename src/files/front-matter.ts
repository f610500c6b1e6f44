import { closingLine } from "../prose/front-matter.ts";

/** Parts of a file's text; joined in this order they are the file. */
export interface SplitText {
  /** True if the file begins with a byte order mark. */
  bom: boolean;
  /**
   * The YAML block before the prose, verbatim with its fences; "" for none. A block from an export includes the blank
   * line after it.
   */
  frontMatter: string;
  /** The prose. */
  body: string;
}

/** The mark that a text file may begin with. */
const BOM = "\ufeff";

/** Splits a file's text. Front matter is what the prose parser takes for it: scene breaks around prose are not. */
export function splitFrontMatter(text: string): SplitText {
  const bom = text.startsWith(BOM);
  const rest = bom ? text.slice(1) : text;
  const end = blockEnd(rest);
  if (end === undefined || !isFrontMatter(rest.slice(0, end))) return { bom, frontMatter: "", body: rest };
  const [line] = linesOf(rest, end);
  // The blank line that an export puts behind its block is not prose.
  const from = isExported(rest.slice(0, end)) && line?.isEnded && line.text.trim() === "" ? line.to : end;
  return { bom, frontMatter: rest.slice(0, from), body: rest.slice(from) };
}

/** True if the prose parser takes this block for front matter. */
function isFrontMatter(block: string): boolean {
  const lines = block.split(/\r\n|\r|\n/);
  return closingLine((line) => lines[line] ?? "", lines.length) !== undefined;
}

// Apart from front-matter.ts: an export opens blocks and never parses prose.

/** An opened block: its YAML apart from its fences, with `\n` as line ends. */
export interface OpenBlock {
  fence: string;
  yaml: string;
  /** The closing fence and the blank lines after it. */
  rest: string;
}

/** Opens a block from `splitFrontMatter`. */
export function openBlock(frontMatter: string): OpenBlock {
  const block = frontMatter.replace(/\r\n?/g, "\n");
  const [fence, ...lines] = [...linesOf(block, 0)];
  const close = lines.find(({ text }) => isFence(text));
  const start = fence?.to ?? 0;
  const end = close === undefined ? block.length : close.to - close.text.length - Number(close.isEnded);
  return { fence: block.slice(0, start), yaml: block.slice(start, end), rest: block.slice(end) };
}

/**
 * Returns the end of the block that the text begins with, after its closing fence's line end; undefined without one.
 */
function blockEnd(text: string): number | undefined {
  if (!/^---[ \t]*[\r\n]/.test(text)) return undefined;
  let isFirst = true;
  for (const line of linesOf(text, 0)) {
    if (!isFirst && isFence(line.text)) return line.to;
    isFirst = false;
  }
  return undefined;
}

/** Returns the YAML that a file begins with; "" for none. */
export function blockOf(text: string): string {
  const bare = text.replace(/^\ufeff/, "");
  const end = blockEnd(bare);
  return end === undefined ? "" : openBlock(bare.slice(0, end)).yaml;
}

/** True if front matter names a chapter, as an export writes it. */
export function isExported(frontMatter: string): boolean {
  return /(?:^|[{,])[ \t]*["']?id["']?[ \t]*:[ \t]*["']?ch_/m.test(frontMatter);
}

/** Returns front matter that only names a chapter and the revision that a text was made from. */
export function headerOf(id: string, revision: number): string {
  return `---\nid: ${id}\nrevision: ${revision}\n---\n\n`;
}

/** Returns the chapter id in front matter. */
export function chapterSaid(frontMatter: string): string | undefined {
  return /^id: *(ch_\w+) *$/m.exec(openBlock(frontMatter).yaml)?.[1];
}

/** Returns the revision in front matter, if the front matter is this chapter's. */
export function revisionSaid(frontMatter: string, id: string): number | undefined {
  const said = /^revision: *(\d{1,9}) *$/m.exec(openBlock(frontMatter).yaml)?.[1];
  return chapterSaid(frontMatter) === id && said !== undefined ? Number(said) : undefined;
}

function isFence(line: string): boolean {
  return /^(?:---|\.\.\.)[ \t]*$/.test(line);
}

/** Yields the lines from an index on, each without its line end, and the start of the next. */
function* linesOf(text: string, from: number): Generator<{ text: string; to: number; isEnded: boolean }> {
  const lineEnd = /\r\n|\r|\n/g;
  let start = from;
  while (start < text.length) {
    lineEnd.lastIndex = start;
    const end = lineEnd.exec(text);
    const to = end === null ? text.length : end.index + end[0].length;
    yield { text: text.slice(start, end?.index), to, isEnded: end !== null };
    start = to;
  }
}
