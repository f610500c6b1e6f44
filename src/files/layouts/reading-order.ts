import { realpathSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { decodedPath } from "../../service/interchange/pictures.ts";
import type { ChapterSource, SkippedFile } from "../book-files.ts";
import { isFileWithin, readTextFile, statOf } from "../disk/text-file.ts";
import { fittingTitle } from "../folder/foreign-fields.ts";
import { splitFrontMatter } from "../front-matter.ts";
import { MARKDOWN } from "../layout-names.ts";
import { partsByFolder, reasonToSkip, walk } from "./folder.ts";
import type { Layout } from "./layout.ts";
import { TEMPLATE, templatesIn } from "./vault.ts";

/** A folder of notes of which one is a list of links to others, such as an index in Obsidian or a SUMMARY.md. */
export const READING_ORDER: Layout = {
  name: "reading-order",
  called: "a folder of notes",
  lacks: "no note in it, or more than one, is a list of links to others and nothing else",
  detect: ({ folder, isFolder }) => (isFolder ? find(folder)?.index : undefined),
  read: async ({ folder }) => {
    const { index, links } = find(folder)!; // it was detected
    const hasParts = links.some(({ part }) => part !== null);
    const partOf = partsByFolder();
    const chapters = links.map(({ file, part }): ChapterSource => {
      const own = hasParts ? part : partOf(file);
      const text = readTextFile(join(folder, file), file);
      return { file, name: file, text, ...(own === undefined ? {} : { part: own }) };
    });
    const isTemplate = templatesIn(folder);
    const skipped = notesIn(folder).flatMap((file): SkippedFile[] =>
      isTemplate(file) ? [{ file, reason: TEMPLATE, isKnown: true }] : [],
    );
    return {
      folder: realpathSync(folder),
      book: undefined,
      chapters,
      skipped,
      used: [index],
      fallbackTitle: basename(resolve(folder)),
      guess: `in the order of the links in ${index}`,
    };
  },
};

interface Link {
  file: string;
  /** The heading above it; null above the first. */
  part: string | null;
}

interface Order {
  index: string;
  links: Link[];
}

/** Names of notes that give an order. One of another name must list half of the notes: it may list people or places. */
const NAMED = /index|order|contents|summary|toc|moc|outline|chapters|manuscript/i;
/** A list of links is short. */
const MOST_BYTES = 256 * 1024;

/** Returns the only note that lists others; undefined if there is none, or more than one. */
function find(folder: string): Order | undefined {
  const isTemplate = templatesIn(folder);
  const notes = notesIn(folder).filter((file) => !isTemplate(file));
  const resolveLink = resolver(notes);
  const orders = notes.flatMap((index) => {
    if (statOf(join(folder, index), index).size > MOST_BYTES) return [];
    const links = linksIn(readTextFile(join(folder, index), index), index, resolveLink);
    const isOrder = links.length > 1 && (NAMED.test(stemOf(index)) || links.length * 2 >= notes.length - 1);
    return isOrder ? [{ index, links }] : [];
  });
  return orders.length === 1 ? orders[0] : undefined;
}

function notesIn(folder: string): string[] {
  return walk(folder).files.filter(
    (file) => MARKDOWN.test(file) && isFileWithin(folder, file) && reasonToSkip(folder, file) === undefined,
  );
}

type ResolveLink = (target: string, from: string) => string | undefined;

/** Finds a link's note: by its path from the linking note or from the folder, else by a name that only one has. */
function resolver(notes: readonly string[]): ResolveLink {
  const byPath = new Map(notes.map((file) => [keyOf(file), file]));
  const byName = new Map<string, string | undefined>();
  for (const file of notes) {
    const name = keyOf(basename(file));
    byName.set(name, byName.has(name) ? undefined : file);
  }
  return (target, from) =>
    byPath.get(keyOf(join(dirname(from), target))) ??
    byPath.get(keyOf(join(target))) ??
    byName.get(keyOf(target));
}

function keyOf(path: string): string {
  return path.replace(MARKDOWN, "").replaceAll("\\", "/").normalize("NFC").toLowerCase();
}

function stemOf(file: string): string {
  return basename(file, extname(file));
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const ENTRY = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?(.*?)[ \t]*$/;
const WIKI_LINK = /^!?\[\[([^[\]|#^]+)(?:[#^][^[\]|]*)?(?:\|[^[\]]*)?\]\]$/;
const LINK = /^\[[^[\]]*\]\((?:<([^<>]+)>|([^()\s]+))\)$/;

/**
 * Returns the links of a note that holds nothing but a list of links to other notes and headings, each note once; none
 * of any other note. The first heading is the note's own title if no other is as high, or if it is the note's name.
 */
function linksIn(text: string, index: string, resolveLink: ResolveLink): Link[] {
  const links = new Map<string, Link>();
  const lines = splitFrontMatter(text).body.split(/\r?\n/);
  const levels = lines.flatMap((line) => HEADING.exec(line)?.[1]?.length ?? []);
  const [highest = 0] = levels;
  const isAlone = levels.filter((level) => level <= highest).length === 1;
  let part: string | null = null;
  let headings = 0;
  for (const line of lines) {
    if (line.trim() === "" || /^ {0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*$/.test(line)) continue;
    const heading = HEADING.exec(line)?.[2];
    if (heading !== undefined) {
      headings += 1;
      const isOwn = isAlone || keyOf(heading) === keyOf(stemOf(index));
      if (headings > 1 || links.size > 0 || !isOwn) part = fittingTitle(heading);
      continue;
    }
    const file = resolveLink(targetOf(line), index);
    if (file === undefined || file === index) return [];
    if (!links.has(file)) links.set(file, { file, part });
  }
  return [...links.values()];
}

/** Returns the path or name that a line links to; "" for a line that is anything but one link. */
function targetOf(line: string): string {
  const [, entry = ""] = ENTRY.exec(line) ?? [];
  const [, path, bare = ""] = WIKI_LINK.exec(entry) ?? LINK.exec(entry) ?? [];
  return (path ?? decodedPath(bare)).trim();
}
