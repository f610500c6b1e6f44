import type { AnswerOf, BodyOf } from "../../contract/index.ts";
import type { BookId, ChapterId, FactId } from "../../ids.ts";
import { nodeOf, readLeaves } from "../../prose/document/leaves.ts";
import { sentenceSpans } from "../../reading/sentences.ts";
import { BadRequest } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
import type { Store } from "../../store/file/store.ts";
import { findNodes } from "../../store/rows/blocks.ts";
import { findChapter } from "../../store/rows/chapters.ts";
import * as stored from "../../store/rows/facts.ts";
import {
  countAllMentions,
  countMentions,
  deleteMentions,
  listFactMentions,
} from "../../store/rows/mentions.ts";
import { bookTag, factTag, type TaggedBody } from "../entity-tags.ts";
import { assertSeen, found, theBook } from "../guards.ts";
import {
  type Manuscript,
  type Removal,
  type Write,
  type WriteOn,
  write,
  writeOptimistically,
} from "../manuscript.ts";
import { type MentionDropped, type Ready, toDeletion, toDropped, toFact } from "../present.ts";
import { keepInNote } from "./snippets.ts";

/** So much of a sentence is shown on either side of a mention at most. */
const CONTEXT_CHARACTERS = 200;

/** The fact, or `NotFound`. */
export function theFact({ store }: Manuscript, id: FactId): stored.FactRow {
  return found(stored.findFact(store, id), "fact");
}

/** The fact as a write answers it. Throws `NotFound`. */
function shown(manuscript: Manuscript, id: FactId): AnswerOf<"updateFact">["fact"] {
  return toFact(theFact(manuscript, id), countMentions(manuscript.store, id));
}

/** A book's facts by name. Throws `NotFound`. */
export function listFacts(manuscript: Manuscript, bookId: BookId): AnswerOf<"listFacts"> {
  theBook(manuscript, bookId);
  const { store } = manuscript;
  return store.snapshot(() => {
    const counts = countAllMentions(store, bookId);
    const facts = stored.listFacts(store, bookId).map((fact) => toFact(fact, counts.get(fact.id) ?? 0));
    return { facts, total: facts.length };
  });
}

/** The fact and its mentions in reading order, each with the sentence around it, or 200 characters of it on either side. */
export function readFact(manuscript: Manuscript, id: FactId): AnswerOf<"readFact"> {
  const { store } = manuscript;
  return store.snapshot(() => {
    const fact = theFact(manuscript, id);
    const textOf = createTextReader(store);
    const show = createMentionPresenter();
    const mentions = listFactMentions(store, id).map(({ rowId, ...mention }) =>
      show(mention, textOf(rowId, mention.blockId)),
    );
    return { fact: toFact(fact, mentions.length), mentions };
  });
}

/** The same as a finished body with the fact's tag. Throws `NotFound`. */
export function readTaggedFact(manuscript: Manuscript, id: FactId): TaggedBody & Ready<"readFact"> {
  return manuscript.store.snapshot(() => {
    const tag = factTag(theFact(manuscript, id));
    return { tag, body: Buffer.from(JSON.stringify(readFact(manuscript, id))) };
  });
}

type StoredMention = Omit<ReturnType<typeof listFactMentions>[number], "rowId">;

/** Returns the text of a leaf. Asked in reading order it parses each block once, however many mentions stand in it. */
function createTextReader(store: Store): (rowId: string, blockId: string) => string {
  let known = "";
  let texts: ReadonlyMap<string | null, string> = new Map();
  return (rowId, blockId) => {
    if (rowId !== known) {
      known = rowId;
      const leaves = findNodes(store, [rowId]).flatMap((row) => readLeaves(nodeOf(row)));
      texts = new Map(leaves.map((leaf) => [leaf.blockId, leaf.text]));
    }
    return texts.get(blockId) ?? "";
  };
}

/**
 * Returns what shows a mention as the contract does, with the sentence around it in its leaf. Asked in reading order it
 * divides each text once.
 */
export function createMentionPresenter(): (
  mention: StoredMention,
  text: string,
) => AnswerOf<"readFact">["mentions"][number] {
  let last = { text: "", sentences: sentenceSpans("") };
  return ({ name: _, ...shown }, text) => {
    if (text !== last.text) last = { text, sentences: sentenceSpans(text) };
    const { from, to } = shown;
    const [start, end] = last.sentences.find(([, until]) => from < until) ?? [0, text.length];
    const first = Math.max(start, from - CONTEXT_CHARACTERS);
    const before = text.slice(first, from);
    return {
      ...shown,
      before: whole(first === start ? before : before.replace(PART_OF_WORD, "")),
      after: whole(text.slice(to, Math.min(Math.max(end, to), to + CONTEXT_CHARACTERS)).trimEnd()),
    };
  };
}

const PART_OF_WORD = /^\S{0,40}(?=\s)/;

/** The text without half a character at either end. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

/** A new fact; one of the same name is warned of, not refused. Throws `NotFound`. */
export const createFact: WriteOn<"createFact", BookId> = (manuscript, bookId, body, caller) =>
  write(manuscript, "createFact", caller, (act, store) => {
    theBook(manuscript, bookId);
    assertSeen(caller, "book", () => [bookTag(store, bookId)]);
    assertChapters(store, bookId, body.attributes);
    const warnings = stored.hasFactNamed(store, bookId, body.name) ? ["same_name"] : [];
    const id = insertFact(manuscript, act, bookId, body);
    return () => ({ id, fact: toFact(theFact(manuscript, id), 0), warnings });
  });

/** Adds a fact within an act; its texts are checked. */
export function insertFact(
  { store }: Manuscript,
  act: Act,
  bookId: BookId,
  { name, kind = "", aliases = [], attributes = [], summary = "" }: BodyOf<"createFact">,
): FactId {
  const id = store.mint("fact");
  stored.insertFact(store, {
    id,
    bookId,
    name,
    kind,
    aliases: distinct(aliases),
    attributes,
    summary,
    createdAt: act.at,
  });
  return id;
}

/** Changes the fields sent and no other. Throws `NotFound`, `BadRequest` for nothing to change. */
export const updateFact: WriteOn<"updateFact", FactId> = (manuscript, id, body, caller) => {
  if (Object.values(body).every((value) => value === undefined))
    throw new BadRequest("Nothing to change: send name, kind, aliases, summary or setAttributes.");
  return write(manuscript, "updateFact", caller, () => {
    const { name, kind, aliases, summary, setAttributes } = body;
    const fact = theFact(manuscript, id);
    assertChapters(manuscript.store, fact.bookId, setAttributes);
    const attributes = setAttributes && withAttributes(fact.attributes, setAttributes);
    assertSeen(caller, "fact", () => [factTag(fact)]);
    const fields = { name, kind, aliases, summary, attributes };
    const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
    changeFact(manuscript, id, Object.fromEntries(sent));
    return () => ({ fact: shown(manuscript, id) });
  });
};

/** The attributes with these set: a known key keeps its place, null takes it out. */
function withAttributes(
  attributes: stored.FactRow["attributes"],
  changes: NonNullable<BodyOf<"updateFact">["setAttributes"]>,
): stored.FactRow["attributes"] {
  return changes.reduce((set, { value, ...change }) => {
    const hold = holdOf(change);
    const isAll = value === null && change.fromChapterId === undefined;
    const isSet = (one: stored.Attribute) => (isAll ? one.key === change.key : holdOf(one) === hold);
    const at = set.findIndex(isSet);
    const rest = set.filter((one) => !isSet(one));
    if (value === null) return rest;
    const { key, ...from } = change;
    return rest.toSpliced(at < 0 ? rest.length : at, 0, { key, value, ...from });
  }, attributes);
}

/** What one value is set for: a key, and the chapter from which on. */
function holdOf({ key, fromChapterId }: Pick<stored.Attribute, "key" | "fromChapterId">): string {
  return JSON.stringify([key, fromChapterId ?? null]);
}

/** Throws `NotFound` unless the chapters from which on attributes hold are of this book, `BadRequest` for a key "from". */
function assertChapters(
  store: Store,
  bookId: BookId,
  attributes: readonly Pick<stored.Attribute, "key" | "fromChapterId">[] = [],
): void {
  for (const { key, fromChapterId } of attributes) {
    if (fromChapterId === undefined) continue;
    // In a folder's facts.yaml that key says the chapter itself.
    if (key === "from")
      throw new BadRequest(
        'An attribute of the key "from" cannot hold from a chapter on; give it another key.',
      );
    const chapter = findChapter(store, fromChapterId as ChapterId); // any other string names none
    found(chapter?.bookId === bookId ? chapter : undefined, "chapter");
  }
}

/** Writes these fields of a fact within an act, and no other; their texts are checked. */
export function changeFact(
  manuscript: Manuscript,
  id: FactId,
  {
    aliases,
    ...changed
  }: Partial<Pick<stored.FactRow, "name" | "kind" | "aliases" | "attributes" | "summary">>,
): void {
  const fact = theFact(manuscript, id);
  stored.updateFact(manuscript.store, {
    ...fact,
    ...changed,
    aliases: aliases === undefined ? fact.aliases : distinct(aliases),
  });
}

/**
 * The keeper absorbs the other: its names become aliases, its mentions move, its values fill blanks. Values that the
 * keeper has differently become a note of the book.
 */
export const mergeFacts: Write<"mergeFacts"> = (manuscript, { keepId, dropId }, caller) => {
  const { store } = manuscript;
  if (keepId === dropId) throw new BadRequest("keepId and dropId are the same fact; name two.");
  return write(manuscript, "mergeFacts", caller, (act) => {
    const keep = theFact(manuscript, keepId);
    const drop = theFact(manuscript, dropId);
    if (keep.bookId !== drop.bookId)
      throw new BadRequest("The facts belong to two books; merge facts of one.");
    assertSeen(caller, "fact", () => [factTag(keep), factTag(drop)]);
    const keptNames = new Set([keep.name, ...keep.aliases]);
    const aliasesAdded = distinct([drop.name, ...drop.aliases]).filter((alias) => !keptNames.has(alias));
    const filledHolds = new Set(
      keep.attributes.filter(({ value }) => value.trim() !== "").map((attribute) => holdOf(attribute)),
    );
    const attributesAdded = drop.attributes.filter((attribute) => !filledHolds.has(holdOf(attribute)));
    const filled = new Set(attributesAdded.map((attribute) => holdOf(attribute)));
    const merged = {
      ...keep,
      kind: keep.kind || drop.kind,
      summary: keep.summary || drop.summary,
      aliases: [...keep.aliases, ...aliasesAdded],
      attributes: [
        ...keep.attributes.filter((attribute) => !filled.has(holdOf(attribute))),
        ...attributesAdded,
      ],
    };
    stored.updateFact(store, merged);
    const place = { bookId: keep.bookId, chapterId: null, blockId: null };
    const left = { name: drop.name, texts: valuesLeft(store, drop, merged) };
    const snippet = keepInNote(manuscript, act, place, left);
    const mentionsMoved = stored.moveMentions(store, { from: dropId, to: keepId, bookId: keep.bookId });
    stored.deleteFact(store, dropId);
    return () => ({
      fact: shown(manuscript, keepId),
      mentionsMoved,
      aliasesAdded,
      attributesAdded,
      snippet: snippet(),
    });
  });
};

/** A fact's kind, attributes and summary, as far as another fact has them differently. */
function valuesLeft(store: Store, fact: stored.FactRow, merged: stored.FactRow): string[] {
  const attributesLeft = fact.attributes.flatMap((attribute) => {
    const { key, value, fromChapterId } = attribute;
    const isIn = merged.attributes.some((one) => one.value === value && holdOf(one) === holdOf(attribute));
    if (isIn || value.trim() === "") return [];
    const title = fromChapterId && findChapter(store, fromChapterId as ChapterId)?.title;
    return [`${key}${title ? ` (from “${title}” on)` : ""}: ${value}`];
  });
  return [
    fact.kind === merged.kind || fact.kind === "" ? "" : `kind: ${fact.kind}`,
    ...attributesLeft,
    fact.summary === merged.summary ? "" : fact.summary,
  ];
}

/** Deletes a fact and its mentions, which it lists; no prose changes. Throws `NotFound`. */
export const deleteFact: Removal<"deleteFact", FactId> = (manuscript, id, caller) => {
  const { store } = manuscript;
  const bookId = () => stored.findFact(store, id)?.bookId;
  const make = () => listDropped(store, id);
  return writeOptimistically(store, bookId, make, (planned) =>
    write(manuscript, "deleteFact", caller, () => {
      const fact = theFact(manuscript, id);
      assertSeen(caller, "fact", () => [factTag(fact)]);
      const dropped = dropFact(manuscript, id, planned());
      return () => toDeletion(id, dropped);
    }),
  );
};

/** Deletes a fact and its mentions within an act; returns the mentions. */
export function dropFact(
  { store }: Manuscript,
  id: FactId,
  mentions: MentionDropped[] = listDropped(store, id),
): MentionDropped[] {
  deleteMentions(store, mentions);
  stored.deleteFact(store, id);
  return mentions;
}

function listDropped(store: Store, id: FactId): MentionDropped[] {
  return listFactMentions(store, id).map((mention) => toDropped(mention));
}

function distinct(words: readonly string[]): string[] {
  return [...new Set(words)];
}
