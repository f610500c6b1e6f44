import type { StoredChapter } from "../book/book.ts";
import type { StoredBook } from "../book/merge-book.ts";
import type { BlockId } from "../ids.ts";
import { isHeadingOf } from "../prose/document/heading.ts";
import { isLeaf } from "../prose/document/leaves.ts";
import { partsScenes, yearsIn } from "../prose/document/text.ts";
import type { DocNode } from "../prose/document/types.ts";
import { counted } from "../text/columns.ts";
import { append } from "../text/extremes.ts";
import type {
  BookMetadata,
  CompiledBlock,
  CompiledBook,
  CompiledChapter,
  CompiledFootnote,
  CompiledNote,
  Inline,
} from "./compiled.ts";
import { pictureTag, type RunReader, readRuns, readTable } from "./parts/runs.ts";
import type { Picture } from "./picture.ts";

/** What a book is compiled with besides its prose. */
export interface CompileOptions {
  metadata: BookMetadata;
  /** When the book was last changed, in ms since 1970. */
  modifiedAt: number;
  /** Its chapters in reading order; all of them without. */
  chapters?: readonly StoredChapter[] | undefined;
  /** Notes by chapter. */
  notes?: ReadonlyMap<string, readonly CompiledNote[]> | undefined;
  /** Finds a picture that a chapter names. */
  picture?: ((chapter: StoredChapter, path: string, isAnywhere: boolean) => Picture | undefined) | undefined;
}

/** Compiles a book for readers: numbered footnotes, chapter headings, no comments and no signs of other programs. */
export function compile(
  book: Pick<StoredBook, "id" | "title" | "chapters">,
  { metadata, modifiedAt, chapters = book.chapters, notes, picture }: CompileOptions,
): CompiledBook {
  const omitted = new Map<string, number>();
  let part: string | null = null;
  const compiled = chapters.map((chapter): CompiledChapter => {
    const begins = chapter.part === part ? null : chapter.part;
    part = chapter.part;
    const reader = new ChapterReader((path, isAnywhere) => picture?.(chapter, path, isAnywhere), omitted);
    const own = notes?.get(chapter.id) ?? [];
    return { ...readChapter(chapter, reader), part: begins, notes: own };
  });
  return {
    id: book.id,
    title: book.title,
    metadata,
    modifiedAt: new Date(modifiedAt).toISOString().replace(/\.\d+/, ""),
    wordCount: chapters.reduce((sum, { wordCount }) => sum + wordCount, 0),
    isWhole: chapters.length === book.chapters.length,
    chapters: compiled,
    omitted: [...omitted].map(([what, count]) => `Left out: ${counted(count, what)}.`),
  };
}

function readChapter(chapter: StoredChapter, reader: ChapterReader): Omit<CompiledChapter, "part" | "notes"> {
  const nodes = chapter.prose().blocks.map(({ node }) => node);
  reader.define(nodes);
  const { id, revision, title } = chapter;
  const shown = nodes.filter((node) => node.type !== "raw_block" || node.attrs?.kind === "table");
  const [first] = shown;
  const opens = first !== undefined && isHeadingOf(first, title);
  const heading = opens
    ? { id: idOf(first), runs: reader.runs(first) }
    : { id: null, runs: [{ type: "text", text: title, marks: {} } satisfies Inline] };
  const blocks = nodes.filter((node) => !opens || node !== first).flatMap((node) => reader.block(node));
  return { id, revision, title, heading, blocks, footnotes: reader.footnotes() };
}

function idOf({ attrs }: DocNode): BlockId | null {
  return (attrs?.blockId ?? null) as BlockId | null;
}

/** Reads the blocks of one chapter, and numbers its footnotes as they are referred to. */
class ChapterReader implements RunReader {
  readonly #definitions = new Map<string, DocNode>();
  readonly #footnotes = new Map<string, { number: number; blocks: CompiledBlock[] }>();
  readonly find: RunReader["find"];
  readonly #omitted: Map<string, number>;

  constructor(find: RunReader["find"], omitted: Map<string, number>) {
    this.find = find;
    this.#omitted = omitted;
  }

  define(nodes: readonly DocNode[]): void {
    for (const node of nodes) {
      const label = String(node.attrs?.label);
      if (node.type === "footnote" && !this.#definitions.has(label)) this.#definitions.set(label, node);
    }
  }

  footnotes(): readonly CompiledFootnote[] {
    return [...this.#footnotes.values()];
  }

  /** The footnote of this label; undefined if nothing defines it. */
  footnote(label: string): CompiledFootnote | undefined {
    const known = this.#footnotes.get(label);
    const node = this.#definitions.get(label);
    if (known !== undefined || node === undefined) return known;
    const made = { number: this.#footnotes.size + 1, blocks: [] as CompiledBlock[] };
    this.#footnotes.set(label, made); // before its blocks, which may refer to it
    append(made.blocks, this.#blocks(node));
    return made;
  }

  runs(leaf: DocNode): readonly Inline[] {
    return readRuns(leaf, this);
  }

  omit(what: string): void {
    this.#omitted.set(what, (this.#omitted.get(what) ?? 0) + 1);
  }

  #blocks({ content = [] }: DocNode): CompiledBlock[] {
    return content.flatMap((node) => this.block(node));
  }

  block(node: DocNode): CompiledBlock[] {
    if (isLeaf(node)) return this.#leaf(node);
    if (node.type === "footnote") return []; // at its reference
    const blocks = () => this.#blocks(node);
    if (node.type === "blockquote") return nonEmpty(blocks(), (all) => ({ type: "quote", blocks: all }));
    const years = yearsIn(node);
    if (years.size > 0 && years.size === node.content?.length)
      return [...years].map(([leaf, year]) => this.#paragraph(leaf, year));
    const { order, tight = true } = node.attrs ?? {};
    const items = (node.content ?? []).map((item) => this.#blocks(item));
    const start = node.type === "ordered_list" ? Number(order ?? 1) : undefined;
    return [{ type: "list", start, tight: tight === true, items }];
  }

  #leaf(leaf: DocNode): CompiledBlock[] {
    const id = idOf(leaf);
    if (partsScenes(leaf)) return [{ type: "scene_break", id }];
    if (leaf.type === "code_block") return [{ type: "code", id, text: leaf.content?.[0]?.text ?? "" }];
    if (leaf.type === "raw_block") return this.#raw(leaf);
    if (leaf.type === "paragraph") {
      const paragraph = this.#paragraph(leaf);
      return paragraph.runs.length === 0 ? [] : [paragraph]; // a comment alone
    }
    return [{ type: "heading", id, level: Math.max(2, Number(leaf.attrs?.level)), runs: this.runs(leaf) }];
  }

  #paragraph(leaf: DocNode, year = ""): CompiledBlock & { type: "paragraph" } {
    const before: Inline[] = year === "" ? [] : [{ type: "text", text: year, marks: {} }];
    return { type: "paragraph", id: idOf(leaf), runs: [...before, ...this.runs(leaf)] };
  }

  #raw(leaf: DocNode): CompiledBlock[] {
    const text = leaf.content?.[0]?.text ?? "";
    const id = idOf(leaf);
    if (leaf.attrs?.kind === "table") return [{ type: "table", id, rows: readTable(text, this) }];
    const picture = pictureTag(text, this);
    if (picture !== undefined) return [{ type: "paragraph", id, runs: [picture] }];
    if (leaf.attrs?.kind === "html" && !/^\s*<!--/.test(text)) this.omit("block of HTML");
    return [];
  }
}

function nonEmpty(
  blocks: readonly CompiledBlock[],
  make: (blocks: readonly CompiledBlock[]) => CompiledBlock,
): CompiledBlock[] {
  return blocks.length === 0 ? [] : [make(blocks)];
}
