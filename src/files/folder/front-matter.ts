import { closingLine } from "../../prose/markdown/rules/front-matter.ts";

/** A file's text, taken apart; joined in this order it is the file again. */
export interface SplitText {
  /** Whether the file begins with a byte order mark. */
  bom: boolean;
  /** The YAML block before the prose, verbatim with its fences; "" for none. One that an export made has the blank line after it. */
  frontMatter: string;
  /** The prose. */
  body: string;
}

/** The mark that a text file may begin with. */
const BOM = "\ufeff";

/** Takes a file's text apart. What counts as front matter is what prose calls so: scene breaks around prose do not. */
export function splitFrontMatter(text: string): SplitText {
  const bom = text.startsWith(BOM);
  const rest = bom ? text.slice(1) : text;
  const end = blockEnd(rest);
  if (end === undefined || !isFrontMatter(rest.slice(0, end))) return { bom, frontMatter: "", body: rest };
  const [line] = linesOf(rest, end);
  // An export puts a blank line behind its block: that alone is no prose.
  const from = isExported(rest.slice(0, end)) && line?.isEnded && line.text.trim() === "" ? line.to : end;
  return { bom, frontMatter: rest.slice(0, from), body: rest.slice(from) };
}

/** Whether a block that ends with its closing fence is front matter to those who read prose, too. */
function isFrontMatter(block: string): boolean {
  const lines = block.split(/\r\n|\r|\n/);
  return closingLine((line) => lines[line] ?? "", lines.length) !== undefined;
}

// Apart from front-matter.ts: an export opens blocks and never parses prose.

/** A block opened: its fences apart from the YAML between them, line ends as `\n`. */
export interface OpenBlock {
  fence: string;
  yaml: string;
  /** The closing fence and the blank lines after it. */
  rest: string;
}

/** Opens a block that `splitFrontMatter` gave. */
export function openBlock(frontMatter: string): OpenBlock {
  const block = frontMatter.replace(/\r\n?/g, "\n");
  const [fence, ...lines] = [...linesOf(block, 0)];
  const close = lines.find(({ text }) => isFence(text));
  const start = fence?.to ?? 0;
  const end = close === undefined ? block.length : close.to - close.text.length - Number(close.isEnded);
  return { fence: block.slice(0, start), yaml: block.slice(start, end), rest: block.slice(end) };
}

/** Where the block that the text begins with ends, its closing fence's line end included; undefined without one. */
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

/** Returns whether front matter is such as an export wrote: it names a chapter. */
export function isExported(frontMatter: string): boolean {
  return /(?:^|[{,])[ \t]*["']?id["']?[ \t]*:[ \t]*["']?ch_/m.test(frontMatter);
}

/** Returns the front matter that says no more than which revision of a chapter a text was made from. */
export function headerOf(id: string, revision: number): string {
  return `---\nid: ${id}\nrevision: ${revision}\n---\n\n`;
}

/** Returns the id of the chapter that front matter says its text is of. */
export function chapterSaid(frontMatter: string): string | undefined {
  return /^id: *(ch_\w+) *$/m.exec(openBlock(frontMatter).yaml)?.[1];
}

/** Returns the revision that front matter names, if it is that of this chapter. */
export function revisionSaid(frontMatter: string, id: string): number | undefined {
  const said = /^revision: *(\d{1,9}) *$/m.exec(openBlock(frontMatter).yaml)?.[1];
  return chapterSaid(frontMatter) === id && said !== undefined ? Number(said) : undefined;
}

function isFence(line: string): boolean {
  return /^(?:---|\.\.\.)[ \t]*$/.test(line);
}

/** The lines from an index on, each without its line end, and where the next begins. */
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
