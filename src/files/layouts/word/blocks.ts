import { asTitle } from "../../../prose/document/heading.ts";
import { withId } from "../../../prose/document/leaves.ts";
import type { DocNode } from "../../../prose/document/types.ts";
import { writeBlock } from "../../../prose/write.ts";
import { largest } from "../../../text/extremes.ts";
import { groupBy } from "../../../text/group-by.ts";
import { SCENE_BREAK } from "../../../text/scene-break.ts";
import type { ShownParagraph, View } from "./changes.ts";
import { showPlain } from "./changes.ts";
import { type ImageOf, inlineOf, type LabelOf } from "./inline.ts";
import { isEmpty, paragraphText, type WordDocument, type WordParagraph } from "./paragraph.ts";

/** A chapter's document, and the leaf that each paragraph of the file has become. */
export interface ChapterDocument {
  nodes: DocNode[];
  leaves: ReadonlyMap<WordParagraph, DocNode>;
}

/** Returns the document of a chapter's paragraphs, with the notes that it refers to behind them. */
export function documentOf(
  paragraphs: readonly ShownParagraph[],
  { notes }: Pick<WordDocument, "notes">,
  { view, imageOf }: { view: View; imageOf: ImageOf },
): ChapterDocument {
  const labels = new Map<string, string>();
  const labelOf = (key: string) => {
    if (!notes.has(key)) return undefined;
    const label = labels.get(key) ?? String(labels.size + 1);
    labels.set(key, label);
    return label;
  };
  const builder = new DocumentBuilder({ labelOf, imageOf });
  for (const paragraph of paragraphs) builder.add(paragraph);
  const footnotes = [...labels].flatMap(([key, label]) =>
    footnote(noteContent(notes.get(key) ?? [], view, imageOf), label),
  );
  return { nodes: [...builder.nodes(), ...footnotes], leaves: builder.leaves };
}

function footnote(body: readonly DocNode[][], label: string): DocNode {
  const content = body.map(paragraphOf);
  const empty = paragraphOf([{ type: "text", text: "…" }]);
  return { type: "footnote", attrs: { label }, content: content.length === 0 ? [empty] : content };
}

/** Returns the inline content of each paragraph of a note. */
export function noteContent(body: readonly WordParagraph[], view: View, imageOf?: ImageOf): DocNode[][] {
  return showPlain(body, view)
    .map(({ runs }) => inlineOf(runs, () => undefined, imageOf))
    .filter((content) => content.length > 0);
}

/** Returns a paragraph with this content. */
export function paragraphOf(content: DocNode[]): DocNode {
  return { type: "paragraph", attrs: { blockId: null }, content };
}

const QUOTE = /quot|block text|zitat|citaat|citazione|cita\b|citat/;

/** True if a paragraph looks like part of a quotation. */
export function isQuoted({ style, isSetIn }: Pick<WordParagraph, "style" | "isSetIn">): boolean {
  return QUOTE.test(style) || isSetIn;
}

/** Names of styles of code. */
export const CODE =
  /^(?:source code|source text|html preformatted|preformatted text|macro text|plain text|code)$/;

/** True if a paragraph parts two scenes. */
export function isSceneBreak(paragraph: WordParagraph): boolean {
  const { level, style, hasRule } = paragraph;
  if (level !== undefined) return false;
  if (!isEmpty(paragraph)) return SCENE_BREAK.test(paragraphText(paragraph));
  const isLine = hasRule || style === "horizontal line" || style === "scene break";
  return isLine && paragraph.runs.every(({ type }) => type !== "picture" && type !== "note");
}

/** An open list, with the depth of its entries in Word. */
interface OpenList {
  node: DocNode & { content: DocNode[] };
  depth: number;
  id: string;
}

/** Builds blocks of paragraphs: lists and quotes of neighbours, tables of cells. */
export class DocumentBuilder {
  readonly leaves = new Map<WordParagraph, DocNode>();
  readonly #nodes: DocNode[] = [];
  readonly #labelOf: LabelOf;
  readonly #imageOf: ImageOf;
  readonly #ids: ReadonlyMap<WordParagraph, string>;
  readonly #lists: OpenList[] = [];
  #quote: DocNode[] | undefined;
  #code: { lines: string[]; paragraphs: ShownParagraph[] } | undefined;
  readonly #cells: ShownParagraph[] = [];

  /** `ids` are those of paragraphs that are known. */
  constructor(
    { labelOf, imageOf }: { labelOf: LabelOf; imageOf: ImageOf },
    ids: ReadonlyMap<WordParagraph, string> = new Map(),
  ) {
    this.#labelOf = labelOf;
    this.#imageOf = imageOf;
    this.#ids = ids;
  }

  nodes(): DocNode[] {
    this.#close();
    return this.#nodes;
  }

  add(paragraph: ShownParagraph): void {
    const { cell, style } = paragraph;
    if (cell?.table !== this.#cells[0]?.cell?.table) this.#close();
    if (cell !== undefined) {
      this.#close("cells");
      this.#cells.push(paragraph);
    } else if (isSceneBreak(paragraph)) {
      this.#close();
      this.#leaf(paragraph, { type: "scene_break", attrs: { blockId: null, markup: "* * *" } }, this.#nodes);
    } else if (CODE.test(style)) this.#line(paragraph);
    else {
      const content = inlineOf(paragraph.runs, this.#labelOf, this.#imageOf);
      if (content.length > 0) this.#text(paragraph, content);
    }
  }

  #text(paragraph: ShownParagraph, content: DocNode[]): void {
    const { level, list } = paragraph;
    if (level !== undefined) {
      this.#close();
      this.#leaf(paragraph, { type: "heading", attrs: { blockId: null, level }, content }, this.#nodes);
    } else if (list !== undefined) {
      this.#close("lists");
      this.#leaf(paragraph, paragraphOf(content), this.#entry(list));
    } else if (isQuoted(paragraph)) {
      this.#close("quote");
      const quote = this.#quote ?? [];
      if (this.#quote === undefined) this.#nodes.push({ type: "blockquote", content: quote });
      this.#quote = quote;
      this.#leaf(paragraph, paragraphOf(content), quote);
    } else {
      this.#close();
      this.#leaf(paragraph, paragraphOf(content), this.#nodes);
    }
  }

  #leaf({ sources }: Pick<ShownParagraph, "sources">, made: DocNode, into: DocNode[]): void {
    const id = sources.map((source) => this.#ids.get(source)).find((known) => known !== undefined);
    const leaf = withId(made, id ?? null);
    into.push(leaf);
    for (const source of sources) this.leaves.set(source, leaf);
  }

  #line(paragraph: ShownParagraph): void {
    this.#close("code");
    this.#code ??= { lines: [], paragraphs: [] };
    this.#code.lines.push(
      paragraph.runs
        .map((run) => (run.type === "text" ? run.text : run.type === "break" ? "\n" : ""))
        .join(""),
    );
    this.#code.paragraphs.push(paragraph);
  }

  /** Returns the content of a new list entry at a depth. */
  #entry({ id, depth, start }: NonNullable<WordParagraph["list"]>): DocNode[] {
    while (this.#lists.length > 1 && this.#lists.at(-1)!.depth > depth) this.#lists.pop(); // there is one
    let open = this.#lists.at(-1);
    const type = start === undefined ? "bullet_list" : "ordered_list";
    if (open === undefined || open.depth < depth || open.node.type !== type || open.id !== id) {
      if (open !== undefined && open.depth >= depth) this.#lists.pop();
      const attrs =
        start === undefined ? { bullet: "-", tight: true } : { order: start, delim: ".", tight: true };
      const node = { type, attrs, content: [] as DocNode[] };
      const outer = this.#lists.at(-1)?.node.content.at(-1)?.content;
      (outer ?? this.#nodes).push(node);
      open = { node, depth, id };
      this.#lists.push(open);
    }
    const content: DocNode[] = [];
    open.node.content.push({ type: "list_item", attrs: { value: null }, content });
    return content;
  }

  /** Ends every open container but one. */
  #close(but?: "lists" | "quote" | "code" | "cells"): void {
    if (but !== "lists") this.#lists.length = 0;
    if (but !== "quote") this.#quote = undefined;
    if (but !== "code" && this.#code !== undefined) {
      const { lines, paragraphs } = this.#code;
      this.#code = undefined;
      const text = lines.join("\n");
      const code = {
        type: "code_block",
        attrs: { blockId: null, params: "", fence: "```" },
        content: [{ type: "text", text }],
      };
      const sources = paragraphs.flatMap(({ sources }) => sources);
      if (text.trim() !== "") this.#leaf({ sources }, code, this.#nodes);
    }
    if (but !== "cells" && this.#cells.length > 0) this.#table(this.#cells.splice(0));
  }

  #table(cells: readonly ShownParagraph[]): void {
    const rows = [...groupBy(cells, ({ cell }) => cell?.row ?? 0).values()];
    const width = 1 + largest(cells.map(({ cell }) => cell?.column ?? 0));
    // A table of one column is a frame.
    if (width === 1) {
      for (const { cell: _, ...paragraph } of cells) this.add({ ...paragraph, cell: undefined });
      return;
    }
    const lines = rows.map((row) => {
      const columns = groupBy(row, ({ cell }) => cell?.column ?? 0);
      const texts = Array.from({ length: width }, (_, column) => this.#cellText(columns.get(column) ?? []));
      return `| ${texts.join(" | ")} |`;
    });
    const [head = "", ...others] = lines;
    const rule = `|${" --- |".repeat(width)}`;
    const text = [head, rule, ...others].join("\n");
    const sources = cells.flatMap((cell) => cell.sources);
    const table = {
      type: "raw_block",
      attrs: { blockId: null, kind: "table" },
      content: [{ type: "text", text }],
    };
    this.#leaf({ sources }, table, this.#nodes);
  }

  #cellText(paragraphs: readonly ShownParagraph[]): string {
    const content = inlineOf(
      paragraphs.flatMap(({ runs }, at) => [
        ...(at === 0 ? [] : [{ type: "text" as const, text: " ", marks: {} }]),
        ...runs.map((run) => (run.type === "break" ? { ...run, type: "text" as const, text: " " } : run)),
      ]),
      this.#labelOf,
      this.#imageOf,
    );
    if (content.length === 0) return "";
    return writeBlock(paragraphOf(content))
      .replace(/\s*\n\s*/g, " ")
      .replace(/(?<!\\)\|/g, "\\|");
  }
}

/** Returns a paragraph's text as a title. */
export function titleText(paragraph: WordParagraph): string {
  return asTitle(paragraphText(paragraph));
}
