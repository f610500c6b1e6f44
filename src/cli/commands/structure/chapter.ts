import type { AnswerOf } from "../../../contract/index.ts";
import { BadRequest } from "../../../refusals.ts";
import { createChapter, deleteChapter, updateChapter } from "../../../service/books/chapters.ts";
import { moveParagraphs } from "../../../service/books/move-paragraphs.ts";
import { joinChapters, splitAtScenes, splitChapter } from "../../../service/books/split-chapter.ts";
import { tagOf } from "../../../service/entity-tags.ts";
import { checkText, TEXTS } from "../../../service/field-rules.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { counted } from "../../../text/columns.ts";
import { readText } from "../../input/arguments.ts";
import { outlineOf, resolveBook, resolveChapter, resolvePart } from "../../input/resolve.ts";
import { agree } from "../../io/ask.ts";
import { renamed, replyWrite, would } from "../../io/call.ts";
import { listLost, showKept } from "../../output/losses.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/structure.ts";
import { type PlaceOptions, placeAmong } from "./place.ts";

type Chapter = AnswerOf<"readOutline">["chapters"][number];

/** The commands on chapters. */
export const COMMANDS: CommandsOf<typeof ROWS, "chapter"> = {
  "chapter add": async (call, { title, text, book, status, ...options }) => {
    const fields = { title: checkText("The title", title, TEXTS.title), ...(status && { status }) };
    const markdown = text === "-" ? await readText(call.terminal) : text;
    const manuscript = await call.open();
    const { id } = resolveBook(manuscript, book, "name one with --book");
    const place = placeOf(manuscript, id, undefined, options);
    const body = { ...fields, ...place, ...(markdown === undefined ? {} : { markdown }) };
    const answer = createChapter(manuscript, id, body, call.caller);
    await replyWrite(call, answer, ({ chapter }) => {
      const named = `${call.isDry ? "" : `${chapter.id}  `}${chapter.title}`;
      return `${would(call, "add")}${chapter.position}  ${named}  ${counted(chapter.wordCount, "word")}`;
    });
  },

  "chapter rename": async (call, { chapter, title, book }) => {
    const body = { title: checkText("The title", title, TEXTS.title) };
    const manuscript = await call.open();
    const before = resolveChapter(manuscript, chapter, book);
    const answer = updateChapter(manuscript, before.id, body, call.caller);
    await replyWrite(call, answer, (done) => {
      const heading = done.headingChanged ? ", and the heading with it" : "";
      return `${renamed(call, before, done.chapter)}${heading}`;
    });
  },

  "chapter move": async (call, { chapter: wanted, book, ...options }) => {
    const manuscript = await call.open();
    const { id, bookId, position } = resolveChapter(manuscript, wanted, book);
    const { parts } = outlineOf(manuscript, bookId);
    const answer = manuscript.store.together(() => {
      const place = placeOf(manuscript, bookId, id, options);
      if (Object.keys(place).length === 0)
        throw new BadRequest("Say where to: --before, --after, --first, --last, --position or --part.");
      return updateChapter(manuscript, id, place, call.caller);
    }, call.caller);
    await replyWrite(call, answer, ({ chapter }) => {
      const part = parts.find((one) => one.id === chapter.partId);
      const within = part === undefined ? "" : `, in “${part.title}”`;
      return `${would(call, "move")}${id}  ${chapter.title}: chapter ${position} → ${chapter.position}${within}`;
    });
  },

  "chapter split": async (call, { chapter: wanted, paragraph: blockId, title, book, at }) => {
    const named = title === undefined ? {} : { title: checkText("The title", title, TEXTS.title) };
    if ((blockId === undefined) === (at === undefined))
      throw new BadRequest(
        "Name the second chapter's first paragraph, or split at every scene break: --at scenes.",
      );
    const manuscript = await call.open();
    const { id } = resolveChapter(manuscript, wanted, book);
    if (blockId === undefined) {
      const answer: CommandAnswer<"chapter split --at scenes"> = splitAtScenes(manuscript, id, call.caller);
      return await replyWrite(call, answer, ({ chapters }) =>
        [
          `${would(call, "make", "Made ")}${chapters.length} chapters of one`,
          ...chapters.map((chapter) => `${call.isDry ? "" : `${chapter.id}  `}${withWords(chapter)}`),
        ].join("\n"),
      );
    }
    const answer = splitChapter(manuscript, id, { blockId, ...named }, call.caller);
    await replyWrite(call, answer, ({ chapter, first }) => {
      const second = `${call.isDry ? "" : `${chapter.id}  `}${withWords(chapter)}`;
      return `${would(call, "split")}${first.id}  ${withWords(first)}, and ${second}`;
    });
  },

  "chapter move-paragraphs": async (call, { chapter: wanted, paragraph, book, to, after, first = false }) => {
    if (after !== undefined && first) throw new BadRequest("Give --after or --first, not both.");
    const manuscript = await call.open();
    const { id, bookId } = resolveChapter(manuscript, wanted, book);
    const toChapterId = to === undefined ? id : resolveChapter(manuscript, to, bookId).id;
    const place = first ? { after: null } : after === undefined ? {} : { after };
    const answer = moveParagraphs(
      manuscript,
      id,
      { blockIds: paragraph, toChapterId, ...place },
      call.caller,
    );
    await replyWrite(call, answer, ({ chapter, to: there, moved }) => {
      const lead = `${would(call, "move")}${counted(moved.length, "paragraph")}`;
      const isWithin = chapter.id === there.id;
      return isWithin
        ? `${lead} within “${chapter.title}”`
        : `${lead}: ${withWords(chapter)} → ${withWords(there)}`;
    });
  },

  "chapter join": async (call, { chapter: wanted, other, book }) => {
    const manuscript = await call.open();
    const { id, bookId } = resolveChapter(manuscript, wanted, book);
    const named = other === undefined ? {} : { chapterId: resolveChapter(manuscript, other, bookId).id };
    const answer = joinChapters(manuscript, id, named, call.caller);
    await replyWrite(call, answer, ({ chapter, joined, snippet }) => {
      const length = counted(chapter.wordCount, "word");
      return `${would(call, "join")}${id}  ${chapter.title} + ${joined.title}: ${length}${showKept(snippet)}`;
    });
  },

  "chapter delete": async (call, { chapter, book, yes = false }) => {
    const manuscript = await call.open();
    const { id, title, wordCount } = resolveChapter(manuscript, chapter, book);
    const seen = tagOf(manuscript, "chapter", id);
    const words = counted(wordCount, "word");
    const held = `“${title}” holds ${words}; undo brings it all back.`;
    if (!call.isDry) await agree(call, held, yes || wordCount === 0);
    const answer = deleteChapter(manuscript, id, { ...call.caller, seen });
    await replyWrite(
      call,
      answer,
      (lost) => `${would(call, "delete", "Deleted ")}“${title}”: ${words}${listLost(lost)}`,
    );
  },
};

/** "Calm, 12 words". */
function withWords({ title, wordCount }: { title: string; wordCount: number }): string {
  return `${title}, ${counted(wordCount, "word")}`;
}

/** What of a chapter the options set: its part, its position in the book, both or neither. */
function placeOf(
  manuscript: Manuscript,
  bookId: string,
  moved: string | undefined,
  {
    part,
    outOfPart = false,
    ...options
  }: PlaceOptions & { part?: string | undefined; outOfPart?: boolean | undefined },
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
