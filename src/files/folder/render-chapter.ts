import type { ChapterExport } from "../../service/interchange/export-book.ts";
import type { Yaml } from "../yaml/open.ts";
import { newBlock, updatedBlock } from "./front-matter-fields.ts";
import { findPart } from "./manifest.ts";

const BOM = Buffer.from("\ufeff");

/**
 * The bytes of a chapter's file with its front matter: the block it came with as long as that says the truth, else that
 * block changed, or a new one. `yaml` is needed for a chapter that came with one; `parts` are the book's titles in order.
 */
export function chapterBytes(
  chapter: ChapterExport,
  parts: readonly string[],
  yaml: Yaml | undefined,
): Buffer {
  const { frontMatter, bom, markdown } = chapter;
  if (frontMatter === "") {
    const prose =
      bom && markdown.subarray(0, BOM.length).equals(BOM) ? markdown.subarray(BOM.length) : markdown;
    const block = chapter.eol === "crlf" ? newBlock(chapter).replaceAll("\n", "\r\n") : newBlock(chapter);
    return Buffer.concat([...(bom ? [BOM] : []), Buffer.from(block), prose]);
  }
  if (yaml === undefined) throw new Error("front matter needs the yaml package loaded");
  const listed = parts.map((title) => ({ title, names: [] }));
  const isPart = (said: string, title: string | null) =>
    said === title || listed[findPart(listed, said)]?.title === title;
  const block = updatedBlock(yaml, frontMatter, chapter, isPart);
  return Buffer.concat([...(bom ? [BOM] : []), Buffer.from(block), markdown]);
}
