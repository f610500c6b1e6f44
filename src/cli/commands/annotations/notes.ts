import type { SNIPPET_KINDS } from "../../../contract/enums.ts";
import type { AnswerOf } from "../../../contract/index.ts";
import { BadRequest } from "../../../refusals.ts";
import {
  createSnippet,
  deleteSnippet,
  listSnippets,
  theSnippet,
  updateSnippet,
} from "../../../service/annotations/snippets.ts";
import { checkText, isNoteUrl, TEXTS } from "../../../service/field-rules.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { columns, counted, oneLine } from "../../../text/columns.ts";
import { readText } from "../../input/arguments.ts";
import { bookAndText, namesBook, outlineOf, resolveBook, resolveChapter } from "../../input/resolve.ts";
import { type Call, reply, replyWrite, type WriteOptions } from "../../io/call.ts";
import { talk } from "../../io/terminal.ts";

type Kind = (typeof SNIPPET_KINDS)[number];
type Snippet = AnswerOf<"createSnippet">["snippet"];

interface NoteOptions extends WriteOptions {
  chapter?: string;
  block?: string;
  url?: string;
  item?: string[];
}

/** Lists a book's marginalia, or that of one chapter. */
export async function notesList(call: Call, [book]: [string?], { chapter }: NoteOptions): Promise<void> {
  const manuscript = await call.open();
  const found = chapter === undefined ? undefined : resolveChapter(manuscript, chapter, book);
  const bookId = found?.bookId ?? resolveBook(manuscript, book).id;
  await reply(call, listSnippets(manuscript, bookId, { chapterId: found?.id }), ({ snippets }) => {
    if (snippets.length === 0) return "No notes yet.";
    const titles = new Map(outlineOf(manuscript, bookId).chapters.map(({ id, title }) => [id, title]));
    return columns(
      snippets.map((snippet) => {
        const chapterTitle = oneLine(titles.get(snippet.chapterId ?? "") ?? "", 30);
        return [snippet.id, snippet.kind, chapterTitle, summaryOf(snippet)];
      }),
    );
  });
}

/** Adds a note: `words` are its text, before which the book may be named. */
export async function notesAdd(
  call: Call,
  [words]: [string[]],
  options: NoteOptions & { kind: Kind },
): Promise<void> {
  const { kind, chapter, block, url, item: items, dryRun = false } = options;
  const manuscript = await call.open();
  // A chapter that is named says which book is meant, unless the only word does.
  const isOpen =
    chapter !== undefined && words.every((word) => words.length === 1 && !namesBook(manuscript, word));
  const { book, text } = bookAndText(manuscript, words, {
    what: "text",
    book: isOpen ? resolveChapter(manuscript, chapter, undefined).bookId : undefined,
    least: 0,
  });
  const content = { ...(await textOf(call, text)), ...urlOf(url), ...itemsOf(items) };
  if (Object.values(content).every((value) => value === null)) {
    throw new BadRequest("The note is empty: give its text, --url or --item.");
  }
  const anchor = anchorOf(manuscript, book.id, { chapter, block });
  const answer = createSnippet(
    manuscript,
    book.id,
    { kind, ...content, ...anchor },
    { source: "cli", dryRun },
  );
  await replyWrite(
    call,
    answer,
    ({ snippet }) => `${dryRun ? "Would add" : snippet.id}  ${summaryOf(snippet)}`,
  );
}

/** Changes the given fields of a note; the API's PATCH replaces, so the others are sent as they are. */
export async function notesEdit(
  call: Call,
  [noteId, text]: [string, string?],
  options: NoteOptions & { kind?: Kind; detach?: boolean; items: boolean },
): Promise<void> {
  const { chapter, block, detach, url, item, items, dryRun = false } = options;
  if (detach && block !== undefined) throw new BadRequest("Give --detach or --block, not both.");
  if (!items && item !== undefined) throw new BadRequest("Give --item or --no-items, not both.");
  const given = {
    ...(await textOf(call, text)),
    ...urlOf(url),
    ...itemsOf(item),
    ...(items ? {} : { items: null }),
  };
  const manuscript = await call.open();
  const answer = manuscript.store.together(
    () => {
      const old = theSnippet(manuscript, noteId);
      const anchor = detach ? { blockId: null } : anchorOf(manuscript, old.bookId, { chapter, block });
      const body = { kind: options.kind ?? old.kind, text: old.text, url: old.url, ...given, ...anchor };
      return updateSnippet(manuscript, noteId, body, { source: "cli", dryRun });
    },
    { dryRun },
  );
  const lead = dryRun ? "Would change " : "";
  await replyWrite(call, answer, ({ snippet }) => `${lead}${snippet.id}  ${summaryOf(snippet)}`);
  const { itemsDropped = [] } = answer;
  if (call.json || itemsDropped.length === 0) return;
  const dropped = itemsDropped.map(({ text, done }) => `[${done ? "x" : " "}] ${text}`).join(", ");
  await talk(call.terminal, `${dryRun ? "Would drop" : "Dropped"} its entries: ${dropped}`);
}

/** Deletes a note. */
export async function notesRemove(
  call: Call,
  [noteId]: [string],
  { dryRun = false }: WriteOptions,
): Promise<void> {
  const manuscript = await call.open();
  const answer = deleteSnippet(manuscript, noteId, { source: "cli", dryRun });
  await replyWrite(call, answer, ({ id }) => `${dryRun ? "Would delete" : "Deleted"} ${id}`);
}

function summaryOf({ text, url, items, detached }: Snippet): string {
  const done = items?.filter((item) => item.done).length;
  const list = items === null ? "" : `${done} of ${counted(items.length, "entry")} done`;
  const lost = detached === null ? "" : `(was beside “${oneLine(detached.quote, 40)}”)`;
  return [oneLine(text ?? "", 70), list, url ?? "", lost].filter(Boolean).join("  ");
}

async function textOf(call: Call, text: string | undefined): Promise<{ text?: string | null }> {
  if (text === undefined) return {};
  const read = text === "-" ? (await readText(call.terminal)).trimEnd() : text;
  return { text: read === "" ? null : checkText("The note", read, TEXTS.note) };
}

function urlOf(url: string | undefined): { url?: string | null } {
  if (url === undefined) return {};
  if (url === "") return { url: null };
  if (!isNoteUrl(url))
    throw new BadRequest(`--url must be an http, https or mailto address, got "${oneLine(url, 80)}".`);
  return { url };
}

function itemsOf(items: readonly string[] | undefined): { items?: { text: string; done: boolean }[] } {
  if (items === undefined) return {};
  return {
    items: items.map((item) => {
      const [, mark = " ", text = ""] = /^(?:\[([ xX])\] ?)?([\s\S]*)$/.exec(item) ?? [];
      return { text: checkText("An entry", text, TEXTS.todo), done: mark !== " " };
    }),
  };
}

function anchorOf(
  manuscript: Manuscript,
  bookId: string,
  { chapter, block }: { chapter: string | undefined; block: string | undefined },
): { chapterId?: string; blockId?: string } {
  return {
    ...(chapter === undefined ? {} : { chapterId: resolveChapter(manuscript, chapter, bookId).id }),
    ...(block === undefined ? {} : { blockId: block }),
  };
}
