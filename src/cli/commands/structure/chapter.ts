import type { STATUSES } from "../../../contract/enums.ts";
import type { AnswerOf } from "../../../contract/index.ts";
import { BadRequest } from "../../../refusals.ts";
import { createChapter, deleteChapter, updateChapter } from "../../../service/books/chapters.ts";
import { moveParagraphs } from "../../../service/books/move-paragraphs.ts";
import { joinChapters, splitChapter } from "../../../service/books/split-chapter.ts";
import { tagOf } from "../../../service/entity-tags.ts";
import { checkText, TEXTS } from "../../../service/field-rules.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { counted } from "../../../text/columns.ts";
import { readText } from "../../input/arguments.ts";
import { outlineOf, resolveBook, resolveChapter, resolvePart } from "../../input/resolve.ts";
import { agree } from "../../io/ask.ts";
import { type Call, replyWrite, type WriteOptions } from "../../io/call.ts";
import { type PlaceOptions, placeAmong } from "./place.ts";

type Outline = AnswerOf<"readOutline">;
type Chapter = Outline["chapters"][number];

interface ChapterOptions extends PlaceOptions, WriteOptions {
  book?: string;
  part?: string;
  outOfPart?: boolean;
}

/** Adds a chapter, with Markdown or without. */
export async function chapterAdd(
  call: Call,
  [title, text]: [string, string?],
  { book, status, dryRun = false, ...options }: ChapterOptions & { status?: (typeof STATUSES)[number] },
): Promise<void> {
  const fields = { title: checkText("The title", title, TEXTS.title), ...(status && { status }) };
  const markdown = text === "-" ? await readText(call.terminal) : text;
  const manuscript = await call.open();
  const { id } = resolveBook(manuscript, book, "name one with --book");
  const place = placeOf(manuscript, id, undefined, options);
  const body = { ...fields, ...place, ...(markdown === undefined ? {} : { markdown }) };
  const answer = createChapter(manuscript, id, body, { source: "cli", dryRun });
  await replyWrite(
    call,
    answer,
    ({ chapter }) =>
      `${dryRun ? "Would add " : ""}${chapter.position}  ${dryRun ? "" : `${chapter.id}  `}${chapter.title}  ${counted(chapter.wordCount, "word")}`,
  );
}

/** Gives a chapter another title. */
export async function chapterRename(
  call: Call,
  [wanted, title]: [string, string],
  { book, dryRun = false }: ChapterOptions,
): Promise<void> {
  const body = { title: checkText("The title", title, TEXTS.title) };
  const manuscript = await call.open();
  const { id, title: before } = resolveChapter(manuscript, wanted, book);
  const answer = updateChapter(manuscript, id, body, { source: "cli", dryRun });
  await replyWrite(call, answer, ({ chapter, headingChanged }) => {
    const heading = headingChanged ? ", and the heading with it" : "";
    return `${dryRun ? "Would rename " : ""}${chapter.id}  ${before} → ${chapter.title}${heading}`;
  });
}

/** Puts a chapter elsewhere in its book; it goes into the part that it then stands in. */
export async function chapterMove(
  call: Call,
  [wanted]: [string],
  { book, dryRun = false, ...options }: ChapterOptions,
): Promise<void> {
  const manuscript = await call.open();
  const { id, bookId, position } = resolveChapter(manuscript, wanted, book);
  const { parts } = outlineOf(manuscript, bookId);
  const answer = manuscript.store.together(
    () => {
      const place = placeOf(manuscript, bookId, id, options);
      if (Object.keys(place).length === 0)
        throw new BadRequest("Say where to: --before, --after, --first, --last, --position or --part.");
      return updateChapter(manuscript, id, place, { source: "cli", dryRun });
    },
    { dryRun },
  );
  await replyWrite(call, answer, ({ chapter }) => {
    const part = parts.find((one) => one.id === chapter.partId);
    const within = part === undefined ? "" : `, in ${part.title}`;
    const lead = dryRun ? "Would move " : "";
    return `${lead}${chapter.id}  ${chapter.title}: chapter ${position} → ${chapter.position}${within}`;
  });
}

/** Makes two chapters of one, at a paragraph. */
export async function chapterSplit(
  call: Call,
  [wanted, blockId, title]: [string, string, string?],
  { book, dryRun = false }: ChapterOptions,
): Promise<void> {
  const named = title === undefined ? {} : { title: checkText("The title", title, TEXTS.title) };
  const manuscript = await call.open();
  const { id } = resolveChapter(manuscript, wanted, book);
  const answer = splitChapter(manuscript, id, { blockId, ...named }, { source: "cli", dryRun });
  await replyWrite(call, answer, ({ chapter, first }) => {
    const second = `${dryRun ? "" : `${chapter.id}  `}${chapter.title}`;
    const words = [first, chapter].map(({ wordCount }) => counted(wordCount, "word"));
    return `${dryRun ? "Would split " : ""}${first.id}  ${first.title}, ${words[0]}, and ${second}, ${words[1]}`;
  });
}

/** Puts paragraphs elsewhere, in their chapter or in another. */
export async function chapterMoveParagraphs(
  call: Call,
  [wanted, blockIds]: [string, string[]],
  { book, to, after, first = false, dryRun = false }: ChapterOptions & { to?: string },
): Promise<void> {
  if (after !== undefined && first) throw new BadRequest("Give --after or --first, not both.");
  const manuscript = await call.open();
  const { id, bookId } = resolveChapter(manuscript, wanted, book);
  const toChapterId = to === undefined ? id : resolveChapter(manuscript, to, bookId).id;
  const place = first ? { after: null } : after === undefined ? {} : { after };
  const body = { blockIds, toChapterId, ...place };
  const answer = moveParagraphs(manuscript, id, body, { source: "cli", dryRun });
  await replyWrite(call, answer, ({ chapter, to: there, moved }) => {
    const lead = `${dryRun ? "Would move " : ""}${counted(moved.length, "paragraph")}`;
    const words = [chapter, there].map(({ title, wordCount }) => `${title}, ${counted(wordCount, "word")}`);
    return chapter.id === there.id ? `${lead} within ${chapter.title}` : `${lead}: ${words[0]} → ${words[1]}`;
  });
}

/** Puts the next chapter behind one, or another. */
export async function chapterJoin(
  call: Call,
  [wanted, other]: [string, string?],
  { book, dryRun = false }: ChapterOptions,
): Promise<void> {
  const manuscript = await call.open();
  const { id, bookId } = resolveChapter(manuscript, wanted, book);
  const named = other === undefined ? {} : { chapterId: resolveChapter(manuscript, other, bookId).id };
  const answer = joinChapters(manuscript, id, named, { source: "cli", dryRun });
  await replyWrite(call, answer, ({ chapter, joined }) => {
    const length = counted(chapter.wordCount, "word");
    return `${dryRun ? "Would join " : ""}${chapter.id}  ${chapter.title} + ${joined.title}: ${length}`;
  });
}

/** Deletes a chapter; one that holds words is asked about. */
export async function chapterDelete(
  call: Call,
  [wanted]: [string],
  { book, yes = false, dryRun = false }: ChapterOptions & { yes?: boolean },
): Promise<void> {
  const manuscript = await call.open();
  const { id, title, wordCount } = resolveChapter(manuscript, wanted, book);
  const seen = tagOf(manuscript, "chapter", id);
  const held = `“${title}” holds ${counted(wordCount, "word")}; undo brings it all back.`;
  if (!dryRun) await agree(call, held, yes || wordCount === 0);
  const answer = deleteChapter(manuscript, id, { source: "cli", dryRun, seen });
  await replyWrite(
    call,
    answer,
    (gone) =>
      `${dryRun ? "Would delete" : "Deleted"} ${title}: ${counted(wordCount, "word")}${listLost(gone)}`,
  );
}

/** What of a chapter the options set: its part, its position in the book, both or neither. */
function placeOf(
  manuscript: Manuscript,
  bookId: string,
  moved: string | undefined,
  { part, outOfPart = false, ...options }: PlaceOptions & Pick<ChapterOptions, "part" | "outOfPart">,
): { partId?: string | null; position?: number } {
  if (part !== undefined && outOfPart) throw new BadRequest("Give --part or --out-of-part, not both.");
  const { chapters } = outlineOf(manuscript, bookId);
  const others = chapters.filter(({ id }) => id !== moved);
  const own = chapters.find(({ id }) => id === moved)?.partId ?? null;
  const idOf = (wanted: string) => resolveChapter(manuscript, wanted, bookId).id;
  if (part !== undefined) {
    const { id, title } = resolvePart(manuscript, part, bookId);
    return placeInPart(
      others,
      { id, title },
      placeAmong(
        others.filter(({ partId }) => partId === id),
        options,
        idOf,
      ),
    );
  }
  const place = placeAmong(others, options, idOf);
  if (outOfPart) {
    // In the middle of its part it would cut that in two.
    const end = others.findLastIndex(({ partId }) => partId !== null && partId === own) + 1;
    return {
      partId: null,
      ...(place === undefined ? end > 0 && { position: end + 1 } : { position: place + 1 }),
    };
  }
  if (place === undefined) return {};
  return { partId: partAt(others, place, { ...options, own }), position: place + 1 };
}

/** A place in a part, which counts in it alone, as a place in the book. */
function placeInPart(
  others: readonly Chapter[],
  part: { id: string; title: string },
  place: number | undefined,
): { partId: string; position?: number } {
  const within = others.flatMap(({ partId }, index) => (partId === part.id ? [index] : []));
  const [last] = within.slice(-1);
  if (place === undefined || last === undefined) return { partId: part.id };
  return { partId: part.id, position: (within[place] ?? last + 1) + 1 };
}

/** The part of the chapter that a place is named by; else its own part if that is next to it, else the one before it. */
function partAt(
  others: readonly Chapter[],
  place: number,
  { before, after, own }: PlaceOptions & { own: string | null },
): string | null {
  const [left, right] = [others[place - 1], others[place]];
  if (before !== undefined) return right?.partId ?? null;
  if (after !== undefined) return left?.partId ?? null;
  const beside = [left, right].flatMap((chapter) => (chapter === undefined ? [] : [chapter.partId]));
  return beside.length === 0 || beside.includes(own) ? own : (beside[0] ?? null);
}

type Gone = Pick<AnswerOf<"deleteChapter">, "mentionsDropped" | "snippetsDetached">;

/** Describes what a deletion took along besides words: ", 3 mentions; 1 note stays with the book"; "" for nothing. */
export function listLost({ mentionsDropped, snippetsDetached }: Gone): string {
  const [mentions, notes] = [mentionsDropped, snippetsDetached].map((lost) =>
    typeof lost === "number" ? lost : lost.length,
  ) as [number, number];
  return [
    mentions === 0 ? "" : `, ${counted(mentions, "mention")}`,
    notes === 0 ? "" : `; ${counted(notes, "note")} ${notes === 1 ? "stays" : "stay"} with the book`,
  ].join("");
}
