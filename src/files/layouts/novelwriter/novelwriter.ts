import { realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { BadRequest, NotFound } from "../../../refusals.ts";
import { TEXTS } from "../../../service/field-rules.ts";
import type { IncomingFact } from "../../../service/interchange/import-facts.ts";
import type { ForeignNote } from "../../../service/interchange/import-notes.ts";
import { counted, oneLine } from "../../../text/columns.ts";
import { append } from "../../../text/extremes.ts";
import type { ChapterSource, SkippedFile, SourceText } from "../../book-files.ts";
import { isFileWithin, readTextFile } from "../../disk/text-file.ts";
import { leastReady } from "../../folder/status.ts";
import type { Layout } from "../layout.ts";
import { readIndex } from "../listed.ts";
import { quoteAt } from "../quote.ts";
import { type NwSection, readNwDocument } from "./nwd.ts";
import { type NwItem, type NwRoot, readProject } from "./nwx.ts";

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
    const read: Read = {
      ...{ used: [INDEX], skipped: [], missing: [], facts: [], chapters: [], notes: [], sources: [] },
    };
    for (const root of roots) {
      const sections = root.documents.flatMap((item) => readItem(folder, root, item, read));
      // A second novel is a part with its name.
      const part = root === roots.find(({ of }) => of === "NOVEL") ? null : root.name;
      addChapters(gather(sections, part), read);
    }
    const [missing] = read.missing;
    if (read.chapters.length === 0) {
      if (missing !== undefined) throw new NotFound(`file in ${folder}: ${missing}`);
      throw new BadRequest(`${INDEX} lists no document of a novel that has text.`);
    }
    const fallbackTitle = title ?? basename(resolve(folder));
    return { folder: realpathSync(folder), book: undefined, ...read, fallbackTitle };
  },
};

/** What a project holds, as far as it has been read. */
interface Read {
  used: string[];
  skipped: SkippedFile[];
  missing: string[];
  facts: IncomingFact[];
  chapters: ChapterSource[];
  notes: ForeignNote[];
  sources: SourceText[];
}

/** A section of a novel, and its document. */
interface NovelSection extends NwSection {
  file: string;
  item: NwItem;
  /** Title of its part, once its chapter is known. */
  part: string | null;
  /** Footnotes of the whole document by their keys. */
  allFootnotes: ReadonlyMap<string, string>;
}

/** Reads a document and returns its sections if it belongs to a novel. Of a note its facts are added. */
function readItem(folder: string, root: NwRoot, item: NwItem, read: Read): NovelSection[] {
  const { handle, name, isNote, isActive } = item;
  // File version 1.0 had a folder for each first letter of a handle.
  const places = [`content/${handle}.nwd`, `data_${handle.slice(0, 1)}/${handle.slice(1)}_main.nwd`];
  const file = places.find((each) => isFileWithin(folder, each));
  if (file === undefined) {
    read.missing.push(`${places[0]}, which ${INDEX} lists as "${name}"`);
    return [];
  }
  read.used.push(file);
  const leave = (reason: string, isPartly = false): [] => {
    if (reason !== "") read.skipped.push({ file, reason, isKnown: true, isPartly });
    return [];
  };
  const isNovel = root.of === "NOVEL";
  if (AWAY.test(root.of))
    return leave(`"${name}": in ${root.name || root.of.toLowerCase()}, no part of the book`);
  if (isNovel && !isActive) return leave(`"${name}": not active in the project`);
  const text = readTextFile(join(folder, file), file);
  const sections = readNwDocument(text);
  if (isNovel && !isNote) {
    read.sources.push({ name: file, text: () => text.replace(NO_PROSE, "") });
    leave(leftOf(sections), true);
    const allFootnotes = new Map(sections.flatMap(({ footnotes }) => [...footnotes]));
    return sections.map((section) => ({ ...section, file, item, part: null, allFootnotes }));
  }
  const [, ...starts] = sections.flatMap(({ tag }, at) => (tag === undefined ? [] : at));
  const groups = [0, ...starts].map((at, group) => sections.slice(at, starts[group]));
  const facts = groups.flatMap((group) => factOf(group, root.of));
  append(read.facts, facts);
  if (facts.length === 0) return leave(`"${name}": a note without @tag`);
  const isCut = facts.some(({ summary }) => summary.length > TEXTS.summary.most);
  return leave(
    isCut ? `its facts are taken without what goes beyond ${TEXTS.summary.most} characters` : "",
    true,
  );
}

/** Lines of tags and comments, and codes of layout: what is left of a document is prose. */
const NO_PROSE = /^[@%].*$|\[(?:\/?[a-z]{1,3}|new ?page|vspace(?::\d+)?|br|footnote:[^\]\s]*)\]/gim;

/** A reference to a footnote in the prose, with its key. */
const REFERENCE = /\[footnote:([^\s:.[\]]{1,100})\]/gi;

/** Describes the parts of a document that are neither prose nor fields of a chapter; "" for none. */
function leftOf(sections: readonly NwSection[]): string {
  const references = sections.flatMap(({ tag, references }) => [
    ...(tag === undefined ? [] : ["@tag"]),
    ...references.map(({ key }) => `@${key}`),
  ]);
  const text = sections.map(({ prose }) => prose).join("");
  const referred = new Set(Array.from(text.matchAll(REFERENCE), ([, key]) => key));
  const all = new Map(sections.flatMap(({ footnotes }) => [...footnotes]));
  const footnotes = [...all].flatMap(([key, note]) => (referred.has(key) ? [] : `“${oneLine(note, 60)}”`));
  const codes = sections.flatMap((section) => section.codes);
  const listed = (found: readonly string[], what: string, more = "") =>
    found.length === 0 ? [] : [`${counted(found.length, what)}${more} (${[...new Set(found)].join(" ")})`];
  const parts = [
    ...listed(references, "reference"),
    ...listed(footnotes, "footnote", " that nothing refers to"),
    ...listed(codes, "code", " of layout"),
  ];
  return parts.length === 0 ? "" : `its prose is taken without ${parts.join(", ")}`;
}

/**
 * Gathers the sections of each chapter. One begins at each heading of level 2, or of level 3 in a novel without level 2, and may
 * run over several documents; a heading of level 1 begins a part.
 */
function gather(sections: readonly NovelSection[], outermost: string | null): NovelSection[][] {
  const opens = sections.some(({ level }) => level === 2) ? 2 : 3;
  const gathered: NovelSection[][] = [];
  let part = outermost;
  for (const section of sections) {
    const { level, title, isMarked } = section;
    if (level === 1 && !isMarked) part = title;
    const isFirst = gathered.length === 0 && (level > 0 || hasProse(section));
    if (level === 1 || level === opens || isFirst) gathered.push([]);
    gathered.at(-1)?.push({ ...section, part });
  }
  return gathered;
}

/** Adds chapters and the notes on them. The page of a part is a chapter only if it has prose or a synopsis. */
function addChapters(gathered: readonly NovelSection[][], { chapters, notes }: Read): void {
  const isBlank = (section: NovelSection) => !hasProse(section) && section.synopsis.length === 0;
  const counts = new Map<string, number>();
  for (const sections of gathered) {
    const [{ level, title, part, file, item }] = sections as [NovelSection];
    if (level === 1 && sections.every(isBlank)) continue;
    const place = (counts.get(file) ?? 0) + 1;
    counts.set(file, place);
    // A chapter is recognized later by its first document and its place there, from 1.
    const own = place === 1 ? file : file.replace(/(?=\.nwd$)/, `#${place}`);
    const named = title || item.name || "Untitled";
    chapters.push({ file: own, name: file, title: named, part, ...joined(sections), isForeign: true });
    const quoted = (prose: string, at: number) => quoteAt(prose, at)?.split(/\[footnote:/i)[0] || undefined;
    for (const { comments, prose } of sections)
      for (const { text, at } of comments) notes.push({ chapter: own, text, quote: quoted(prose, at) });
  }
}

function hasProse({ prose }: NwSection): boolean {
  return prose.trim() !== "";
}

/** Joins the sections of a chapter, with the footnotes that they refer to. */
function joined(sections: readonly NovelSection[]): Pick<ChapterSource, "text" | "status" | "synopsis"> {
  const labels = new Map<string, string>();
  const texts = sections.map(({ heading, prose, allFootnotes }) => {
    const referred = prose.replace(REFERENCE, (reference, key: string) => {
      const text = allFootnotes.get(key);
      if (text === undefined) return reference;
      let label = key;
      for (let at = 2; labels.has(label) && labels.get(label) !== text; at++) label = `${key}-${at}`;
      labels.set(label, text);
      return `[^${label}]`;
    });
    return (heading + referred).replace(/^(?:[^\S\n]*\n)+/, "").trimEnd(); // without blank lines around it
  });
  const definitions = [...labels].map(([label, text]) => `[^${label}]: ${text}`);
  const eol = texts.some((text) => text.includes("\r\n")) ? "\r\n" : "\n";
  const status = leastReady(sections.filter(hasProse).map(({ item }) => item.status));
  const synopsis = sections.flatMap((section) => section.synopsis).join("\n");
  return {
    text: [...texts.filter((text) => text !== ""), ...definitions].join(eol + eol) + eol,
    ...(status === undefined ? {} : { status }),
    ...(synopsis === "" ? {} : { synopsis }),
  };
}

/** Makes a fact of a tag: its display name, with tag and heading as aliases, and all text with it as summary. */
function factOf(sections: readonly NwSection[], of: string): IncomingFact[] {
  const first = sections.findIndex(({ tag }) => tag !== undefined);
  const { title = "", tag } = sections[first] ?? {};
  if (tag === undefined) return [];
  const name = tag.display || tag.name;
  // "Mara Venn" is a longer form of Mara, "Character: Mara" is none.
  const wordsOf = (text: string) => text.toLowerCase().split(/\s+/);
  const isForm = !title.includes(":") && wordsOf(tag.name).every((word) => wordsOf(title).includes(word));
  const texts = sections.flatMap((section, at) => [
    at > first ? section.heading.trim() : "",
    ...section.synopsis,
    section.prose.trim(),
    ...section.comments.map(({ text }) => text),
  ]);
  return [
    {
      name,
      kind: of === "WORLD" ? "location" : of.toLowerCase(),
      aliases: [...new Set([tag.name, ...(isForm ? [title] : [])])].filter((alias) => alias !== name),
      attributes: sections.flatMap(({ references }) => references),
      summary: texts.filter((text) => text !== "").join("\n\n"),
    },
  ];
}
