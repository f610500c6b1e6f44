import { hash } from "node:crypto";
import type { Store } from "../store/file/store.ts";
import { findBook, findGoal, findPart, type GoalRow, listParts, type PartRow } from "../store/rows/books.ts";
import { readChapterVersion, readOutlineChapters } from "../store/rows/chapters.ts";
import { type FactRow, findFact } from "../store/rows/facts.ts";
import { findSnippet, type SnippetRow } from "../store/rows/snippets.ts";
import { type BookFields, metadataOf } from "./field-rules.ts";

/** What has an entity tag. */
export type RecordName = "book" | "part" | "chapter" | "fact" | "snippet";

/**
 * The state of a record as its entity tag tells it: `ID.OWN`, `ID.OWN.WHOLE`, and for a reader whatever else its form
 * shows. `own` is what an edit compares, `whole` what anything else does. Source: llms.txt, Requests and answers.
 */
export interface RecordTag {
  id: string;
  /** A chapter's revision; of anything else a hash of its own fields, so that no tag ever stands for two contents. */
  own: string;
  /** A chapter's version; of a book a hash of its outline. */
  whole?: string | undefined;
}

/** What a read answers, and the tag of the record that it is about. */
export interface TaggedBody {
  tag: RecordTag;
  body: Buffer;
}

/** A tag as it is sent, without quotes. */
export function tagText({ id, own, whole }: RecordTag): string {
  return whole === undefined ? `${id}.${own}` : `${id}.${own}.${whole}`;
}

/** Whether a tag that was read tells of this state; without a `whole` here its own part is enough. */
export function isOfState(seen: RecordTag, now: RecordTag): boolean {
  return seen.id === now.id && seen.own === now.own && (now.whole === undefined || seen.whole === now.whole);
}

const DIGEST_CHARACTERS = 16;

/** 96 bits of a hash, in 16 characters that a tag may hold. */
export function digest(text: string | Buffer): string {
  return hash("sha256", text, "base64url").slice(0, DIGEST_CHARACTERS);
}

const digestOf = (...values: unknown[]): string => digest(JSON.stringify(values));

/** The tag of a fact: what it says, not how often it is mentioned. */
export function factTag({ id, name, kind, aliases, attributes, summary }: FactRow): RecordTag {
  return { id, own: digestOf(name, kind, aliases, attributes, summary) };
}

/** The tag of a snippet: its content and its anchor. */
export function snippetTag(row: SnippetRow): RecordTag {
  const { id, chapterId, blockId, kind, text, url, items, detached, author, quote, replies, resolved } = row;
  const said = [author, quote, replies, resolved];
  return { id, own: digestOf(chapterId, blockId, kind, text, url, items, detached, said) };
}

/** The tag of a part: its title and its place. */
export function partTag({ id, title, position }: PartRow): RecordTag {
  return { id, own: digestOf(title, position) };
}

/** The tag of a book: its own part is of title and goal, the whole of everything that its outline shows of no day. */
export function bookTag(store: Store, id: string): RecordTag {
  const row = findBook(store, id);
  return outlineTag(id, {
    title: row?.title ?? "",
    metadata: row === undefined ? {} : metadataOf(row),
    goal: findGoal(store, id),
    parts: listParts(store, id),
    chapters: readOutlineChapters(store, id),
  });
}

/** The tag of a book whose outline has been read; `chapters` is its JSON. */
export function outlineTag(
  id: string,
  outline: {
    title: string;
    metadata: BookFields;
    goal: GoalRow | undefined;
    parts: readonly Pick<PartRow, "id" | "title">[];
    chapters: string;
  },
): RecordTag {
  const { title, metadata, goal, parts, chapters } = outline;
  const names = parts.map((part) => [part.id, part.title]);
  return { id, own: digestOf(title, metadata, goal), whole: digest(JSON.stringify(names) + chapters) };
}

/** The record whose tag the answer of a write carries. Without an id it is the one that the answer names. */
export interface Subject {
  record: RecordName;
  id: string | undefined;
}

/** The tag of the record that a write was about, as it left it; undefined if it left none. */
export function tagAfter(store: Store, { record, id }: Subject, answer: object): string | undefined {
  const named = answer as { id?: string } & Partial<Record<RecordName, { id?: string }>>;
  const now = findTag(store, record, id ?? named[record]?.id ?? named.id ?? "");
  return now && tagText(now);
}

/** The state of a record now, as a write takes it that is to go by what was read; nothing if there is no such record. */
export function tagOf({ store }: { store: Store }, record: RecordName, id: string): RecordTag[] {
  const tag = findTag(store, record, id);
  return tag === undefined ? [] : [tag];
}

function findTag(store: Store, record: RecordName, id: string): RecordTag | undefined {
  const ofRow = <Row>(row: Row | undefined, tag: (row: Row) => RecordTag) => row && tag(row);
  switch (record) {
    case "book":
      return ofRow(findBook(store, id), () => bookTag(store, id));
    case "part":
      return ofRow(findPart(store, id), partTag);
    case "chapter":
      return ofRow(readChapterVersion(store, id), (version) => chapterTag({ id, ...version }));
    case "fact":
      return ofRow(findFact(store, id), factTag);
    case "snippet":
      return ofRow(findSnippet(store, id), snippetTag);
  }
}

/** The tag of a chapter: its own part is the revision of its prose. */
export function chapterTag({
  id,
  revision,
  version,
}: {
  id: string;
  revision: number;
  version: number;
}): RecordTag {
  return { id, own: String(revision), whole: String(version) };
}
