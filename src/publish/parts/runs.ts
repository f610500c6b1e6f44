import { withoutMarkup } from "../../prose/document/text.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { parseMarkdown } from "../../prose/parse.ts";
import type { CompiledFootnote, Inline, InlineMarks } from "../compiled.ts";
import { type Picture, readPictureTag } from "../picture.ts";

/** What a leaf's runs are read with. */
export interface RunReader {
  find(path: string, isAnywhere: boolean): Picture | undefined;
  footnote(label: string): CompiledFootnote | undefined;
  omit(what: string): void;
}

/** Obsidian's embedded file, with its words or width. */
const EMBED = /!\[\[([^\]|#\n]+\.(?:png|jpe?g|gif|webp|svg))(?:\|([^\]\n]*))?\]\]/gi;
const WEB = /^(?:https?:|mailto:)/i;

/** Reads the runs of a leaf. Blanks at both ends and empty runs are left out. */
export function readRuns(leaf: DocNode, reader: RunReader): readonly Inline[] {
  const content = (leaf.content ?? []).flatMap(splitEmbeds);
  const runs = withoutMarkup({ ...leaf, content }).flatMap((node) => readRun(node, reader));
  return trimmed(joined(runs));
}

/** Splits a text at embedded pictures, which become nodes of their own. */
function splitEmbeds(node: DocNode): DocNode[] {
  const { text } = node;
  if (text === undefined || !text.includes("![[") || hasMark(node, "code")) return [node];
  const parts: DocNode[] = [];
  let from = 0;
  for (const { 0: all, 1: src = "", 2: words = "", index } of text.matchAll(EMBED)) {
    if (index > from) parts.push({ ...node, text: text.slice(from, index) });
    const alt = /^\d+(?:x\d+)?$/.test(words) ? "" : words;
    parts.push({ type: "image", attrs: { src: src.trim(), alt, isAnywhere: true } });
    from = index + all.length;
  }
  if (from < text.length) parts.push({ ...node, text: text.slice(from) });
  return parts;
}

function readRun(node: DocNode, reader: RunReader): Inline[] {
  const { type, attrs = {}, text } = node;
  if (text !== undefined)
    return text === "" ? [] : [{ type: "text", text: text.replace(/\s*\n\s*/g, " "), marks: marksOf(node) }];
  if (type === "hard_break") return [{ type: "break" }];
  if (type === "image") {
    const { src, alt, isAnywhere } = attrs;
    return [placed(reader, { path: String(src), alt: String(alt ?? "") }, isAnywhere === true)];
  }
  if (type === "footnote_ref") {
    const footnote = reader.footnote(String(attrs.label));
    if (footnote !== undefined) return [{ type: "footnote", footnote }];
    return [{ type: "text", text: `[^${attrs.label}]`, marks: {} }];
  }
  return readTag(String(attrs.text ?? ""), reader);
}

function readTag(tag: string, reader: RunReader): Inline[] {
  if (/^<br\b/i.test(tag)) return [{ type: "break" }];
  const picture = pictureTag(tag, reader);
  return picture === undefined ? [] : [picture];
}

/** Reads an HTML picture that stands alone. */
export function pictureTag(html: string, reader: Pick<RunReader, "find">): Inline | undefined {
  const tag = readPictureTag(html);
  return tag && placed(reader, tag, false);
}

function placed(
  { find }: Pick<RunReader, "find">,
  { path, alt }: { path: string; alt: string },
  isAnywhere: boolean,
): Inline {
  return { type: "picture", picture: { path, alt, picture: find(path, isAnywhere) } };
}

function hasMark({ marks = [] }: DocNode, name: string): boolean {
  return marks.some(({ type }) => type === name);
}

function marksOf({ marks = [] }: DocNode): InlineMarks {
  const made: InlineMarks = {};
  for (const { type, attrs } of marks) {
    if (type === "em" || type === "strong" || type === "strike" || type === "code") made[type] = true;
    // A link within the folder leads nowhere in a finished book.
    else if (type === "link" && WEB.test(String(attrs?.href))) made.href = String(attrs?.href);
  }
  return made;
}

/** Joins neighbours with equal marks, as a mention within a sentence parts them. */
function joined(runs: readonly Inline[]): Inline[] {
  const made: Inline[] = [];
  for (const run of runs) {
    const last = made.at(-1);
    if (run.type === "text" && last?.type === "text" && sameMarks(run.marks, last.marks))
      made[made.length - 1] = { ...last, text: last.text + run.text };
    else made.push(run);
  }
  return made;
}

function sameMarks(one: InlineMarks, other: InlineMarks): boolean {
  const { em, strong, strike, code, href } = one;
  return (
    em === other.em &&
    strong === other.strong &&
    strike === other.strike &&
    code === other.code &&
    href === other.href
  );
}

function trimmed(runs: Inline[]): readonly Inline[] {
  const [first] = runs;
  const last = runs.at(-1);
  if (first?.type === "text" && /^\s/.test(first.text)) runs[0] = { ...first, text: first.text.trimStart() };
  const end = runs.at(-1);
  if (last?.type === "text" && end?.type === "text" && /\s$/.test(end.text))
    runs[runs.length - 1] = { ...end, text: end.text.trimEnd() };
  return runs.filter((run) => run.type !== "text" || run.text !== "");
}

/** Reads a table's Markdown into rows of cells; the first row is its head. */
export function readTable(markdown: string, reader: RunReader): readonly (readonly (readonly Inline[])[])[] {
  const lines = markdown.trim().split(/\r?\n/);
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||(?<!\\)\|$/g, "")
      .split(/(?<!\\)\|/)
      .map((cell) => readCell(cell.trim().replaceAll("\\|", "|"), reader));
  return lines.filter((_, at) => at !== 1).map(cells);
}

function readCell(markdown: string, reader: RunReader): readonly Inline[] {
  const [block] = markdown === "" ? [] : parseMarkdown(markdown).blocks;
  return block === undefined ? [] : readRuns(block.node, reader);
}
