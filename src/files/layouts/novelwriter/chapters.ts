import type { ChapterSource } from "../../folder/book-files.ts";
import type { NwSection } from "./nwd.ts";
import type { NwItem } from "./nwx.ts";

/** A document of a novel, taken apart. */
export interface NwDocument {
  file: string;
  item: NwItem;
  sections: readonly NwSection[];
}

interface Gathered {
  file: string;
  title: string;
  part: string | null;
  /** A part's own page, or the title page: a chapter only where it has prose. */
  isPage: boolean;
  texts: string[];
  hasProse: boolean;
  synopsis: string[];
  statuses: NwItem["status"][];
}

const ORDER = ["draft", "revising", "done"] as const;

/**
 * The chapters of novels: one begins at each heading of level 2, or of level 3 in a novel that has none of 2, and goes on over
 * the documents behind it; a heading of level 1 begins a part. A second novel's chapters stand in a part of its name.
 */
export function gatherChapters(
  novels: readonly { name: string; documents: readonly NwDocument[] }[],
): ChapterSource[] {
  return novels.flatMap(({ name, documents }, index) => gather(documents, index === 0 ? null : name));
}

function gather(documents: readonly NwDocument[], outermost: string | null): ChapterSource[] {
  const hasChapters = documents.some(({ sections }) => sections.some(({ level }) => level === 2));
  const opens = hasChapters ? 2 : 3;
  const gathered: Gathered[] = [];
  let part = outermost;
  for (const { file, item, sections } of documents) {
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
          synopsis: [],
          statuses: [],
        });
      }
      const chapter = gathered.at(-1);
      if (chapter !== undefined) add(chapter, section, item.status);
    }
  }
  const places = new Map<string, number>();
  return gathered
    .filter(({ isPage, hasProse, synopsis }) => !isPage || hasProse || synopsis.length > 0)
    .map((chapter) => {
      const place = (places.get(chapter.file) ?? 0) + 1;
      places.set(chapter.file, place);
      return toChapter(chapter, place);
    });
}

function hasText({ level, prose }: NwSection): boolean {
  return level > 0 || prose.trim() !== "";
}

function add(chapter: Gathered, { heading, prose, synopsis }: NwSection, status: NwItem["status"]): void {
  const hasProse = prose.trim() !== "";
  if (heading !== "" || hasProse) chapter.texts.push(trimmed(heading + prose));
  if (hasProse) chapter.statuses.push(status);
  chapter.hasProse ||= hasProse;
  chapter.synopsis.push(...synopsis);
}

/** A text without the blank lines around it. */
function trimmed(text: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const isText = (line: string) => line.trim() !== "";
  return lines
    .slice(lines.findIndex(isText), lines.findLastIndex(isText) + 1)
    .join("")
    .replace(/\r?\n$/, "");
}

/** A chapter is found again by the document that it begins in, and there by its place, from 1. */
function toChapter({ file, title, part, texts, synopsis, statuses }: Gathered, place: number): ChapterSource {
  const isKnown = statuses.length > 0 && statuses.every((status) => status !== undefined);
  const status = ORDER.find((each) => statuses.includes(each));
  const eol = texts.some((text) => text.includes("\r\n")) ? "\r\n" : "\n";
  return {
    file: place === 1 ? file : file.replace(/(?=\.nwd$)/, `#${place}`),
    name: file,
    text: texts.join(eol + eol) + eol,
    title,
    part,
    isForeign: true,
    ...(isKnown && status !== undefined ? { status } : {}),
    ...(synopsis.length === 0 ? {} : { synopsis: synopsis.join("\n") }),
  };
}
