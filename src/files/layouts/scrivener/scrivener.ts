import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { BadRequest } from "../../../refusals.ts";
import { TEXT_FILE } from "../../../service/field-rules.ts";
import { isFileWithin } from "../../disk/text-file.ts";
import type { ChapterSource, SkippedFile } from "../../folder/book-files.ts";
import { titleOf } from "../../folder/title-and-name.ts";
import { readPlainFolder, walk } from "../folder.ts";
import type { Layout, LayoutBook, LayoutOptions, Source } from "../layout.ts";
import { MARKDOWN, README } from "../names.ts";
import { bookOfText, readWhole } from "../one-file/file.ts";
import { splitMetadata } from "./mmd.ts";

/** What Scrivener writes out: one MultiMarkdown text, or a folder of the binder's files with their synopses and notes. */
export const SCRIVENER: Layout = {
  name: "scrivener",
  called: "Scrivener's export",
  lacks:
    "it is neither a text that begins with MultiMarkdown's Title: nor a folder whose files have a Synopsis or Notes beside them",
  detect: (source) => (source.isFolder ? companionIn(source.folder) : metadataIn(source)),
  admits: ({ isFolder, folder }) =>
    isFolder ? walk(folder).files.find((file) => TEXT_FILE.test(file)) : undefined,
  read: async (source, reading) =>
    source.isFolder ? readExported(source.folder) : await readCompiled(source, reading),
};

/** The title is the book's; its other metadata is no prose, and the plan says what it was. */
async function readCompiled(source: Source, reading: LayoutOptions): Promise<LayoutBook> {
  const { file, text } = readWhole(source, reading.split);
  const { metadata, body } = splitMetadata(text)!; // it was detected
  const book = await bookOfText({ file, name: file, text: body }, reading);
  const others = [...metadata].filter(([key]) => key !== "title").map((entry) => entry.join(": "));
  const reason = `its metadata is no prose: ${others.join("; ")}`;
  return {
    ...book,
    folder: realpathSync(source.folder),
    skipped: [...(others.length === 0 ? [] : [{ file, reason, isKnown: true }]), ...book.skipped],
    fallbackTitle: metadata.get("title") || book.fallbackTitle,
  };
}

// "The Ferry Synopsis", "The Ferry [Notes]"; "ferry-notes" is a name of somebody else.
const COMPANION = /^(.*?)(?: | ?[([])(Synopsis|Notes|Meta-?Data)[)\]]?$/;

/** What a file says more of, and as what; undefined if it stands for itself. `stems` are those of all files. */
function companionOf(
  file: string,
  stems: ReadonlyMap<string, string>,
): { of: string; kind: string } | undefined {
  const [, stem = "", kind = ""] = COMPANION.exec(stemOf(file)) ?? [];
  const of = stem === "" || stem.endsWith("/") ? undefined : stems.get(stem);
  return of === undefined || of === file ? undefined : { of, kind: kind.toLowerCase() };
}

function stemOf(file: string): string {
  return file.replace(/\.[^./]*$/, "");
}

/** A file that shows the folder to be Scrivener's: one about another, or plain text where there is no Markdown. */
function companionIn(folder: string): string | undefined {
  const all = walk(folder).files;
  if (all.some((file) => /^[^/]*\.scrivx$/i.test(file))) {
    throw new BadRequest(
      `${folder} is a project of Scrivener, whose texts are RTF. Let Scrivener compile it for MultiMarkdown, or export its files as plain text, and import that.`,
    );
  }
  const files = all.filter((file) => TEXT_FILE.test(file) && !README.test(file));
  const plain = files.some((file) => MARKDOWN.test(file)) ? undefined : files[0];
  const stems = new Map(files.map((file) => [stemOf(file), file]));
  return files.find((file) => companionOf(file, stems) !== undefined) ?? plain;
}

/** Each file a chapter with its synopsis; notes and metadata beside it are told of. */
function readExported(folder: string): LayoutBook {
  const book = readPlainFolder(folder, TEXT_FILE);
  const stems = new Map(book.chapters.map(({ name }) => [stemOf(name), name]));
  const synopses = new Map<string, string>();
  const used: string[] = [];
  const skipped: SkippedFile[] = [];
  const chapters = book.chapters.filter(({ name, text }) => {
    const companion = companionOf(name, stems);
    if (companion === undefined) return true;
    const { of, kind } = companion;
    if (kind === "synopsis") {
      synopses.set(of, text.replace(/^\ufeff/, "").trim());
      used.push(name);
    } else skipped.push({ file: name, reason: `${kind} of ${of}, no prose`, isKnown: true });
    return false;
  });
  if (chapters.length === 0) throw new BadRequest(`${folder} holds no text that is no synopsis or note.`);
  return {
    ...book,
    chapters: chapters.map((chapter) => toChapter(chapter, synopses.get(chapter.name))),
    skipped: [...book.skipped, ...skipped],
    used,
  };
}

/** Each file of a MultiMarkdown export may begin with metadata of its own. */
function toChapter(chapter: ChapterSource, synopsis: string | undefined): ChapterSource {
  const { metadata, body = chapter.text } = splitMetadata(chapter.text) ?? {};
  // The binder's number of a file stands behind its name.
  const title = metadata?.get("title") || titleOf(chapter.name.replace(/ ?\[\d+\](?=\.[^.]*$)/, ""));
  return { ...chapter, title, text: body, isForeign: true, ...(synopsis ? { synopsis } : {}) };
}

const HEAD_BYTES = 64 * 1024;

function metadataIn({ path, folder, file }: Source): string | undefined {
  if (file === undefined || !TEXT_FILE.test(file) || !isFileWithin(folder, file)) return undefined;
  const opened = openSync(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const text = head.toString("utf8", 0, readSync(opened, head, 0, HEAD_BYTES, 0));
    return splitMetadata(text) === undefined ? undefined : "its first lines are MultiMarkdown's metadata";
  } finally {
    closeSync(opened);
  }
}
