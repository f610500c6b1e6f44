import { BadRequest } from "../../refusals.ts";
import type { ChapterSource } from "../book-files.ts";
import { isFileWithin } from "../disk/text-file.ts";
import { splitFrontMatter } from "../front-matter.ts";
import { asKeys, asText, readIndexYaml } from "../yaml/open.ts";
import type { Layout, LayoutBook, Source } from "./layout.ts";
import { type ListedEntry, pathOf, readIndex, readListed } from "./listed.ts";

const INDEXES = ["_quarto.yml", "_quarto.yaml"];

/** A Quarto book: the chapters, parts and appendices of `_quarto.yml`. */
export const QUARTO: Layout = {
  name: "quarto",
  called: "Quarto",
  lacks: "there is no _quarto.yml in it with the project type book",
  detect: async (source) => {
    const index = find(source);
    if (index === undefined) return undefined;
    // A website has a file of this name too.
    const { project } = await readIndexYaml(readIndex(source.folder, index), index);
    return asKeys(project).type === "book" ? index : undefined;
  },
  read: async (source) => {
    const index = find(source)!; // it was detected
    const { book } = await readIndexYaml(readIndex(source.folder, index), index);
    const { title, chapters, appendices = [] } = asKeys(book);
    const listed: Listing = { index, entries: [], pages: new Set(), skipped: [] };
    takeAll(listed, chapters, "book.chapters", null);
    takeAll(listed, appendices, "book.appendices", "Appendices");
    const read = readListed(source.folder, listed.entries, { index, title: asText(title) });
    const titled = withTitles(read.chapters, listed.pages);
    return { ...read, chapters: titled, skipped: [...listed.skipped, ...read.skipped] };
  },
};

interface Listing {
  index: string;
  entries: ListedEntry[];
  /** Files that serve as the first page of a part. */
  pages: Set<string>;
  skipped: LayoutBook["skipped"][number][];
}

function find({ folder, file }: Source): string | undefined {
  return INDEXES.find((index) => (file === undefined || file === index) && isFileWithin(folder, index));
}

function takeAll(listing: Listing, value: unknown, where: string, part: string | null): void {
  if (!Array.isArray(value)) throw new BadRequest(`${listing.index}: ${where} must be a list of files.`);
  value.forEach((entry, place) => {
    takeOne(listing, entry, `${where}[${place}]`, part);
  });
}

function takeOne(listing: Listing, entry: unknown, where: string, part: string | null): void {
  const { part: opened, chapters, file, href } = asKeys(entry);
  const path = asText(typeof entry === "object" ? (file ?? href) : entry);
  if (opened !== undefined) {
    const title = asText(opened);
    if (title === undefined)
      throw new BadRequest(`${listing.index}: ${where}.part must be a title or a file.`);
    const isPage = /\.(?:qmd|md|markdown|rmd)$/i.test(title);
    const name = isPage ? pathOf(title, "", listing.index) : title;
    if (isPage) {
      listing.pages.add(name);
      take(listing, title, name);
    }
    if (chapters !== undefined) takeAll(listing, chapters, `${where}.chapters`, name);
  } else if (path !== undefined) take(listing, path, part);
  else throw new BadRequest(`${listing.index}: ${where} must be a file, or a part with its chapters.`);
}

function take({ index, entries, skipped }: Listing, path: string, part: string | null): void {
  if (/\.(?:qmd|md|markdown|rmd)$/i.test(path)) entries.push({ file: pathOf(path, "", index), part });
  else skipped.push({ file: path, reason: "not Markdown", isKnown: true });
}

/** Titles chapters by their headings, without attributes, and parts by their pages. */
function withTitles(chapters: readonly ChapterSource[], pages: ReadonlySet<string>): ChapterSource[] {
  const titles = new Map(chapters.map((chapter) => [chapter.file ?? "", headingOf(chapter.text)]));
  return chapters.map(({ part, ...chapter }) => {
    const heading = titles.get(chapter.file ?? "");
    const page = part != null && pages.has(part) ? titles.get(part) : undefined;
    return {
      ...chapter,
      ...(heading === undefined ? {} : { title: heading }),
      ...(part === undefined ? {} : { part: page ?? part }),
    };
  });
}

/** Returns the first heading outside code, without attributes such as `{.unnumbered}`. */
function headingOf(text: string): string | undefined {
  const { body, frontMatter } = splitFrontMatter(text);
  const said = /^title[ \t]*:[ \t]*(?:"([^"\\\r\n]+)"|'([^'\r\n]+)'|([^"'|>\s#][^\r\n#]*))/m.exec(
    frontMatter,
  );
  if (said !== null) return (said[1] ?? said[2] ?? said[3])?.trim();
  let fence: string | undefined;
  for (const line of body.split(/\r\n|\r|\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
    }
    const heading = fence === undefined ? /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line)?.[1] : undefined;
    const title = withoutAttributes(heading ?? "");
    if (title !== "") return title;
  }
  return undefined;
}

function withoutAttributes(heading: string): string {
  const text = heading.trim();
  const bare = text.endsWith("}") && text.includes("{") ? text.slice(0, text.lastIndexOf("{")) : text;
  return bare.replace(/[*_`]/g, "").trim();
}
