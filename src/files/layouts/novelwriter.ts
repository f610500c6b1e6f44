import { realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { BadRequest, NotFound } from "../../refusals.ts";
import type { AskedFact } from "../../service/import-facts.ts";
import type { SkippedFile } from "../read-book.ts";
import { isFileWithin, readTextFile } from "../text-file.ts";
import type { Layout, LayoutBook, Source } from "./layout.ts";
import { holds, readIndex } from "./listed.ts";
import { ChapterGathering } from "./nw-chapters.ts";
import { factsOf } from "./nw-facts.ts";
import { type NwSection, readDocument } from "./nwd.ts";
import { type NwItem, readProject } from "./nwx.ts";

const INDEX = "nwProject.nwx";
/** Roots whose documents are thrown away, put away or not meant as text. */
const AWAY = /^(?:ARCHIVE|TRASH|TEMPLATE|NO_CLASS)$/;

/** A novelWriter project: chapters from its headings, facts from its tags. */
export const NOVELWRITER: Layout = {
  name: "novelwriter",
  called: "novelWriter",
  lacks: "there is no nwProject.nwx in it",
  detect: ({ folder, file }) =>
    (file === undefined || file === INDEX) && holds(folder, INDEX) ? INDEX : undefined,
  read: async ({ folder }: Source, { mayLack }) => {
    const { title, roots } = readProject(readIndex(folder, INDEX), INDEX);
    const used: string[] = [INDEX];
    const skipped: SkippedFile[] = [];
    const facts: AskedFact[] = [];
    const gathering = new ChapterGathering();
    for (const root of roots) {
      const documents = documentsOf(root);
      if (root.of === "NOVEL") gathering.beginRoot(root.name);
      for (const item of documents) {
        const file = fileOf(folder, item.handle);
        if (file === undefined && mayLack) continue;
        if (file === undefined) {
          throw new NotFound(
            `file in ${folder}: content/${item.handle}.nwd, which ${INDEX} lists as "${item.name}"`,
          );
        }
        used.push(file);
        const away = reasonToSkip(root, item);
        if (away !== undefined) {
          skipped.push({ file, reason: `"${item.name}": ${away}`, isKnown: true });
          continue;
        }
        const sections = readDocument(readTextFile(join(folder, file), file));
        const left = root.of === "NOVEL" && !item.isNote ? leftOf(sections, file) : [];
        skipped.push(...left);
        if (root.of === "NOVEL" && !item.isNote) gathering.take({ file, item, sections });
        else {
          const read = factsOf(sections, root.of);
          facts.push(...read.facts);
          if (read.facts.length === 0)
            skipped.push({ file, reason: `"${item.name}": a note without @tag`, isKnown: true });
          else if (read.left !== undefined) skipped.push({ file, reason: read.left, isKnown: true });
        }
      }
    }
    const chapters = gathering.chapters();
    if (chapters.length === 0) throw new BadRequest(`${INDEX} lists no document of a novel that has text.`);
    const fallbackTitle = title ?? basename(resolve(folder));
    return {
      folder: realpathSync(folder),
      book: undefined,
      chapters,
      facts,
      skipped,
      used,
      fallbackTitle,
    } satisfies LayoutBook;
  },
};

function documentsOf(item: NwItem): NwItem[] {
  return [...(item.isFile ? [item] : []), ...item.children.flatMap(documentsOf)];
}

/** Where a document lies: up to file version 1.0 in folders by the first letter of its handle. */
function fileOf(folder: string, handle: string): string | undefined {
  const places = [`content/${handle}.nwd`, `data_${handle.slice(0, 1)}/${handle.slice(1)}_main.nwd`];
  return places.find((file) => isFileWithin(folder, join(folder, file)));
}

function reasonToSkip(root: NwItem, { isActive }: NwItem): string | undefined {
  if (AWAY.test(root.of)) return `in ${root.name || root.of.toLowerCase()}, no part of the book`;
  return root.of === "NOVEL" && !isActive ? "not active in the project" : undefined;
}

/** What of a document is neither prose nor a field of the chapter. */
function leftOf(sections: readonly NwSection[], file: string): SkippedFile[] {
  const references = sections.flatMap((section) => section.references);
  const comments = sections.flatMap((section) => section.comments);
  const kinds = [...new Set(references.map(({ key }) => `@${key}`))].join(" ");
  const parts = [
    ...(references.length === 0 ? [] : [`${references.length} references (${kinds})`]),
    ...(comments.length === 0 ? [] : [`${comments.length} comments (${comments.map(brief).join(", ")})`]),
  ];
  return parts.length === 0
    ? []
    : [{ file, reason: `its prose is taken without ${parts.join(" and ")}`, isKnown: true }];
}

function brief(comment: string): string {
  return `“${comment.length > 60 ? `${comment.slice(0, 60)}…` : comment}”`;
}
