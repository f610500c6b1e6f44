import { realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { BadRequest, NotFound } from "../../../refusals.ts";
import type { IncomingFact } from "../../../service/interchange/import-facts.ts";
import { counted } from "../../../text/columns.ts";
import { append } from "../../../text/extremes.ts";
import type { SkippedFile } from "../../book-files.ts";
import { isFileWithin, readTextFile } from "../../disk/text-file.ts";
import type { Layout, LayoutBook } from "../layout.ts";
import { readIndex } from "../listed.ts";
import { gatherChapters, type NwDocument, REFERENCE } from "./chapters.ts";
import { factsOfNote } from "./facts.ts";
import { type NwSection, readNwDocument } from "./nwd.ts";
import { type NwItem, readProject } from "./nwx.ts";

const INDEX = "nwProject.nwx";
/** Roots whose documents are discarded, archived or templates. */
const AWAY = /^(?:ARCHIVE|TRASH|TEMPLATE|NO_CLASS)$/;

/** A novelWriter project: chapters come from its headings, facts from its tags. */
export const NOVELWRITER: Layout = {
  name: "novelwriter",
  called: "novelWriter",
  lacks: "there is no nwProject.nwx in it",
  detect: ({ folder, file }) =>
    (file === undefined || file === INDEX) && isFileWithin(folder, INDEX) ? INDEX : undefined,
  read: async ({ folder }) => {
    const { title, roots } = readProject(readIndex(folder, INDEX), INDEX);
    const project: Project = { used: [INDEX], skipped: [], facts: [], novels: [] };
    const missing: string[] = [];
    for (const root of roots) {
      const placed = documentsOf(root).flatMap((item) => place(folder, item, missing));
      readRoot(folder, root, placed, project);
    }
    const { novels, facts, skipped, used } = project;
    const { chapters, notes } = gatherChapters(novels);
    if (chapters.length === 0 && missing.length > 0) throw new NotFound(`file in ${folder}: ${missing[0]}`);
    if (chapters.length === 0) throw new BadRequest(`${INDEX} lists no document of a novel that has text.`);
    const fallbackTitle = title ?? basename(resolve(folder));
    const book: LayoutBook = {
      folder: realpathSync(folder),
      book: undefined,
      chapters,
      missing,
      facts,
      notes,
      skipped,
      used,
      fallbackTitle,
    };
    return book;
  },
};

/** State of reading a project. */
interface Project {
  used: string[];
  skipped: SkippedFile[];
  facts: IncomingFact[];
  novels: { name: string; documents: NwDocument[] }[];
}

interface Placed {
  item: NwItem;
  file: string;
}

function documentsOf(item: NwItem): NwItem[] {
  return [...(item.isFile ? [item] : []), ...item.children.flatMap(documentsOf)];
}

/** Finds a document's file. File version 1.0 had a folder for each first letter of a handle. */
function place(folder: string, item: NwItem, missing: string[]): Placed[] {
  const { handle, name } = item;
  const places = [`content/${handle}.nwd`, `data_${handle.slice(0, 1)}/${handle.slice(1)}_main.nwd`];
  const file = places.find((each) => isFileWithin(folder, each));
  if (file !== undefined) return [{ item, file }];
  missing.push(`${places[0]}, which ${INDEX} lists as "${name}"`);
  return [];
}

/** Adds the documents of one root to the novels or the facts, and notes what was left out of them. */
function readRoot(
  folder: string,
  root: NwItem,
  placed: readonly Placed[],
  { used, skipped, facts, novels }: Project,
): void {
  const isNovel = root.of === "NOVEL";
  const documents: NwDocument[] = [];
  const leave = (file: string, reason: string, isPartly = false) =>
    skipped.push({ file, reason, isKnown: true, isPartly });
  for (const { item, file } of placed) {
    used.push(file);
    const away = reasonToSkip(root, item);
    if (away !== undefined) {
      leave(file, `"${item.name}": ${away}`);
      continue;
    }
    const sections = readNwDocument(readTextFile(join(folder, file), file));
    if (isNovel && !item.isNote) {
      documents.push({ file, item, sections });
      const left = leftOf(sections);
      if (left !== undefined) leave(file, left, true);
    } else {
      const read = factsOfNote(sections, root.of);
      append(facts, read.facts);
      if (read.facts.length === 0) leave(file, `"${item.name}": a note without @tag`);
      else if (read.left !== undefined) leave(file, read.left, true);
    }
  }
  if (isNovel) novels.push({ name: root.name, documents });
}

function reasonToSkip(root: NwItem, { isActive }: NwItem): string | undefined {
  if (AWAY.test(root.of)) return `in ${root.name || root.of.toLowerCase()}, no part of the book`;
  return root.of === "NOVEL" && !isActive ? "not active in the project" : undefined;
}

/** Describes the parts of a document that are neither prose nor fields of a chapter. */
function leftOf(sections: readonly NwSection[]): string | undefined {
  const tags = sections.flatMap(({ tag }) => (tag === undefined ? [] : [{ key: "tag" }]));
  const references = [...tags, ...sections.flatMap((section) => section.references)];
  const referred = new Set(
    sections.flatMap(({ prose }) => [...prose.matchAll(REFERENCE)].map(([, key]) => key)),
  );
  const footnotes = sections.flatMap((section) => section.footnotes).filter(({ key }) => !referred.has(key));
  const codes = sections.flatMap((section) => section.codes);
  const kinds = [...new Set(references.map(({ key }) => `@${key}`))].join(" ");
  const parts = [
    ...(references.length === 0 ? [] : [`${counted(references.length, "reference")} (${kinds})`]),
    ...(footnotes.length === 0
      ? []
      : [
          `${counted(footnotes.length, "footnote")} that nothing refers to (${footnotes.map(({ text }) => brief(text)).join(", ")})`,
        ]),
    ...(codes.length === 0
      ? []
      : [`${counted(codes.length, "code")} of layout (${[...new Set(codes)].join(" ")})`]),
  ];
  return parts.length === 0 ? undefined : `its prose is taken without ${parts.join(", ")}`;
}

function brief(comment: string): string {
  return `“${comment.length > 60 ? `${comment.slice(0, 60)}…` : comment}”`;
}
