import { listNewestActs, undoOf } from "../../store/journal/acts.ts";
import { listBooks, listParts } from "../../store/rows/books.ts";
import { listChapters } from "../../store/rows/chapters.ts";
import { listFacts } from "../../store/rows/facts.ts";
import { listMilestones } from "../../store/rows/milestones.ts";
import { listSnippets } from "../../store/rows/snippets.ts";
import { listKeys } from "../account/keys.ts";
import { type Manuscript, openManuscript } from "../manuscript.ts";
import { toTime } from "../present.ts";

/** What of a manuscript a command line can name. */
export type CandidateKind = "book" | "chapter" | "part" | "fact" | "note" | "milestone" | "act" | "key";

/** Something that a command line can name by its id, by one of its names or by its number. */
export interface CompletionCandidate {
  id: string;
  /** What it is called; "" if it has no name. */
  title: string;
  /** Other names. */
  aliases: readonly string[];
  /** Its number in its list, from 1; undefined if there is no order to count in. */
  position: number | undefined;
  /** Undefined for a book, an act or a key. */
  bookId: string | undefined;
  /** What else a list shows of it. */
  about: readonly string[];
}

/**
 * Lists everything of these kinds in a manuscript, in the order of the lists that show it, acts newest first. Throws if
 * the file is no manuscript.
 */
export function listCandidates<Kind extends CandidateKind>(
  path: string,
  kinds: readonly Kind[],
): Record<Kind, CompletionCandidate[]> {
  const manuscript = openManuscript(path);
  try {
    return manuscript.store.snapshot(() => {
      const lists = kinds.map((kind) => [kind, LISTS[kind](manuscript)] as const);
      return Object.fromEntries(lists) as Record<Kind, CompletionCandidate[]>;
    });
  } finally {
    manuscript.close();
  }
}

const LISTS: Readonly<Record<CandidateKind, (manuscript: Manuscript) => CompletionCandidate[]>> = {
  book: ({ store }) =>
    listBooks(store).map(({ id, title }, index) => candidate({ id, title, position: index + 1 })),
  chapter: ({ store }) =>
    listBooks(store)
      .flatMap((book) => listChapters(store, book.id))
      .map(({ id, title, position, bookId }) => candidate({ id, title, position, bookId })),
  part: ({ store }) =>
    listBooks(store)
      .flatMap((book) => listParts(store, book.id))
      .map(({ id, title, position, bookId }) => candidate({ id, title, position, bookId })),
  fact: ({ store }) =>
    listBooks(store)
      .flatMap((book) => listFacts(store, book.id))
      .map(({ id, bookId, name: title, kind, aliases, summary }) =>
        candidate({ id, bookId, title, aliases, about: [kind, summary] }),
      ),
  note: ({ store }) =>
    listBooks(store)
      .flatMap((book) => listSnippets(store, book.id))
      .map(({ id, bookId, kind, text, url, items }) =>
        candidate({ id, bookId, about: [kind, text ?? url ?? items?.[0]?.text ?? ""] }),
      ),
  milestone: ({ store }) =>
    listBooks(store).flatMap((book) =>
      listMilestones(store, book.id).map(({ id, bookId, name: title, at }, index) =>
        candidate({ id, bookId, title, position: index + 1, about: [toTime(at)] }),
      ),
    ),
  act: ({ store }) =>
    listNewestActs(store, MOST_ACTS)
      .filter(({ seq }) => undoOf(store, seq) === undefined)
      .reverse()
      .map(({ id, at, source, kind }) => candidate({ id, about: [toTime(at), source, kind] })),
  key: (manuscript) =>
    listKeys(manuscript)
      .keys.filter(({ revokedAt }) => revokedAt === null)
      .map(({ id, name: title, allow }) => candidate({ id, title, about: [allow.join(",")] })),
};

const MOST_ACTS = 50;

function candidate({ id, ...rest }: Partial<CompletionCandidate> & { id: string }): CompletionCandidate {
  return { id, title: "", aliases: [], position: undefined, bookId: undefined, about: [], ...rest };
}
