import { hash } from "node:crypto";
import type { Store } from "../store/file/store.ts";
import { findBook, findGoal, findPart, type GoalRow, listParts, type PartRow } from "../store/rows/books.ts";
import { readChapterVersion, readOutlineChapters } from "../store/rows/chapters.ts";
import { type FactRow, findFact } from "../store/rows/facts.ts";
import { findSnippet, type SnippetRow } from "../store/rows/snippets.ts";
import { type BookFields, metadataOf } from "./field-rules.ts";

// An entity tag, without quotes, is `ID.OWN` or `ID.OWN.WHOLE`, and of a read whatever else its form shows behind that: so a
// tag that was read is of a state if it begins with that state's. `own` is what an edit compares: a chapter's revision, else a
// hash of the record's own fields, so that no tag ever stands for two contents. `whole` is what any other write compares: a
// chapter's version, a hash of a book's outline. Source: llms.txt, Requests and answers.

/** What has an entity tag. */
export type RecordName = "book" | "part" | "chapter" | "fact" | "snippet";

/** What a read answers, and the tag of the record that it is about. */
export interface TaggedBody {
  tag: string;
  body: Buffer;
}

/** Whether a tag that was read is of the state with this tag. */
export function isOfState(seen: string, now: string): boolean {
  return `${seen}.`.startsWith(`${now}.`);
}

const DIGEST_CHARACTERS = 16;

/** 96 bits of a hash, in 16 characters that a tag may hold. */
export function digest(text: string | Buffer): string {
  return hash("sha256", text, "base64url").slice(0, DIGEST_CHARACTERS);
}

const digestOf = (...values: unknown[]): string => digest(JSON.stringify(values));

/** A fact's: of what it says, not of how often it is mentioned. */
export function factTag({ id, name, kind, aliases, attributes, summary }: FactRow): string {
  return `${id}.${digestOf(name, kind, aliases, attributes, summary)}`;
}

/** A snippet's: of its content and its anchor. */
export function snippetTag(row: SnippetRow): string {
  const { id, chapterId, blockId, kind, text, url, items, detached, author, quote, replies, resolved } = row;
  const said = [author, quote, replies, resolved];
  return `${id}.${digestOf(chapterId, blockId, kind, text, url, items, detached, said)}`;
}

/** A part's: of its title and its place. */
export function partTag({ id, title, position }: PartRow): string {
  return `${id}.${digestOf(title, position)}`;
}

/** A chapter's. */
export function chapterTag(row: { id: string; revision: number; version: number }): string {
  return `${row.id}.${row.revision}.${row.version}`;
}

/** A book's: `own` is of title and goal, `whole` of all that its outline shows but the days. */
export function bookTag(store: Store, id: string): string {
  const row = findBook(store, id);
  return outlineTag(id, {
    title: row?.title ?? "",
    metadata: row === undefined ? {} : metadataOf(row),
    goal: findGoal(store, id),
    parts: listParts(store, id),
    chapters: readOutlineChapters(store, id),
  });
}

/** A book's whose outline has been read; `chapters` is its JSON. */
export function outlineTag(
  id: string,
  {
    title,
    metadata,
    goal,
    parts,
    chapters,
  }: {
    title: string;
    metadata: BookFields;
    goal: GoalRow | undefined;
    parts: readonly Pick<PartRow, "id" | "title">[];
    chapters: string;
  },
): string {
  const names = parts.map((part) => [part.id, part.title]);
  return `${id}.${digestOf(title, metadata, goal)}.${digest(JSON.stringify(names) + chapters)}`;
}

/** The record whose tag the answer of a write carries. Without an id it is the one that the answer names. */
export interface Subject {
  record: RecordName;
  id: string | undefined;
}

/** The tag of the record that a write was about, as it left it; undefined if it left none. */
export function tagAfter(store: Store, { record, id }: Subject, answer: object): string | undefined {
  const named = answer as { id?: string } & Partial<Record<RecordName, { id?: string }>>;
  return tagOf({ store }, record, id ?? named[record]?.id ?? named.id ?? "")[0];
}

/** The tag of a record now; nothing if there is no such record. */
export function tagOf({ store }: { store: Store }, record: RecordName, id: string): string[] {
  const ofRow = <Row>(row: Row | undefined, tag: (row: Row) => string) =>
    row === undefined ? [] : [tag(row)];
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
