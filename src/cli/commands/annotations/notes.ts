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
import { type Call, reply, replyWrite, talkUnlessJson, would } from "../../io/call.ts";
import type { ROWS } from "../../rows/annotations.ts";
import type { CommandsOf } from "../../rows/rows.ts";

type Snippet = AnswerOf<"createSnippet">["snippet"];

/** The commands on marginalia. */
export const COMMANDS: CommandsOf<typeof ROWS, "notes"> = {
  "notes list": async (call, { book, chapter, kind, detached = false }) => {
    const manuscript = await call.open();
    const found = chapter === undefined ? undefined : resolveChapter(manuscript, chapter, book);
    const bookId = found?.bookId ?? resolveBook(manuscript, book).id;
    const all = listSnippets(manuscript, bookId, { chapterId: found?.id }).snippets;
    const snippets = all.filter(
      (note) => (kind === undefined || note.kind === kind) && (!detached || note.detached !== null),
    );
    await reply(call, { snippets, total: snippets.length }, () => {
      if (snippets.length === 0) return all.length === 0 ? "No notes yet." : "No such note.";
      const titles = new Map(outlineOf(manuscript, bookId).chapters.map(({ id, title }) => [id, title]));
      return columns(
        snippets.map((snippet) => {
          const chapterTitle = oneLine(titles.get(snippet.chapterId ?? "") ?? "", 30);
          return [snippet.id, snippet.kind, chapterTitle, summaryOf(snippet)];
        }),
      );
    });
  },

  "notes add": async (call, { text: words, ...options }) => {
    const { kind, chapter, block, url, item: items } = options;
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
    const answer = createSnippet(manuscript, book.id, { kind, ...content, ...anchor }, call.caller);
    const named = ({ snippet }: typeof answer) =>
      `${would(call, "add", `${snippet.id}  `)}${summaryOf(snippet)}`;
    await replyWrite(call, answer, named);
  },

  "notes edit": async (call, { note, text, ...options }) => {
    const { chapter, block, detach, url, item, items, resolve, reopen } = options;
    if (detach && block !== undefined) throw new BadRequest("Give --detach or --block, not both.");
    if (resolve && reopen) throw new BadRequest("Give --resolve or --reopen, not both.");
    if (!items && item !== undefined) throw new BadRequest("Give --item or --no-items, not both.");
    const given = {
      ...(await textOf(call, text)),
      ...urlOf(url),
      ...itemsOf(item),
      ...(items ? {} : { items: null }),
      ...(resolve || reopen ? { resolved: resolve === true } : {}),
    };
    const manuscript = await call.open();
    const answer = manuscript.store.together(() => {
      const old = theSnippet(manuscript, note);
      const anchor = detach ? { blockId: null } : anchorOf(manuscript, old.bookId, { chapter, block });
      const body = { kind: options.kind ?? old.kind, text: old.text, url: old.url, ...given, ...anchor };
      return updateSnippet(manuscript, note, body, call.caller);
    }, call.caller);
    await replyWrite(call, answer, ({ snippet }) => `${would(call, "change")}${note}  ${summaryOf(snippet)}`);
    const { itemsDropped = [] } = answer;
    if (itemsDropped.length === 0) return;
    const dropped = itemsDropped.map(({ text, done }) => `[${done ? "x" : " "}] ${text}`).join(", ");
    await talkUnlessJson(call, `${would(call, "drop", "Dropped ")}its entries: ${dropped}`);
  },

  "notes delete": async (call, { note }) => {
    const answer = deleteSnippet(await call.open(), note, call.caller);
    await replyWrite(call, answer, () => `${would(call, "delete", "Deleted ")}${note}`);
  },
};

function summaryOf(snippet: Snippet): string {
  const { text, url, items, author, quote, replies, resolved, detached } = snippet;
  const done = items?.filter((item) => item.done).length;
  const list = items === null ? "" : `${done} of ${counted(items.length, "entry")} done`;
  const lost = detached === null ? "" : `(was beside “${oneLine(detached.quote, 40)}”)`;
  const said = `${author === null ? "" : `${author}: `}${oneLine(text ?? "", 70)}`;
  const about = quote === null ? "" : `(about “${oneLine(quote, 40)}”)`;
  const answers = replies.length === 0 ? "" : counted(replies.length, "answer");
  return [said, list, url ?? "", about, answers, resolved ? "resolved" : "", lost].filter(Boolean).join("  ");
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
