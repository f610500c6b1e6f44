import type { AnswerOf, BodyOf } from "../../contract/index.ts";
import type { BlockId, BookId, ChapterId, SnippetId } from "../../ids.ts";
import { BadRequest, NotFound } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
import type { Store } from "../../store/file/store.ts";
import { chaptersOfLeaves } from "../../store/rows/blocks.ts";
import * as stored from "../../store/rows/snippets.ts";
import { isBlankMarkdown } from "../../text/clean-text.ts";
import { collapseSpace } from "../../text/fold.ts";
import { bookTag, snippetTag, type TaggedBody } from "../entity-tags.ts";
import { checkText, TEXTS } from "../field-rules.ts";
import { assertOwn, assertSeen, found, theBook, theChapter } from "../guards.ts";
import { type Manuscript, type Removal, type WriteOn, write } from "../manuscript.ts";
import { type Ready, toSnippet } from "../present.ts";

/** The snippet, or `NotFound`. */
export function theSnippet({ store }: Manuscript, id: SnippetId): stored.SnippetRow {
  return found(stored.findSnippet(store, id), "snippet");
}

/** The snippet as a finished body with its tag. Throws `NotFound`. */
export function readSnippet(manuscript: Manuscript, id: SnippetId): TaggedBody & Ready<"readSnippet"> {
  const snippet = theSnippet(manuscript, id);
  const answer: AnswerOf<"readSnippet"> = { snippet: toSnippet(snippet) };
  return { tag: snippetTag(snippet), body: Buffer.from(JSON.stringify(answer)) };
}

/** A book's marginalia in chapter order, or one chapter's. Throws `NotFound`. */
export function listSnippets(
  manuscript: Manuscript,
  bookId: BookId,
  { chapterId }: { chapterId?: ChapterId | undefined },
): AnswerOf<"listSnippets"> {
  const { store } = manuscript;
  theBook(manuscript, bookId);
  if (chapterId !== undefined) assertInBook(manuscript, bookId, chapterId);
  const rows =
    chapterId === undefined
      ? stored.listSnippets(store, bookId)
      : stored.listChapterSnippets(store, chapterId);
  return { snippets: rows.map(toSnippet), total: rows.length };
}

/** A new snippet; `blockId` alone names its chapter too, and `replyTo` its place. Throws `NotFound`, `BadRequest`. */
export const createSnippet: WriteOn<"createSnippet", BookId> = (manuscript, bookId, body, caller) => {
  const { store } = manuscript;
  if (body.items != null && body.kind !== "todo") throw new BadRequest(...ITEMS_ELSEWHERE);
  return write(manuscript, "createSnippet", caller, (act) => {
    theBook(manuscript, bookId);
    const answered = body.replyTo === undefined ? undefined : answeredBy(manuscript, bookId, body);
    const { chapterId, blockId } = answered ?? anchorOf(manuscript, bookId, body);
    const text = answered === undefined ? (body.text ?? null) : quoting(answered, body.text ?? "");
    assertSeen(caller, "book", () => [bookTag(store, bookId)]);
    const { kind, url = null, items = null } = body;
    const id = insertSnippet(store, act, { bookId, chapterId, blockId, kind, text, url, items });
    return () => ({ id, snippet: toSnippet(theSnippet(manuscript, id)) });
  });
};

type Place = Pick<stored.SnippetRow, "bookId" | "chapterId" | "blockId">;
type Content = Place & Pick<stored.SnippetRow, "kind" | "text" | "url" | "items">;

function insertSnippet(store: Store, act: Act, content: Content): SnippetId {
  const id = store.mint("snippet");
  stored.insertSnippet(store, { ...content, ...stored.OWN_NOTE, id, detached: null, createdAt: act.at });
  return id;
}

/**
 * Adds a note, within an act, with texts of a record that goes and that no other record takes; none for blank texts.
 * Returns a function that reads the note, or null, for the act's answer. Throws `BadRequest` for too much text.
 */
export function keepInNote(
  manuscript: Manuscript,
  act: Act,
  place: Place,
  { name, texts }: { name: string; texts: readonly string[] },
): () => AnswerOf<"readSnippet">["snippet"] | null {
  const left = texts.filter((text) => text.trim() !== "");
  if (left.length === 0) return () => null;
  const whole = [`From “${name}”:`, ...left].join("\n\n");
  const text = checkText(`The note that keeps what is left of “${name}”`, whole, TEXTS.note);
  const id = insertSnippet(manuscript.store, act, { ...place, kind: "note", text, url: null, items: null });
  return () => toSnippet(theSnippet(manuscript, id));
}

/**
 * Replaces content; the anchor only if it is sent. Items that a kind but todo cannot hold go, and are told of: a client
 * of the specification has no way to send them. Source: llms.txt, PATCH /snippets/{snippetId}.
 */
export const updateSnippet: WriteOn<"updateSnippet", SnippetId> = (manuscript, id, body, caller) => {
  if (body.items != null && body.kind !== "todo") throw new BadRequest(...ITEMS_ELSEWHERE);
  return write(manuscript, "updateSnippet", caller, () => {
    const snippet = theSnippet(manuscript, id);
    assertOwn(manuscript, id, caller);
    const kept = body.items === undefined ? snippet.items : body.items;
    const isTodo = body.kind === "todo";
    const itemsDropped = isTodo || snippet.items === null ? {} : { itemsDropped: snippet.items };
    const isElsewhere = body.chapterId !== undefined && body.chapterId !== snippet.chapterId;
    const isAnchorSent = isElsewhere || (body.blockId !== undefined && body.blockId !== snippet.blockId);
    const anchor = isAnchorSent ? anchorOf(manuscript, snippet.bookId, mergedAnchor(snippet, body)) : snippet;
    assertSeen(caller, "snippet", () => [snippetTag(snippet)]);
    stored.updateSnippet(manuscript.store, {
      ...snippet,
      chapterId: anchor.chapterId,
      blockId: anchor.blockId,
      detached: isAnchorSent ? null : snippet.detached,
      kind: body.kind,
      text: body.text ?? null,
      url: body.url ?? null,
      items: isTodo ? kept : null,
      resolved: body.resolved ?? snippet.resolved,
    });
    return () => ({ snippet: toSnippet(theSnippet(manuscript, id)), ...itemsDropped });
  });
};

/** Deletes a snippet. Throws `NotFound`, the second time too. */
export const deleteSnippet: Removal<"deleteSnippet", SnippetId> = (manuscript, id, caller) =>
  write(manuscript, "deleteSnippet", caller, () => {
    const snippet = theSnippet(manuscript, id);
    assertOwn(manuscript, id, caller);
    assertSeen(caller, "snippet", () => [snippetTag(snippet)]);
    stored.deleteSnippet(manuscript.store, id);
    return () => ({ id, deleted: true as const });
  });

const ITEMS_ELSEWHERE: [string, { path: string; message: string }[]] = [
  'items belong to kind "todo"; leave them out or send kind todo.',
  [{ path: "/items", message: 'only for kind "todo"' }],
];

/** The note that a new one answers. Throws `NotFound`, and `BadRequest` for an answer with a place of its own or without text. */
function answeredBy(
  manuscript: Manuscript,
  bookId: BookId,
  { replyTo, chapterId, blockId, text }: BodyOf<"createSnippet">,
): stored.SnippetRow {
  const answered = theSnippet(manuscript, String(replyTo));
  if (answered.bookId !== bookId) throw new NotFound("snippet");
  if (chapterId != null || blockId != null)
    throw new BadRequest("An answer stands where the note does: leave chapterId and blockId out.");
  if (isBlankMarkdown(text ?? "")) throw new BadRequest("The answer is empty; give its text.");
  return answered;
}

const QUOTE_CHARACTERS = 80;

/** An answer's text below a line of what it answers. Throws `BadRequest` where the two are too long together. */
function quoting({ text, items, url }: stored.SnippetRow, answer: string): string {
  const said = (text ?? "").replace(/^(?:>.*\n+)+/, ""); // what that answered in turn
  const whole = collapseSpace(said || items?.map((item) => item.text).join("; ") || url || "");
  const quote =
    whole.length <= QUOTE_CHARACTERS
      ? whole
      : `${whole.slice(0, QUOTE_CHARACTERS).toWellFormed().trimEnd()}…`;
  return checkText("text, with the line that it quotes,", `> ${quote}\n\n${answer}`, TEXTS.note);
}

interface Anchor {
  chapterId?: ChapterId | null | undefined;
  blockId?: BlockId | null | undefined;
}

/** `blockId: null` detaches from the paragraph and stays with the chapter; a new chapter lets go of the paragraph. */
function mergedAnchor(snippet: stored.SnippetRow, requested: Anchor): Anchor {
  if (requested.blockId != null) return requested;
  return {
    chapterId: requested.chapterId === undefined ? snippet.chapterId : requested.chapterId,
    blockId: null,
  };
}

/** Resolves an anchor: a paragraph implies its chapter. Throws `NotFound` if it is not in the book. */
function anchorOf(
  manuscript: Manuscript,
  bookId: BookId,
  requested: Anchor,
): { chapterId: ChapterId | null; blockId: BlockId | null } {
  const { chapterId = null, blockId = null } = requested;
  if (chapterId !== null) assertInBook(manuscript, bookId, chapterId);
  if (blockId === null) return { chapterId, blockId };
  const holder = chaptersOfLeaves(manuscript.store, [blockId]).get(blockId);
  if (holder === undefined || (chapterId !== null && chapterId !== holder))
    throw new NotFound("paragraph in this chapter");
  assertInBook(manuscript, bookId, holder);
  return { chapterId: holder, blockId };
}

function assertInBook(manuscript: Manuscript, bookId: BookId, chapterId: ChapterId): void {
  if (theChapter(manuscript, chapterId).bookId !== bookId) throw new NotFound("chapter");
}
