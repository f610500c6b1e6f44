import type { StoredChapter } from "../../book/book.ts";
import { listHeadings } from "../../prose/document/heading.ts";
import type { Yaml } from "../yaml/open.ts";
import { type BlockFields, type IsPart, neededBlock, newBlock, updatedBlock } from "./front-matter-fields.ts";
import { findListedPart } from "./manifest.ts";
import { titleOf } from "./title-and-name.ts";

const BOM = Buffer.from("\ufeff");

/** What front matter is rendered with besides its chapter. */
export interface Rendering {
  /** Relative to the folder. */
  file: string;
  /** The chapter's prose as it goes into the file. */
  markdown: Buffer;
  /** The titles of the book's parts, in order. */
  parts: readonly string[];
  /** Needed for a chapter that came with front matter. */
  yaml: Yaml | undefined;
}

/**
 * The bytes of a chapter's file with its front matter: the block it came with as long as that says the truth, else that
 * block changed, or a new one.
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

/** What a chapter's file says by itself, besides its own block. */
export type SaidBeside = Pick<BlockFields, "titleOfFile" | "partOfFile">;

/** The bytes of a chapter's file as it came: its own block or none, and only what has changed since in it. */
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

/** The title that a chapter's file gives it by itself: its first heading, else the file's name. */
export function titleOfFile(chapter: Pick<StoredChapter, "prose">, file: string): string {
  return listHeadings(chapter.prose().blocks.map(({ node }) => node))[0]?.title ?? titleOf(file);
}

/** Tells whether what a block calls its part is the part of a title; `parts` are the titles of the book's. */
export function isPartOf(parts: readonly string[]): IsPart {
  const listed = parts.map((title) => ({ title, names: [] }));
  return (said, title) => said === title || listed[findListedPart(listed, said)]?.title === title;
}
