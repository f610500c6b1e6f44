import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { parseMarkdown } from "../../../prose/parse.ts";
import { BadRequest, PayloadTooLarge } from "../../../refusals.ts";
import { MARKDOWN_BYTES } from "../../../service/field-rules.ts";
import { withoutControl } from "../../../text/clean-text.ts";
import type { ChapterSource } from "../../book-files.ts";
import { readTextFile, WHOLE_BYTES } from "../../disk/text-file.ts";
import { kindOfFile, unreadable } from "../../document-kinds.ts";
import { cleanBook, droppedFrom } from "../../folder/clean-files.ts";
import { readFields } from "../../folder/front-matter-fields.ts";
import { splitFrontMatter } from "../../front-matter.ts";
import { assertProse } from "../foreign-projects.ts";
import type { Layout, LayoutBook, LayoutOptions, Source } from "../layout.ts";
import { readOne } from "../manuscript.ts";
import { guessSplit, splitByHeadings } from "./split-by-headings.ts";

/** Characters beyond which a text is more likely a book, such as plain text without Markdown, than a chapter. */
const LONG_CHAPTER = 100_000;
const UNCUT = "one chapter, for no headings cut it; give each chapter's title one, as in # Title";

/** One file: a chapter, or a book cut at its headings. */
export const ONE_FILE: Layout = {
  name: "file",
  called: "one file",
  lacks: "it is a folder",
  detect: ({ isFolder }) => (isFolder ? undefined : "a file"),
  read: async (source, { split, title, isChapter, cleans }) => {
    const own = typeof split === "number" ? undefined : await readOne(source.path);
    if (own !== undefined) return { ...(cleans ? cleanBook(own) : own), used: [] };
    const { file, text } = readWhole(source, split);
    const folder = realpathSync(dirname(source.path));
    const isKnown = split === undefined && isChapter?.({ folder, file }) === true;
    const reading = { split: isKnown ? "none" : split, title, cleans } as const;
    const book = await bookOfText({ file, name: file, text }, reading);
    return { ...book, folder };
  },
};

/** Reads a source of one file. It may be as long as a novel, unless it is to be one chapter. */
export function readWhole(
  { path, isFolder }: Source,
  split: LayoutOptions["split"],
): { file: string; text: string } {
  const file = basename(path);
  if (isFolder) throw new BadRequest(`${path} is a folder; name one of its files.`);
  const kind = kindOfFile(path, file);
  if (kind !== undefined && kind.ending !== "html") throw unreadable(file, kind); // bytes or codes, no text
  return { file, text: readTextFile(path, file, split === "none" ? MARKDOWN_BYTES : WHOLE_BYTES) };
}

/**
 * Returns a book of one text, cleaned before it is cut. Throws `BadRequest` for XML and JSON. A text with control characters is not cut unless it is
 * cleaned: it is refused with all their places.
 */
export async function bookOfText(
  whole: ChapterSource,
  { cleans = false, ...reading }: Pick<LayoutOptions, "split" | "title" | "cleans">,
): Promise<LayoutBook> {
  assertProse(whole.name, whole.text);
  const dropped = droppedFrom(whole.name, whole.text);
  if (dropped === undefined) return await cutText(whole, reading);
  if (!cleans) return await cutText(whole, { split: "none" });
  const book = await cutText({ ...whole, text: withoutControl(whole.text) }, reading);
  return { ...book, skipped: [dropped, ...book.skipped] };
}

/**
 * Cuts a text into a book: before headings of the requested level, else as `guessSplit` says. A text that an export
 * made names its chapter, and stays whole. Front matter above several chapters describes the book, and its title is
 * used. A heading with the book's title alone is no chapter; with other words it is.
 */
async function cutText(
  whole: ChapterSource,
  { split, title: given }: Pick<LayoutOptions, "split" | "title">,
): Promise<LayoutBook> {
  const { bom, frontMatter, body } = splitFrontMatter(whole.text);
  const said = frontMatter === "" ? {} : readFields(await import("yaml"), frontMatter, whole.name).fields;
  const isExported = said.id?.startsWith("ch_") ?? false;
  const mayBeCut = split === undefined && !isExported;
  const guess = mayBeCut ? guessSplit(body) : undefined;
  const level = typeof split === "number" ? split : guess?.level;
  const fallbackTitle = level === undefined ? undefined : (said.title ?? guess?.title ?? nameOf(whole));
  const base = { folder: undefined, book: undefined, used: [], fallbackTitle };
  if (level === undefined) {
    assertFits(whole);
    return { ...base, chapters: [whole], skipped: [], ...remarkOn(body, mayBeCut) };
  }
  const texts = splitByHeadings((bom ? "\ufeff" : "") + body, level, whole.name, guess);
  const chapters = texts.map((text, index) => ({
    file: null,
    name: `${whole.name}, chapter ${index + 1}`,
    text,
  }));
  const reason = "front matter of the whole book: its title is taken, its other keys are not";
  return {
    ...base,
    chapters: withoutTitlePage(chapters, guess?.title, given ?? fallbackTitle),
    skipped: frontMatter === "" ? [] : [{ file: whole.name, reason }],
    ...(guess === undefined ? {} : { guess: guess.why }),
  };
}

/** Remarks on a long text that was not cut. */
function remarkOn(body: string, mayBeCut: boolean): { guess?: string } {
  return mayBeCut && body.length > LONG_CHAPTER ? { guess: UNCUT } : {};
}

function nameOf({ file }: ChapterSource): string | undefined {
  return file?.replace(/\.[^.]*$/, "");
}

/** Drops a first chapter that is nothing but a heading with the book's title. */
function withoutTitlePage(
  chapters: ChapterSource[],
  title: string | undefined,
  bookTitle: string | undefined,
): ChapterSource[] {
  if (title === undefined || title !== bookTitle) return chapters;
  const { head, blocks } = parseMarkdown(chapters[0]?.text ?? "");
  const [first, second] = blocks;
  const isTitlePage =
    head.trim() === "" && first?.node.type === "heading" && first.gap.trim() === "" && second === undefined;
  return isTitlePage ? chapters.slice(1) : chapters;
}

function assertFits({ name, text }: ChapterSource): void {
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > MARKDOWN_BYTES) {
    throw new PayloadTooLarge(
      `${name} has ${sizeBytes} bytes; a chapter takes at most ${MARKDOWN_BYTES} (4 MiB). Cut it at its headings with --split.`,
    );
  }
}
