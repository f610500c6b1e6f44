import { basename, dirname, relative, resolve } from "node:path";
import { copiesOf } from "../../service/backups/listed.ts";
import {
  type CandidateKind,
  type CompletionCandidate,
  listCandidates,
} from "../../service/completion/candidates.ts";
import { choiceNames, choose, isWhollyNamed } from "../../service/naming/choose.ts";
import { localTime } from "../../text/columns.ts";
import { copiedFile, theManuscriptFile } from "../input/manuscript-file.ts";
import type { Terminal } from "../io/terminal.ts";
import { FILE } from "../rows/help.ts";
import type { Meaning } from "../rows/rows.ts";
import type { Line } from "./line.ts";
import { type Offer, offerAll, offerMatching, type Scope } from "./offers.ts";

/** The line that a word ends, and where it is typed. */
interface Asked {
  line: Line;
  terminal: Terminal;
}

/** What of the line's manuscript a word may mean that begins so. Throws if there is no manuscript or no such book. */
export function offerNamed(kind: CandidateKind | "target", word: string, { line, terminal }: Asked): Offer[] {
  const path = theManuscriptFile({ file: fileOf(line, terminal), terminal });
  const offer = (things: readonly CompletionCandidate[], scope: Scope) =>
    word === "" ? offerAll(things, scope) : offerMatching(things, word, scope);
  if (kind === "target") {
    const { book: books, chapter } = listCandidates(path, ["book", "chapter"]);
    const { things, scope } = within("chapter", chapter, { books, line });
    if (bookOf(line, books) !== undefined) return offer(things, scope);
    const taken = books.flatMap((book) => [...choiceNames(book), String(book.position)]); // a book goes before a chapter
    return [...offer(books, everywhere("book")), ...offer(things, { ...scope, taken })];
  }
  if (kind === "chapter" || kind === "part" || kind === "fact" || kind === "milestone") {
    const { book: books, [kind]: all } = listCandidates(path, ["book", kind]);
    const { things, scope } = within(kind, all, { books, line });
    return offer(things, scope);
  }
  return offer(listCandidates(path, [kind])[kind], everywhere(kind));
}

/**
 * The copies of the line's manuscript that a word may mean, newest first, by the path from here or the bare name; and its
 * chapters, unless the file is such that only a copy helps.
 */
export function offerRestorable(word: string, { line, terminal }: Asked): Offer[] {
  const [from] = [...line.given].flatMap(([{ flags }, values]) => (flags.startsWith("--from") ? values : []));
  const folder = from === undefined ? undefined : resolve(terminal.cwd, from);
  const file = copiedFile({ file: fileOf(line, terminal), terminal });
  const { copies, folder: own } = copiesOf(file, folder);
  const offers = copies.flatMap(({ path, kind, at }) => {
    const ways = [relative(terminal.cwd, path), path, ...(dirname(path) === own ? [basename(path)] : [])];
    const value = ways.find((way) => way.startsWith(word));
    return value === undefined ? [] : [{ value, about: `${kind}, ${localTime(new Date(at).toISOString())}` }];
  });
  try {
    return [...offers, ...offerNamed("chapter", word, { line, terminal })];
  } catch {
    return offers;
  }
}

const everywhere = (noun: string): Scope => ({ noun, isCounted: true });

/** The things of the only book or the one that the line names; else those of all, whose numbers then say nothing. */
function within(
  noun: string,
  things: readonly CompletionCandidate[],
  { books, line }: { books: readonly CompletionCandidate[]; line: Line },
): { things: readonly CompletionCandidate[]; scope: Scope } {
  const book = bookOf(line, books) ?? (books.length === 1 ? books[0] : undefined);
  if (book !== undefined)
    return { things: things.filter(({ bookId }) => bookId === book.id), scope: everywhere(noun) };
  const titles = new Map(books.map(({ id, title }) => [id, title]));
  return {
    things: books.flatMap(({ id }) => things.filter(({ bookId }) => bookId === id)),
    scope: {
      noun,
      isCounted: false,
      placeOf: ({ bookId = "" }) => titles.get(bookId) ?? "",
    },
  };
}

/** The book that the line names, by an option or an argument; the first word of others need not be one. */
function bookOf(line: Line, books: readonly CompletionCandidate[]): CompletionCandidate | undefined {
  const isBook = ({ is }: { is?: Meaning }) => is === "book";
  const [option] = [...line.given].filter(([row]) => isBook(row)).map(([, values]) => values.at(-1));
  const at = line.row?.arguments.findIndex(isBook) ?? -1;
  if (option !== undefined) return choose(option, books, { what: "book", hint: "" });
  const word = at < 0 ? undefined : line.values[at];
  return word === undefined ? undefined : books.find((book) => isWhollyNamed(word, book));
}

/** The file that the line names; its folder may be the user's own or a variable's, which no shell has put in yet. */
function fileOf({ given }: Line, { env }: Terminal): string | undefined {
  return given
    .get(FILE)
    ?.at(-1)
    ?.replace(/^~(?=\/)|\$(\w+)|\$\{(\w+)\}/g, (written, bare?: string, braced?: string) => {
      const name = written === "~" ? "HOME" : (bare ?? braced ?? "");
      return env[name] ?? written;
    });
}
