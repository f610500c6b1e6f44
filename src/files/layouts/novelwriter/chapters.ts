import type { ForeignNote } from "../../../service/interchange/import-notes.ts";
import { append } from "../../../text/extremes.ts";
import type { ChapterSource } from "../../book-files.ts";
import { leastReady } from "../../folder/status.ts";
import { quoteAt } from "../quote.ts";
import type { NwSection } from "./nwd.ts";
import type { NwItem } from "./nwx.ts";

/** A document of a novel, split at its headings. */
export interface NwDocument {
  file: string;
  item: NwItem;
  sections: readonly NwSection[];
}

interface Gathered {
  file: string;
  title: string;
  part: string | null;
  /** True for a part's page or the title page, which is a chapter only if it has prose. */
  isPage: boolean;
  texts: string[];
  hasProse: boolean;
  /** Footnotes by their labels in this chapter. */
  footnotes: Map<string, string>;
  notes: { quote: string | undefined; text: string }[];
  synopsis: string[];
  statuses: NwItem["status"][];
}

/**
 * Gathers the chapters of novels. A chapter begins at each heading of level 2, or of level 3 in a novel without level
 * 2, and may run over several documents; a heading of level 1 begins a part. The chapters of a second novel form a
 * part with its name.
 */
export function gatherChapters(
  novels: readonly { name: string; documents: readonly NwDocument[] }[],
): NwChapters {
  const each = novels.flatMap(({ name, documents }, index) => gather(documents, index === 0 ? null : name));
  return {
    chapters: each.map(({ chapter }) => chapter),
    notes: each.flatMap(({ chapter, notes }) =>
      notes.map((note) => ({ chapter: chapter.file ?? "", ...note })),
    ),
  };
}

/** Chapters of novels, and the comments in them. */
export interface NwChapters {
  chapters: ChapterSource[];
  notes: ForeignNote[];
}

function gather(documents: readonly NwDocument[], outermost: string | null): NotedChapter[] {
  const hasChapters = documents.some(({ sections }) => sections.some(({ level }) => level === 2));
  const opens = hasChapters ? 2 : 3;
  const gathered: Gathered[] = [];
  let part = outermost;
  for (const { file, item, sections } of documents) {
    const footnotes = footnotesOf(sections);
    for (const section of sections) {
      const { level, title, isMarked } = section;
      if (level === 1 && !isMarked) part = title;
      if (level === 1 || level === opens || (gathered.length === 0 && hasText(section))) {
        const isPage = level === 1;
        const name = title || item.name || "Untitled";
        gathered.push({
          file,
          title: name,
          part,
          isPage,
          texts: [],
          hasProse: false,
          footnotes: new Map(),
          notes: [],
          synopsis: [],
          statuses: [],
        });
      }
      const chapter = gathered.at(-1);
      if (chapter !== undefined) add(chapter, section, { status: item.status, footnotes });
    }
  }
  const places = new Map<string, number>();
  return gathered
    .filter(({ isPage, hasProse, synopsis }) => !isPage || hasProse || synopsis.length > 0)
    .map((chapter) => {
      const place = (places.get(chapter.file) ?? 0) + 1;
      places.set(chapter.file, place);
      return { chapter: toChapter(chapter, place), notes: chapter.notes };
    });
}

interface NotedChapter {
  chapter: ChapterSource;
  notes: Gathered["notes"];
}

/** Returns a document's footnotes by key. */
function footnotesOf(sections: readonly NwSection[]): ReadonlyMap<string, string> {
  return new Map(sections.flatMap(({ footnotes }) => footnotes.map(({ key, text }) => [key, text] as const)));
}

function hasText({ level, prose }: NwSection): boolean {
  return level > 0 || prose.trim() !== "";
}

function add(
  chapter: Gathered,
  { heading, prose, synopsis, comments }: NwSection,
  { status, footnotes }: { status: NwItem["status"]; footnotes: ReadonlyMap<string, string> },
): void {
  const hasProse = prose.trim() !== "";
  const referred = withReferences(prose, footnotes, chapter.footnotes);
  if (heading !== "" || hasProse) chapter.texts.push(trimmed(heading + referred));
  chapter.notes.push(
    ...comments.map(({ text, at }) => ({
      text,
      quote: quoteAt(prose, at)?.split(/\[footnote:/i)[0] || undefined,
    })),
  );
  if (hasProse) chapter.statuses.push(status);
  chapter.hasProse ||= hasProse;
  append(chapter.synopsis, synopsis);
}

/** A reference to a footnote in the prose, with its key. */
export const REFERENCE = /\[footnote:([^\s:.[\]]{1,100})\]/gi;

/** Writes footnote references as Markdown, and adds their texts to the chapter's footnotes. */
function withReferences(
  prose: string,
  said: ReadonlyMap<string, string>,
  taken: Map<string, string>,
): string {
  return prose.replace(REFERENCE, (reference, key: string) => {
    const text = said.get(key);
    if (text === undefined) return reference;
    let label = key;
    for (let place = 2; taken.has(label) && taken.get(label) !== text; place++) label = `${key}-${place}`;
    taken.set(label, text);
    return `[^${label}]`;
  });
}

/** Returns a text without blank lines around it. */
function trimmed(text: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const isText = (line: string) => line.trim() !== "";
  return lines
    .slice(lines.findIndex(isText), lines.findLastIndex(isText) + 1)
    .join("")
    .replace(/\r?\n$/, "");
}

/** A chapter is recognized later by its first document and its place there, from 1. */
function toChapter(
  { file, title, part, texts, footnotes, synopsis, statuses }: Gathered,
  place: number,
): ChapterSource {
  const definitions = [...footnotes].map(([label, text]) => `[^${label}]: ${text}`);
  const status = leastReady(statuses);
  const eol = texts.some((text) => text.includes("\r\n")) ? "\r\n" : "\n";
  return {
    file: place === 1 ? file : file.replace(/(?=\.nwd$)/, `#${place}`),
    name: file,
    text: [...texts, ...definitions].join(eol + eol) + eol,
    title,
    part,
    isForeign: true,
    ...(status === undefined ? {} : { status }),
    ...(synopsis.length === 0 ? {} : { synopsis: synopsis.join("\n") }),
  };
}
