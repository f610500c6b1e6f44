import type { StoredChapter } from "../../book/book.ts";
import { listHeadings } from "../../prose/document/heading.ts";
import { titleOf } from "../file-names.ts";
import type { Yaml } from "../yaml/open.ts";
import { type BlockFields, type IsPart, neededBlock, newBlock, updatedBlock } from "./front-matter-fields.ts";
import { findListedPart } from "./manifest.ts";

const BOM = Buffer.from("\ufeff");

/** Options for rendering a chapter's file. */
export interface Rendering {
  /** Relative to the folder. */
  file: string;
  /** The chapter's prose as the file gets it. */
  markdown: Buffer;
  /** Titles of the book's parts, in order. */
  parts: readonly string[];
  /** Needed for a chapter that came with front matter. */
  yaml: Yaml | undefined;
}

/**
 * Returns a chapter's file with its front matter: the original block while it is true, else that block with changes,
 * or a new one.
 */
export function chapterBytes(chapter: StoredChapter, { file, markdown, parts, yaml }: Rendering): Buffer {
  const { frontMatter, bom } = chapter;
  const mark = bom ? [BOM] : [];
  if (frontMatter === "") {
    const prose =
      bom && markdown.subarray(0, BOM.length).equals(BOM) ? markdown.subarray(BOM.length) : markdown;
    const block = chapter.eol === "crlf" ? newBlock(chapter).replaceAll("\n", "\r\n") : newBlock(chapter);
    return Buffer.concat([...mark, Buffer.from(block), prose]);
  }
  if (yaml === undefined) throw new Error("front matter needs the yaml package loaded");
  const fields = { ...chapter, titleOfFile: () => titleOfFile(chapter, file) };
  const block = updatedBlock(yaml, frontMatter, fields, isPartOf(parts));
  return Buffer.concat([...mark, Buffer.from(block), markdown]);
}

/** Title and part that a chapter's file implies without its own block. */
export type SaidBeside = Pick<BlockFields, "titleOfFile" | "partOfFile">;

/** Returns a chapter's file as it was imported, with its own block or none, changed only where the chapter was. */
export function bytesAsImported(
  { bom, frontMatter, eol, title, part, status, synopsis, ...chapter }: StoredChapter,
  beside: SaidBeside,
  { parts, yaml }: Pick<Rendering, "parts" | "yaml">,
): Buffer {
  const fields = { title, part, status, synopsis, ...beside };
  const markdown = chapter.markdown();
  if (frontMatter !== "") {
    if (yaml === undefined) throw new Error("front matter needs the yaml package loaded");
    const block = updatedBlock(yaml, frontMatter, fields, isPartOf(parts));
    return Buffer.concat([...(bom ? [BOM] : []), Buffer.from(block), markdown]);
  }
  const block = neededBlock(fields);
  if (block === "") return markdown;
  const lines = eol === "crlf" ? block.replaceAll("\n", "\r\n") : block;
  const prose =
    bom && markdown.subarray(0, BOM.length).equals(BOM) ? markdown.subarray(BOM.length) : markdown;
  return Buffer.concat([...(bom ? [BOM] : []), Buffer.from(lines), prose]);
}

/** Returns the title that a chapter's file implies: its first heading, else the file's name. */
export function titleOfFile(chapter: Pick<StoredChapter, "prose">, file: string): string {
  return listHeadings(chapter.prose().blocks.map(({ node }) => node))[0]?.title ?? titleOf(file);
}

/** Returns a test of whether a block's word for its part means the part of a title; `parts` are the book's titles. */
export function isPartOf(parts: readonly string[]): IsPart {
  const listed = parts.map((title) => ({ title, names: [] }));
  return (said, title) => said === title || listed[findListedPart(listed, said)]?.title === title;
}
