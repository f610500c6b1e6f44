import { type Peek, peek } from "../store/peek.ts";

/** What of a manuscript a command line can name. */
export type NameableKind = "book" | "chapter" | "fact" | "note" | "act" | "key";

/** Something that a command line can name by its id, by one of its names or by its number. */
export interface Nameable {
  id: string;
  /** What it is called; "" where it has no name. */
  title: string;
  /** Other names. */
  aliases: readonly string[];
  /** Its number in its list, from 1; undefined where there is no order to count in. */
  position: number | undefined;
  /** Undefined for what is of no book. */
  bookId: string | undefined;
  /** What else a list shows of it. */
  about: readonly string[];
}

/**
 * What of these kinds is in a manuscript, read without opening it: nothing is written, locked or made beside the file.
 * In the order of the lists that show it, acts newest first. Throws where the file cannot be read as a manuscript.
 */
export function listNameable<Kind extends NameableKind>(
  path: string,
  kinds: readonly Kind[],
): Record<Kind, Nameable[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return peek(path, (rows) => {
        const lists = kinds.map((kind) => [kind, READERS[kind](rows)] as const);
        return Object.fromEntries(lists) as Record<Kind, Nameable[]>;
      });
    } catch (error) {
      // Another program's write may have pulled a page away: one in 25 reads while it writes without a pause.
      if (!(error instanceof RangeError) || attempt === ATTEMPTS) throw error;
    }
  }
}

const ATTEMPTS = 3;

const READERS: Readonly<Record<NameableKind, (rows: Peek) => Nameable[]>> = {
  book: (rows) =>
    [...rows("books", ["id", "title", "created_at"])]
      .sort((a, b) => Number(a.created_at) - Number(b.created_at) || (String(a.id) < String(b.id) ? -1 : 1))
      .map(({ id, title }, index) => nameable({ id, title, position: index + 1 })),
  chapter: (rows) =>
    [...rows("chapters", ["id", "book_id", "title", "position"])]
      .sort((a, b) => Number(a.position) - Number(b.position))
      .map(({ book_id: bookId, ...row }) => nameable({ bookId, ...row })),
  fact: (rows) =>
    [...rows("facts", ["id", "book_id", "name", "kind", "aliases", "summary"])]
      .map(({ id, book_id: bookId, name: title, kind, aliases, summary }) =>
        nameable({ id, bookId, title, aliases: JSON.parse(String(aliases)), about: [kind, summary] }),
      )
      .sort((a, b) => a.title.localeCompare(b.title)),
  note: (rows) =>
    [...rows("snippets", ["id", "book_id", "kind", "text", "url", "items"])].map(
      ({ id, book_id: bookId, kind, text, url, items }) =>
        nameable({ id, bookId, about: [kind, text ?? url ?? firstItem(items)] }),
    ),
  act: newestActs,
  key: (rows) =>
    [...rows("keys", ["id", "name", "allow", "revoked_at"])]
      .filter((row) => row.revoked_at === null)
      .map(({ id, name: title, allow }) => nameable({ id, title, about: [allow] })),
};

const MOST_ACTS = 50;

/** The newest acts that stand; those that were undone apart. */
function newestActs(rows: Peek): Nameable[] {
  const undone = new Set<Value>();
  const acts: Nameable[] = [];
  for (const row of rows("acts", ["seq", "id", "at", "kind", "source", "undoes"], "newest")) {
    if (undone.has(row.seq)) continue;
    if (row.undoes !== null) undone.add(row.undoes); // an undo comes after what it undoes
    const at = new Date(Number(row.at)).toISOString();
    acts.push(nameable({ id: row.id, about: [at, row.source, row.kind] }));
    if (acts.length === MOST_ACTS) break;
  }
  return acts;
}

type Value = string | number | null;

interface Row {
  id: Value;
  title?: Value;
  aliases?: string[];
  position?: Value;
  bookId?: Value;
  about?: Value[];
}

function nameable({ id, title, aliases = [], position, bookId, about = [] }: Row): Nameable {
  return {
    id: String(id),
    title: String(title ?? ""),
    aliases,
    position: typeof position === "number" ? position : undefined,
    bookId: typeof bookId === "string" ? bookId : undefined,
    about: about.map((value) => String(value ?? "")),
  };
}

function firstItem(items: Value): string {
  const [first] = (JSON.parse(String(items)) ?? []) as { text: string }[];
  return first?.text ?? "";
}
