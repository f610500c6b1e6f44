import type { BlockId } from "../../ids.ts";
import { grouped } from "../../text/columns.ts";
import { largest } from "../../text/extremes.ts";
import { blockBookmark, chapterBookmark } from "../bookmarks.ts";
import type {
  CompiledBlock,
  CompiledBook,
  CompiledChapter,
  CompiledList,
  CompiledNote,
  Inline,
} from "../compiled.ts";
import { type Comment, commentsOf } from "./comments.ts";
import { InlineWriter, textXml } from "./inline.ts";

/** Where a block stands. */
interface Context {
  style?: string;
  /** Depth of lists, from 0. */
  depth: number;
  inNote?: boolean;
  /** What its first paragraph begins with. */
  before?: string;
  /** Number of its list, for the first paragraph of an entry. */
  list?: number;
}

const TOP: Context = { depth: 0 };

/** Writes the body of a document, and gathers what stands in its other parts. */
export class BodyWriter {
  readonly inline = new InlineWriter();
  /** Comments, by number from 0. */
  readonly comments: Comment[] = [];
  /** Lists, by number from 1: where an ordered one begins. */
  readonly lists: (number | undefined)[] = [];
  #writer = "";
  #bookmarks = 0;
  #notes = new Map<BlockId | null, readonly CompiledNote[]>();

  write(book: CompiledBook, style: "manuscript" | "plain"): string {
    this.#writer = book.metadata.author;
    const isSent = style === "manuscript" && book.isWhole;
    const front = isSent ? titlePage(book) : book.isWhole ? plainTitle(book) : "";
    const end = isSent ? line("TheEnd", "END") : "";
    return front + book.chapters.map((chapter) => this.#chapter(chapter)).join("") + end;
  }

  /** Writes the footnotes that the body refers to. Only the first of each has the bookmarks. */
  footnotes(): string[] {
    const seen = new Set<unknown>();
    const number = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>';
    const before = `${number}<w:r>${textXml(" ")}</w:r>`;
    return this.inline.footnotes.map((footnote, at) => {
      const blocks = seen.has(footnote) ? withoutIds(footnote.blocks) : footnote.blocks;
      seen.add(footnote);
      const [first = EMPTY, ...rest] = blocks;
      const context = { style: "FootnoteText", depth: 0, inNote: true };
      const xml =
        this.#block(first, { ...context, before }) + rest.map((one) => this.#block(one, context)).join("");
      return `<w:footnote w:id="${at + 1}">${xml}</w:footnote>`;
    });
  }

  #chapter({ id, revision, part, heading, blocks, notes }: CompiledChapter): string {
    this.#notes = byBlock(notes);
    const anchor = this.#marked(chapterBookmark(id, revision), "");
    const own = [...(this.#notes.get(null) ?? []), ...(heading.id === null ? [] : this.#notesOn(heading.id))];
    const title = this.#paragraph(heading.id, this.inline.write(heading.runs), {
      ...TOP,
      style: "Heading1",
      before: anchor,
      notes: own,
    });
    return (
      (part === null ? "" : line("PartTitle", part)) +
      title +
      blocks.map((one) => this.#block(one, TOP)).join("")
    );
  }

  #notesOn(id: BlockId): readonly CompiledNote[] {
    return this.#notes.get(id) ?? [];
  }

  #block(block: CompiledBlock, context: Context): string {
    const { inNote = false } = context;
    switch (block.type) {
      case "paragraph":
        return this.#paragraph(block.id, this.inline.write(block.runs, inNote), context);
      case "heading":
        return this.#paragraph(block.id, this.inline.write(block.runs, inNote), {
          ...context,
          style: `Heading${block.level}`,
        });
      case "scene_break":
        return this.#paragraph(block.id, `<w:r>${textXml("#")}</w:r>`, { ...context, style: "SceneBreak" });
      case "code":
        return this.#paragraph(block.id, codeRuns(block.text), { ...context, style: "SourceText" });
      case "table":
        return this.#table(block);
      case "quote":
        return this.#blocks(block.blocks, { ...context, style: inNote ? "FootnoteText" : "Quote" });
      case "list":
        return this.#list(block, context);
    }
  }

  /** Only the first block has what the context begins with. */
  #blocks(blocks: readonly CompiledBlock[], { before, list, ...rest }: Context): string {
    const first = { ...rest, ...(before && { before }), ...(list && { list }) };
    return blocks.map((one, at) => this.#block(one, at === 0 ? first : rest)).join("");
  }

  #list({ start, items }: CompiledList, { depth, inNote = false, before }: Context): string {
    const list = this.lists.push(start);
    return items
      .map((blocks, at) =>
        this.#blocks(blocks.length === 0 ? [EMPTY] : blocks, {
          ...{ style: "ListParagraph", depth: depth + 1, inNote, list },
          ...(at === 0 && before ? { before } : {}),
        }),
      )
      .join("");
  }

  #paragraph(
    id: BlockId | null,
    content: string,
    {
      style,
      depth,
      list,
      before = "",
      notes = id === null ? [] : this.#notesOn(id),
    }: Context & { notes?: readonly CompiledNote[] },
  ): string {
    const level = Math.min(depth, 9) - 1;
    const indent =
      level >= 0 && list === undefined ? `<w:ind w:left="${720 * (level + 1)}" w:firstLine="0"/>` : "";
    const number =
      list === undefined ? "" : `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`;
    const format = (style ? `<w:pStyle w:val="${style}"/>` : "") + number + indent;
    const marked = this.#marked(id === null ? undefined : blockBookmark(id), this.#commented(content, notes));
    return `<w:p>${format && `<w:pPr>${format}</w:pPr>`}${before}${marked}</w:p>`;
  }

  #marked(name: string | undefined, content: string): string {
    if (name === undefined) return content;
    const id = this.#bookmarks++;
    return `<w:bookmarkStart w:id="${id}" w:name="${name}"/>${content}<w:bookmarkEnd w:id="${id}"/>`;
  }

  /** LibreOffice 7.4 shifts the footnotes that stand in a comment's range: the range ends before the first. */
  #commented(content: string, notes: readonly CompiledNote[]): string {
    if (notes.length === 0) return content;
    const first = this.comments.length;
    for (const note of notes) {
      for (const comment of commentsOf(note, this.comments.length, this.#writer)) this.comments.push(comment);
    }
    const ids = this.comments.slice(first).map((_, at) => first + at);
    const reference = content.indexOf("<w:footnoteReference");
    const cut = reference === -1 ? content.length : content.lastIndexOf("<w:r>", reference);
    const starts = ids.map((id) => `<w:commentRangeStart w:id="${id}"/>`).join("");
    const ends = ids.map(
      (id) =>
        `<w:commentRangeEnd w:id="${id}"/><w:r><w:rPr><w:rStyle w:val="CommentReference"/></w:rPr><w:commentReference w:id="${id}"/></w:r>`,
    );
    return starts + content.slice(0, cut) + ends.join("") + content.slice(cut);
  }

  #table({ id, rows }: CompiledBlock & { type: "table" }): string {
    const columns = Math.max(1, largest(rows.map((cells) => cells.length)));
    const cell = (runs: readonly Inline[] = []) =>
      `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr><w:p><w:pPr><w:pStyle w:val="TableText"/></w:pPr>${this.inline.write(runs)}</w:p></w:tc>`;
    const row = (cells: readonly (readonly Inline[])[]) =>
      `<w:tr>${Array.from({ length: columns }, (_, at) => cell(cells[at])).join("")}</w:tr>`;
    const grid = '<w:gridCol w:w="1000"/>'.repeat(columns);
    const table = `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows.map(row).join("")}</w:tbl>`;
    return this.#marked(id === null ? undefined : blockBookmark(id), table);
  }
}

const EMPTY: CompiledBlock = { type: "paragraph", id: null, runs: [] };

function withoutIds(blocks: readonly CompiledBlock[]): CompiledBlock[] {
  return blocks.map((block) => ("id" in block ? { ...block, id: null } : block));
}

function byBlock(notes: readonly CompiledNote[]): Map<BlockId | null, readonly CompiledNote[]> {
  const groups = new Map<BlockId | null, CompiledNote[]>();
  for (const note of notes) groups.set(note.blockId, [...(groups.get(note.blockId) ?? []), note]);
  return groups;
}

function codeRuns(text: string): string {
  return text
    .split("\n")
    .map((one, at) => `<w:r>${at === 0 ? "" : "<w:br/>"}${textXml(one)}</w:r>`)
    .join("");
}

function line(style: string, text: string, more = ""): string {
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/>${more}</w:pPr><w:r>${textXml(text)}</w:r></w:p>`;
}

/** Standard manuscript format: address and length at the top, title and name in the middle. */
function titlePage({ title, wordCount, metadata: { author, contact } }: CompiledBook): string {
  const [first = "", ...rest] = [...(author ? [author] : []), ...contact];
  const right = '<w:tabs><w:tab w:val="right" w:pos="9360"/></w:tabs>';
  const by = author ? line("Subtitle", `by ${author}`) : "";
  const top = line("TitlePage", `${first}\tabout ${roundWords(wordCount)} words`, right);
  return top + rest.map((one) => line("TitlePage", one)).join("") + line("Title", title) + by;
}

function plainTitle({ title, metadata: { author } }: CompiledBook): string {
  return line("Title", title) + (author ? line("Subtitle", author) : "");
}

/** An editor wants to know how long it is, not how many words: hundreds, from 10,000 on thousands. */
function roundWords(count: number): string {
  const unit = count >= 10_000 ? 1000 : 100;
  return grouped(Math.max(unit, Math.round(count / unit) * unit));
}
