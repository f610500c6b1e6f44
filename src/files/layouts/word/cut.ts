import { isTitle } from "../../../prose/document/heading.ts";
import { BadRequest } from "../../../refusals.ts";
import { groupBy } from "../../../text/group-by.ts";
import { isSceneBreak, titleText } from "./blocks.ts";
import type { ShownParagraph } from "./changes.ts";
import { isEmpty, paragraphText } from "./paragraph.ts";

/** A document cut into chapters. */
export interface CutDocument {
  /** The book's title, from its title page or the only heading above the chapters. */
  title: string | undefined;
  chapters: readonly CutChapter[];
  /** Why it was cut so, for the plan; undefined if it was not. */
  why: string | undefined;
  /** Text that is no prose, by what it is. */
  left: ReadonlyMap<string, readonly string[]>;
}

/** A chapter's paragraphs. `part` is the title of the part that begins with it. */
export interface CutChapter {
  part?: string;
  paragraphs: readonly ShownParagraph[];
}

/** Places where chapters begin, and the sign by which they were found. */
interface Cuts {
  starts: readonly number[];
  why: string | undefined;
  title?: string | undefined;
}

/**
 * Cuts a document into chapters: before headings of the requested level; else before the titles or first headings,
 * else at page breaks. A title page is not prose. Throws `BadRequest` if it has no headings of that level.
 */
export function cutDocument(
  given: readonly ShownParagraph[],
  split: number | "none" | undefined,
  name: string,
): CutDocument {
  const prose = withSceneBreaks(withTitles(given.filter(({ style }) => !CONTENTS.test(style))));
  const { starts, why, title } = findCuts(prose, split, name);
  const pages = starts.map((from, at) => prose.slice(from, starts[at + 1]));
  const front = frontOf(prose.slice(0, starts[0] ?? 0));
  const isCut = starts.length > 0;
  const chapters = (isCut ? pages : [prose]).map((paragraphs) => ({ paragraphs: withoutEnd(paragraphs) }));
  const before =
    isCut && front.rest.some((paragraph) => !isEmpty(paragraph)) ? [{ paragraphs: front.rest }] : [];
  const all = [...before, ...chapters].filter(({ paragraphs }) =>
    paragraphs.some((paragraph) => !isEmpty(paragraph)),
  );
  const parted = partsIn(all);
  return {
    title: title ?? front.title,
    chapters: parted,
    why: isCut && split === undefined ? why : undefined,
    left: leftOf(given, parted, isCut && front.isTitlePage),
  };
}

const CONTENTS = /^toc\b|^contents heading|^table of (?:contents|figures)/;

/** Returns the texts of paragraphs that are in no chapter, but for titles of parts. */
function leftOf(
  given: readonly ShownParagraph[],
  chapters: readonly CutChapter[],
  hasTitlePage: boolean,
): Map<string, string[]> {
  const taken = new Set(chapters.flatMap(({ paragraphs }) => paragraphs.map(({ sources }) => sources)));
  const first = given.findIndex(({ sources }) => taken.has(sources));
  const rest = given.flatMap((paragraph, at) => {
    if (isEmpty(paragraph) || taken.has(paragraph.sources) || paragraph.style === "part title") return [];
    const isFront = hasTitlePage && (first < 0 || at < first);
    const what = CONTENTS.test(paragraph.style)
      ? "table of contents"
      : isFront
        ? "title page"
        : "title or end";
    return [{ what, text: paragraphText(paragraph) }];
  });
  const byWhat = groupBy(rest, ({ what }) => what);
  return new Map([...byWhat].map(([what, all]) => [what, all.map(({ text }) => text)]));
}

/** Makes first headings of titles, where chapters have them instead. */
function withTitles(paragraphs: readonly ShownParagraph[]): ShownParagraph[] {
  const isNamed = (paragraph: ShownParagraph) => paragraph.style === "title" && !isEmpty(paragraph);
  const titles = paragraphs.filter(isNamed);
  const headings = paragraphs.filter(({ level, ...paragraph }) => level !== undefined && !isEmpty(paragraph));
  const areChapters =
    headings.every(({ level }) => level !== 1) && (titles.length > 1 || headings.length === 0);
  // A single title above pages is the book's.
  const isBook = titles.length === 1 && paragraphs.some(({ startsPage }, at) => startsPage && at > 0);
  if (!areChapters || isBook) return [...paragraphs];
  return paragraphs.map((paragraph) => (isNamed(paragraph) ? { ...paragraph, level: 1 } : paragraph));
}

/**
 * Makes scene breaks of blank paragraphs: of centred ones, and of single ones if the document does not part all of its
 * paragraphs by them.
 */
function withSceneBreaks(paragraphs: readonly ShownParagraph[]): ShownParagraph[] {
  const isGap = (at: number) => {
    const [before, here, after] = [paragraphs[at - 1], paragraphs[at], paragraphs[at + 1]];
    if (here === undefined || !isEmpty(here) || here.cell !== undefined || here.hasRule) return false;
    return [before, after].every(
      (other) => other !== undefined && isProse(other) && !other.startsPage && !here.startsPage,
    );
  };
  const gaps = paragraphs.flatMap((_, at) => (isGap(at) ? at : []));
  const count = paragraphs.filter(isProse).length;
  const isRare = gaps.length * 5 <= count;
  const breaks = new Set(gaps.filter((at) => isRare || paragraphs[at]?.isCentred === true));
  return paragraphs.map((paragraph, at) =>
    breaks.has(at) ? { ...paragraph, runs: [{ type: "text", text: "* * *", marks: {} }] } : paragraph,
  );
}

function isProse(paragraph: ShownParagraph): boolean {
  const { level, style, cell } = paragraph;
  const isFree =
    level === undefined && cell === undefined && !/^(?:sub)?title|^title page|^part title/.test(style);
  return isFree && !isEmpty(paragraph) && !isSceneBreak(paragraph);
}

function findCuts(
  paragraphs: readonly ShownParagraph[],
  split: number | "none" | undefined,
  name: string,
): Cuts {
  if (split === "none") return { starts: [], why: undefined };
  const headings = paragraphs.flatMap((paragraph, at) =>
    paragraph.level !== undefined && isTitle(titleText(paragraph)) ? [{ at, level: paragraph.level }] : [],
  );
  const atLevel = (level: number) =>
    headings.filter((heading) => heading.level === level).map(({ at }) => at);
  if (split !== undefined) {
    const starts = atLevel(split);
    if (starts.length > 0) return { starts, why: undefined };
    throw new BadRequest(
      `${name} has no heading of level ${split}; choose another with --split, or leave it out.`,
    );
  }
  const firsts = atLevel(1);
  const seconds = atLevel(2);
  if (firsts.length > 1) return { starts: firsts, why: `${firsts.length} headings: a chapter each` };
  const [first] = firsts;
  if (first !== undefined && first === headings[0]?.at && seconds.length > 1)
    return {
      starts: seconds,
      why: `one heading, the book's title, and ${seconds.length} below it: a chapter each`,
      title: titleText(paragraphs[first]!), // it was found there
    };
  if (first !== undefined) return { starts: [], why: undefined };
  if (seconds.length > 1) return { starts: seconds, why: `${seconds.length} headings: a chapter each` };
  return findPages(paragraphs);
}

function findPages(paragraphs: readonly ShownParagraph[]): Cuts {
  const starts: number[] = [];
  let isWaiting = true;
  for (const [at, paragraph] of paragraphs.entries()) {
    isWaiting ||= paragraph.startsPage;
    if (!isWaiting || isEmpty(paragraph)) continue;
    starts.push(at);
    isWaiting = false;
  }
  const [first = 0, ...others] = starts;
  const page = paragraphs.slice(first, others[0]);
  const isFront = others.length > 0 && frontOf(page).isTitlePage;
  const own = isFront ? others : starts;
  if (others.length === 0) return { starts: [], why: undefined };
  for (const at of own) headPage(paragraphs, at);
  return { starts: own, why: `${own.length} pages begun by hand: a chapter each` };
}

const CHAPTER =
  /^(?:chapter|part|prologue|epilogue|interlude|kapitel|prolog|epilog|chapitre|capítulo|capitolo|hoofdstuk|глава)\b|^(?:\d{1,3}|[ivxlc]{1,8})\.?$/iu;

/** Makes a heading of the line with which a chapter's page begins, if it looks like one. */
function headPage(paragraphs: readonly ShownParagraph[], at: number): void {
  const paragraph = paragraphs[at];
  if (paragraph === undefined || paragraph.level !== undefined || isSceneBreak(paragraph)) return;
  const title = titleText(paragraph);
  if (title.length <= 80 && (paragraph.isCentred || CHAPTER.test(title))) paragraph.level = 1;
}

/** What stands before the first chapter. */
interface Front {
  title: string | undefined;
  isTitlePage: boolean;
  /** What is prose of it. */
  rest: readonly ShownParagraph[];
}

/** Reads what stands before the first chapter: the title page of a manuscript, or prose below a title. */
function frontOf(paragraphs: readonly ShownParagraph[]): Front {
  const said = paragraphs.filter((paragraph) => !isEmpty(paragraph));
  const texts = said.map(titleText);
  const styled = said.find(({ style, level }) => style === "title" || (style === "normal" && level === 1));
  const by = texts.findIndex((text) => /^(?:by|von|par|de|door)\b/i.test(text));
  const isShort = said.length <= 20 && texts.every((text) => text.length <= 120);
  const isTitlePage =
    isShort &&
    said.length > 0 &&
    (styled !== undefined ||
      by > 0 ||
      said.some(({ style }) => style === "title page") ||
      texts.some((text) => /\b\d[\d,.]*\s*words\b/i.test(text)));
  const heading = said.find(({ level }) => level === 1);
  const title = styled ?? heading ?? (by > 0 ? said[by - 1] : undefined);
  const rest = isTitlePage
    ? said.filter(({ style }) => style === "part title")
    : paragraphs.filter((paragraph) => paragraph !== title && !/^(?:sub)?title$/.test(paragraph.style));
  return { title: title && titleText(title), isTitlePage, rest };
}

/** Leaves out the word below the last chapter of a manuscript. */
function withoutEnd(paragraphs: readonly ShownParagraph[]): readonly ShownParagraph[] {
  const last = paragraphs.findLastIndex((paragraph) => !isEmpty(paragraph));
  return last >= 0 && /^(?:END|-+\s*30\s*-+|#+\s*END\s*#+)$/.test(titleText(paragraphs[last]!)) // it was found there
    ? paragraphs.slice(0, last)
    : paragraphs;
}

/** Takes the titles of parts, as an export writes them, off the ends of the chapters before. */
function partsIn(chapters: readonly CutChapter[]): CutChapter[] {
  const made: CutChapter[] = [];
  let part: string | undefined;
  for (const { paragraphs } of chapters) {
    const own = paragraphs.filter(({ style }) => style !== "part title");
    if (own.some((paragraph) => !isEmpty(paragraph)))
      made.push(part === undefined ? { paragraphs: own } : { part, paragraphs: own });
    const titled = paragraphs.find(({ style }) => style === "part title");
    part = titled === undefined ? part : titleText(titled);
  }
  return made;
}
