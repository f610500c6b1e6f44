import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { parseMarkdown } from "../../prose/parse.ts";
import { BadRequest } from "../../refusals.ts";
import { withoutControl } from "../../text/clean-text.ts";
import type { SkippedFile } from "../book-files.ts";
import { isFileWithin } from "../disk/text-file.ts";
import { openBlock, splitFrontMatter } from "../front-matter.ts";
import { MARKDOWN } from "../layout-names.ts";
import { asKeys, asText, readIndexYaml } from "../yaml/open.ts";
import { walk } from "./folder.ts";
import type { Layout, LayoutBook, Source } from "./layout.ts";
import { type ListedEntry, pathOf, readIndex, readListed } from "./listed.ts";

/** A Longform project of Obsidian: the scenes listed in the front matter of an index note, or that note itself. */
export const LONGFORM: Layout = {
  name: "longform",
  called: "Longform",
  lacks: "no note in it has longform: in its front matter",
  detect: (source) => find(source)[0],
  read: async (source) => {
    const [index, other] = find(source) as [string, string?]; // it was detected
    const { folder } = source;
    if (other !== undefined) {
      throw new BadRequest(
        `${folder} holds several Longform projects or drafts; import one by its index: ${index} or ${other}.`,
      );
    }
    const { yaml } = openBlock(splitFrontMatter(readIndex(folder, index)).frontMatter);
    const { format, title, scenes, sceneFolder, ignoredFiles } = asKeys(
      (await readIndexYaml(yaml, index, 1)).longform,
    );
    const name = asText(title) ?? index.replace(MARKDOWN, "");
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
    return withParts(readListed(folder, listed.map(entryOf), { index, title: name }), listed, {
      index,
      ignored: ignoredFrom(folder, below, ignoredFiles),
    });
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
function withParts(
  book: LayoutBook,
  listed: readonly ListedScene[],
  { index, ignored }: { index: string; ignored: LayoutBook["skipped"] },
): LayoutBook {
  const texts = new Map(book.chapters.map(({ file, text }) => [file, text]));
  const parts = new Map<string, string | null>();
  const openers: SkippedFile[] = [];
  let part: string | null = null;
  let top = 0;
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
    } else parts.set(file, part);
  });
  const isOpener = new Set(openers.map(({ file }) => file));
  const chapters = book.chapters
    .filter(({ file }) => !isOpener.has(file ?? ""))
    .map((chapter) => ({ ...chapter, part: parts.get(chapter.file ?? "") ?? null }));
  if (chapters.length === 0) throw new BadRequest(`${index} lists no scene that has text.`);
  return { ...book, chapters, skipped: [...book.skipped, ...openers, ...ignored] };
}

function isBlank(text: string | undefined): boolean {
  if (text === undefined) return false;
  const { head, blocks } = parseMarkdown(withoutControl(splitFrontMatter(text).body));
  return head.trim() === "" && blocks.every(({ node }) => node.type === "heading");
}

/** Returns the files that the index tells Longform to ignore; `*` stands for any text. */
function ignoredFrom(folder: string, below: string, patterns: unknown): LayoutBook["skipped"] {
  const asked = (Array.isArray(patterns) ? patterns : []).flatMap((pattern) => asText(pattern) ?? []);
  if (asked.length === 0) return [];
  const inFolder = below.replace(/\/+$/, "");
  return walk(folder)
    .files.filter((file) => MARKDOWN.test(file) && file.split("/").slice(0, -1).join("/") === inFolder)
    .filter((file) =>
      asked.some((pattern) => matches(file.replace(/^.*\//, "").replace(MARKDOWN, ""), pattern)),
    )
    .map((file) => ({ file, reason: "the Longform index ignores it", isKnown: true }));
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

/** Returns the index notes directly in the folder, or the requested file. */
function find({ folder, file }: Source): string[] {
  const names = file === undefined ? readdirSync(folder).sort() : [file];
  return names.filter(
    (name) =>
      MARKDOWN.test(name) &&
      !name.startsWith(".") &&
      isFileWithin(folder, name) &&
      isIndex(join(folder, name)),
  );
}

const HEAD_BYTES = 256 * 1024;

/** True if a note's front matter has `longform:`. Reads only its beginning. */
function isIndex(path: string): boolean {
  const file = openSync(path, "r");
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
