import type { StoredChapter } from "../../../../book/book.ts";
import { leavesOf } from "../../../../prose/document/leaves.ts";
import type { DocNode } from "../../../../prose/document/types.ts";
import type { StoredProse } from "../../../../prose/plan.ts";
import { compile } from "../../../../publish/compile.ts";
import type { CompiledBlock, CompiledChapter, Inline } from "../../../../publish/compiled.ts";
import { rubyText, splitRuby } from "../../../../text/ruby.ts";
import { CODE, isSceneBreak } from "../blocks.ts";
import { inlineOf, keyOfMarks, tidyInline } from "../inline.ts";
import type { WordParagraph } from "../paragraph.ts";

/** A leaf of a chapter as Word shows it. */
export interface SentLeaf {
  id: string;
  type: "paragraph" | "heading" | "scene_break" | "code";
  /** Its text with its marks, and a second time with the words of its pictures if it has any. */
  keys: readonly string[];
  text: string;
}

/** A chapter as Word was given it. */
export interface Baseline {
  leaves: readonly SentLeaf[];
  /** True if the chapter's title is no paragraph of its prose, but was written above it. */
  isTitleApart: boolean;
  /** Its footnotes that the text refers to, by their labels in order. */
  notes: ReadonlyMap<string, { keys: readonly string[]; text: string; ids: readonly string[] }>;
  /** Text of each table. */
  tables: readonly string[];
}

const NO_METADATA = {
  author: "",
  language: "",
  rights: "",
  identifier: "",
  description: "",
  contact: [],
  cover: undefined,
};

/** Returns a chapter's prose as it is written for Word, by what writes it. */
export function baselineOf(chapter: StoredChapter, prose: StoredProse): Baseline {
  const shown = { ...chapter, prose: () => prose };
  const book = compile(
    { id: "" as never, title: "", chapters: [shown] },
    { metadata: NO_METADATA, modifiedAt: 0 },
  );
  const [compiled] = book.chapters as [CompiledChapter];
  const { heading, blocks, footnotes } = compiled;
  const own = heading.id === null ? [] : [sentLeaf({ ...heading, id: heading.id, type: "heading" })];
  const labels = labelsIn(prose.blocks.map(({ node }) => node));
  return {
    leaves: [...own, ...blocks.flatMap(leavesIn)],
    isTitleApart: heading.id === null,
    notes: new Map(
      footnotes.map((footnote, at) => {
        const leaves = footnote.blocks.flatMap(leavesIn);
        const note = {
          keys: leaves.map(({ keys }) => keys[0] ?? ""),
          text: leaves.map(({ text }) => text).join(" "),
          ids: leaves.map(({ id }) => id),
        };
        return [labels[at] ?? String(footnote.number), note];
      }),
    ),
    tables: blocks.flatMap(tablesIn),
  };
}

/** Returns the labels of defined footnotes in the order of their first references. */
function labelsIn(nodes: readonly DocNode[]): string[] {
  const defined = new Set(
    nodes.flatMap(({ type, attrs }) => (type === "footnote" ? String(attrs?.label) : [])),
  );
  const body = nodes.filter(({ type }) => type !== "footnote").flatMap(leavesOf);
  const referred = body.flatMap(({ content = [] }) =>
    content.flatMap(({ type, attrs }) => (type === "footnote_ref" ? String(attrs?.label) : [])),
  );
  return [...new Set(referred)].filter((label) => defined.has(label));
}

function leavesIn(block: CompiledBlock): SentLeaf[] {
  const { type } = block;
  switch (type) {
    case "paragraph":
    case "heading":
      return block.id === null ? [] : [sentLeaf({ id: block.id, type, runs: block.runs })];
    case "scene_break":
      return block.id === null ? [] : [{ id: block.id, type, keys: [SCENE], text: "" }];
    case "code":
      return block.id === null ? [] : [{ id: block.id, type, keys: [codeKey(block.text)], text: block.text }];
    case "table":
      return [];
    case "quote":
      return block.blocks.flatMap(leavesIn);
    case "list":
      return block.items.flat().flatMap(leavesIn);
  }
}

function tablesIn(block: CompiledBlock): string[] {
  if (block.type === "quote") return block.blocks.flatMap(tablesIn);
  if (block.type === "list") return block.items.flat().flatMap(tablesIn);
  return block.type === "table" ? [block.rows.flat().map(wordsOf).join(" ").replace(/\s+/g, " ").trim()] : [];
}

function wordsOf(runs: readonly Inline[]): string {
  return runs.map((run) => (run.type === "text" ? run.text : run.type === "break" ? " " : "")).join("");
}

const SCENE = "* * *";
const codeKey = (text: string) => `code ${text.replace(/\s+/g, " ").trim()}`;

function sentLeaf({ id, type, runs }: Pick<SentLeaf, "id" | "type"> & { runs: readonly Inline[] }): SentLeaf {
  const hasPictures = runs.some(({ type }) => type === "picture");
  const shown = keyOf(runs.flatMap((run) => nodeOfRun(run, false)));
  const told = keyOf(runs.flatMap((run) => nodeOfRun(run, true)));
  return { id, type, keys: hasPictures ? [shown, told] : [shown], text: wordsOf(runs) };
}

function nodeOfRun(run: Inline, tellsPictures: boolean): DocNode[] {
  if (run.type === "break") return [{ type: "hard_break" }];
  if (run.type === "footnote") return [{ type: "footnote_ref" }];
  if (run.type === "picture")
    return tellsPictures ? [{ type: "text", text: `[${run.picture.alt || run.picture.path}]` }] : [];
  const { href, ...flags } = run.marks;
  const marks = [
    ...Object.keys(flags).map((type) => ({ type })),
    ...(href === undefined ? [] : [{ type: "link", attrs: { href } }]),
  ];
  return [{ type: "text", text: run.text.replace(/\t/g, " "), ...(marks.length > 0 ? { marks } : {}) }];
}

/** Returns what inline content reads as, with its marks. */
function keyOf(content: readonly DocNode[]): string {
  return tidyInline(content)
    .map((node) =>
      node.type === "text" ? `${keyOfMarks(node)}\u0000${keyOfText(node.text ?? "")}` : node.type,
    )
    .join("\u0001");
}

/** Word does not tell how many blanks there were, nor how wide the brackets of a reading. */
function keyOfText(text: string): string {
  return splitRuby(text.replace(/ +/g, " "))
    .map((part) => (typeof part === "string" ? part : rubyText(part)))
    .join("");
}

/** Returns what a paragraph of Word reads as, in the same way. */
export function keyOfParagraph(paragraph: WordParagraph): string {
  if (isSceneBreak(paragraph)) return SCENE;
  if (CODE.test(paragraph.style)) return codeKey(codeText(paragraph));
  return keyOfContent(inlineOf(paragraph.runs, () => "note"));
}

/** Returns what the content of a leaf, made of a paragraph of Word, reads as. */
export function keyOfContent(content: readonly DocNode[]): string {
  return keyOf(content);
}

/** Returns the text of a paragraph of code. */
export function codeText({ runs }: Pick<WordParagraph, "runs">): string {
  return runs.map((run) => (run.type === "text" ? run.text : run.type === "break" ? "\n" : "")).join("");
}
