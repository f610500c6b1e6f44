import { closeSync, openSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseMarkdown } from "../../prose/parse.ts";
import { BadRequest } from "../../refusals.ts";
import { withoutControl } from "../../text/clean-text.ts";
import { counted } from "../../text/columns.ts";
import type { SkippedFile } from "../book-files.ts";
import { isFileWithin, readTextFile, statOf } from "../disk/text-file.ts";
import { openBlock, splitFrontMatter } from "../front-matter.ts";
import { MARKDOWN } from "../layout-names.ts";
import { asKeys, asText, readIndexYaml } from "../yaml/open.ts";
import { walk } from "./folder.ts";
import { BooksWithin, type Layout, type LayoutBook, type Source } from "./layout.ts";
import { type ListedEntry, pathOf, readIndex, readListed } from "./listed.ts";
import { TEMPLATE, templatesIn } from "./vault.ts";

/**
 * A Longform project of Obsidian: the scenes listed in the front matter of an index note, or that note itself. Throws
 * `BooksWithin` if a folder holds several, or one in a folder within.
 */
export const LONGFORM: Layout = {
  name: "longform",
  called: "Longform",
  lacks: "no note in it has longform: in its front matter",
  detect: (source) => find(source)[0],
  admits: ({ folder, isFolder }) => {
    const empty = isFolder ? walk(folder).files.find((file) => isEmptyNote(folder, file)) : undefined;
    if (empty !== undefined) throw emptyIndex(empty);
    return undefined;
  },
  read: async (source) => {
    const [index = "", ...others] = find(source); // it was detected
    const { folder } = source;
    if (others.length > 0 || index.includes("/"))
      throw new BooksWithin(folder, "Longform project", [index, ...others]);
    const { yaml } = openBlock(splitFrontMatter(readIndex(folder, index)).frontMatter);
    const { format, title, draftTitle, scenes, sceneFolder, sceneTemplate, ignoredFiles } = asKeys(
      (await readIndexYaml(yaml, index, 1)).longform,
    );
    const draft = asText(draftTitle);
    const name = (asText(title) ?? index.replace(MARKDOWN, "")) + (draft === undefined ? "" : ` (${draft})`);
    if (format === "single") {
      const single = readListed(folder, [{ file: index, title: name }], { index, title: name });
      return { ...single, used: [] };
    }
    if (!Array.isArray(scenes)) {
      throw new BadRequest(`${index}: longform.scenes must be a list of scenes, or longform.format single.`);
    }
    const below = (asText(sceneFolder) ?? "").replace(/^\/+/, "");
    const listed = flatten(scenes, index).map(({ scene, depth }) => ({
      depth,
      title: scene.replace(/^.*\//, "").replace(/^\d+[ \t]*[._-]+[ \t]*(?=\S)/, ""),
      file: pathOf(`${scene}.md`, below, index),
    }));
    const book = withParts(readListed(folder, listed.map(entryOf), { index, title: name }), listed, index);
    const left = leftOut(folder, book, { below, ignoredFiles, sceneTemplate: asText(sceneTemplate) });
    return { ...book, skipped: [...book.skipped, ...left] };
  },
};

interface ListedScene {
  title: string;
  file: string;
  depth: number;
}

function entryOf({ title, file }: ListedScene): ListedEntry {
  return { title, file };
}

/** Returns the scenes in order, with the depth of nesting. Throws `BadRequest` for anything but names and lists. */
function flatten(scenes: readonly unknown[], index: string, depth = 0): { scene: string; depth: number }[] {
  if (depth > 50) throw new BadRequest(`${index}: longform.scenes is nested more than 50 deep.`);
  return scenes.flatMap((entry) => {
    if (Array.isArray(entry)) return flatten(entry, index, depth + 1);
    const scene = asText(entry);
    if (scene === undefined)
      throw new BadRequest(`${index}: longform.scenes holds something other than names of scenes.`);
    return [{ scene, depth }];
  });
}

/** Turns an outermost scene without prose into the part of the scenes below it. Every other scene is a chapter. */
function withParts(book: LayoutBook, listed: readonly ListedScene[], index: string): LayoutBook {
  const texts = new Map(book.chapters.map(({ file, text }) => [file, text]));
  const parts = new Map<string, string | null>();
  const openers: SkippedFile[] = [];
  let part: string | null = null;
  let top = 0;
  let indented = 0;
  listed.forEach(({ file, title, depth }, place) => {
    if (depth <= top) part = null;
    const hasScenes = (listed[place + 1]?.depth ?? 0) > depth;
    if (part === null && hasScenes && isBlank(texts.get(file))) {
      part = title;
      top = depth;
      openers.push({
        file,
        reason: `a scene without text above others: it is their part, "${title}"`,
        isKnown: true,
        isIndex: true,
      });
    } else {
      parts.set(file, part);
      if (depth > (part === null ? 0 : top + 1)) indented += 1;
    }
  });
  const isOpener = new Set(openers.map(({ file }) => file));
  const chapters = book.chapters
    .filter(({ file }) => !isOpener.has(file ?? ""))
    .map((chapter) => ({ ...chapter, part: parts.get(chapter.file ?? "") ?? null }));
  if (chapters.length === 0) throw new BadRequest(`${index} lists no scene that has text.`);
  const flat = `${counted(indented, "indented scene")}, each a chapter of its own: indents are not kept`;
  return {
    ...book,
    chapters,
    skipped: [...book.skipped, ...openers],
    ...(indented === 0 ? {} : { guess: flat }),
  };
}

function isBlank(text: string | undefined): boolean {
  if (text === undefined) return false;
  const { head, blocks } = parseMarkdown(withoutControl(splitFrontMatter(text).body));
  return head.trim() === "" && blocks.every(({ node }) => node.type === "heading");
}

/** Returns the notes that are never chapters: ignored and compiled ones, and templates. `*` stands for any text. */
function leftOut(
  folder: string,
  { chapters, skipped, used }: LayoutBook,
  {
    below,
    ignoredFiles,
    sceneTemplate,
  }: { below: string; ignoredFiles: unknown; sceneTemplate: string | undefined },
): SkippedFile[] {
  const patterns = (Array.isArray(ignoredFiles) ? ignoredFiles : []).flatMap((entry) => asText(entry) ?? []);
  const inFolder = below.replace(/\/+$/, "");
  const isTemplate = templatesIn(folder);
  const known = new Set([...used, ...[...chapters, ...skipped].map(({ file }) => file)]);
  const isCompiled = compiledFrom(chapters.map(({ text }) => splitFrontMatter(text).body.trim()));
  const reasonOf = (file: string) => {
    const name = basename(file).replace(MARKDOWN, "");
    const isIgnored =
      dirname(file) === (inFolder || ".") && patterns.some((pattern) => matches(name, pattern));
    if (isIgnored) return "the Longform index ignores it";
    if (isTemplate(file) || (sceneTemplate !== undefined && `/${sceneTemplate}`.endsWith(`/${file}`)))
      return TEMPLATE;
    return isCompiled(readTextFile(join(folder, file), file), file)
      ? "Longform compiled it from the scenes"
      : undefined;
  };
  return walk(folder)
    .files.filter((file) => MARKDOWN.test(file) && !known.has(file) && isFileWithin(folder, file))
    .flatMap((file) => {
      const reason = reasonOf(file);
      return reason === undefined ? [] : [{ file, reason, isKnown: true }];
    });
}

/** Returns a test for compiled notes: by the name that Longform proposes, or by the first and the last scene in it. */
function compiledFrom(scenes: readonly string[]): (text: string, file: string) => boolean {
  const [first, ...others] = scenes
    .filter((scene) => scene !== "")
    .map((scene) => scene.split(/\r?\n/, 1)[0] ?? "");
  const last = others.at(-1);
  return (text, file) => {
    if (basename(file) === "manuscript.md") return true;
    return (
      first !== undefined &&
      last !== undefined &&
      text.includes(last, text.indexOf(first) + 1) &&
      text.includes(first)
    );
  };
}

/** True if a name fits a pattern. Compares piece by piece, in linear time. */
function matches(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return name === pattern;
  const last = rest.pop() ?? "";
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false;
  let from = first.length;
  for (const piece of rest) {
    const at = name.indexOf(piece, from);
    if (at < 0 || at + piece.length > name.length - last.length) return false;
    from = at + piece.length;
  }
  return true;
}

/** Returns the requested file if it is an index note, or those in and below a folder. Throws `BadRequest` for an empty one. */
function find({ folder, file }: Source): string[] {
  if (file !== undefined) return isIndex(folder, file) ? [file] : [];
  const isTemplate = templatesIn(folder);
  const notes = walk(folder).files.filter((name) => MARKDOWN.test(name) && !isTemplate(name));
  const empty = notes.find((name) => basename(name) === "Index.md" && isEmptyNote(folder, name));
  if (empty !== undefined) throw emptyIndex(empty);
  return notes.filter((name) => isIndex(folder, name));
}

function isEmptyNote(folder: string, file: string): boolean {
  return MARKDOWN.test(file) && isFileWithin(folder, file) && statOf(join(folder, file), file).size === 0;
}

function emptyIndex(index: string): BadRequest {
  return new BadRequest(
    `${index} is empty (0 bytes), and the order of the scenes may have been in it. Restore it, in Obsidian with File recovery, or remove it.`,
  );
}

const HEAD_BYTES = 256 * 1024;

/** True if a note's front matter has `longform:`. Reads only its beginning. */
function isIndex(folder: string, name: string): boolean {
  if (!MARKDOWN.test(name) || !isFileWithin(folder, name)) return false;
  const file = openSync(join(folder, name), "r");
  try {
    const few = Buffer.alloc(6);
    const start = few.toString("utf8", 0, readSync(file, few, 0, few.length, 0)).replace(/^\ufeff/, "");
    if (!start.startsWith("---")) return false;
    const head = Buffer.alloc(HEAD_BYTES);
    const text = head.toString("utf8", 0, readSync(file, head, 0, HEAD_BYTES, 0)).replace(/^\ufeff/, "");
    const [, block = ""] = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
    return /^longform[ \t]*:/m.test(block);
  } finally {
    closeSync(file);
  }
}
