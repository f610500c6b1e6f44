import { basename, dirname, relative, resolve } from "node:path";
import { copiesOf } from "../../service/backups/listed.ts";
import {
  type CandidateKind,
  type CompletionCandidate,
  listCandidates,
} from "../../service/completion/candidates.ts";
import { choiceNames, choose, foldName, isWhollyNamed } from "../../service/naming/choose.ts";
import { localTime, oneLine } from "../../text/columns.ts";
import { copiedFile, theManuscriptFile } from "../input/manuscript-file.ts";
import type { Terminal } from "../io/terminal.ts";
import { FILE } from "../rows/help.ts";
import type { Meaning } from "../rows/rows.ts";
import type { Line } from "./line.ts";

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

/** A candidate for the word under the cursor. */
export interface Offer {
  value: string;
  /** Description that a shell shows next to it, in one line. */
  about: string;
  /** True for a further way to say what the offer before it says. */
  again?: boolean;
}

/** Which of the things a command line can name, and how. */
export interface Scope {
  /** Noun for one of them: "chapter". */
  noun: string;
  /** True if numbers are understood: the book in which they count is known. */
  isCounted: boolean;
  /** Names that mean something else. */
  taken?: readonly string[];
  /** Text that distinguishes things of several books. */
  placeOf?: (thing: CompletionCandidate) => string;
}

/** The things, each by its first usable way: its number and its id, else its name, else its id. */
function offerAll(things: readonly CompletionCandidate[], scope: Scope): Offer[] {
  const isUsable = usable(things, scope);
  return things.flatMap((thing) => {
    const byId = { value: thing.id, about: describe(thing, scope) };
    if (thing.position === undefined)
      return isUsable(thing.title) ? [byName(thing, thing.title, scope)] : [byId];
    const number = String(thing.position);
    return isUsable(number)
      ? [
          { ...byId, value: number },
          { ...byId, again: true },
        ]
      : [byId];
  });
}

/**
 * The things that the beginning of a word may mean: by number, by id, and by the beginning of a name, else in other
 * case, else by the beginning of a later word of it where only one thing has that. A name that would not be understood
 * is completed to the id, once it is the only one left.
 */
function offerMatching(things: readonly CompletionCandidate[], word: string, scope: Scope): Offer[] {
  const isUsable = usable(things, scope);
  const direct = things.flatMap((thing) => {
    const ways = [...(thing.position === undefined ? [] : [String(thing.position)]), thing.id];
    return ways
      .filter((way) => way.startsWith(word) && (way === thing.id || isUsable(way)))
      .map((value) => ({ value, about: describe(thing, scope) }));
  });
  const hits = matching(things, word);
  const isOne = new Set(hits.map(({ name }) => name)).size === 1;
  const named = hits.map(({ thing, name }) =>
    isUsable(name) || (!isOne && isSafe(name))
      ? byName(thing, name, scope)
      : { value: thing.id, about: describe(thing, scope) },
  );
  return [...direct, ...named];
}

interface Hit {
  thing: CompletionCandidate;
  name: string;
}

function matching(things: readonly CompletionCandidate[], word: string): Hit[] {
  const all: Hit[] = things.flatMap((thing) => choiceNames(thing).map((name) => ({ thing, name })));
  const folded = foldName(word);
  if (folded === "") return [];
  const exact = all.filter(({ name }) => name.startsWith(word));
  if (exact.length > 0) return exact;
  const inCase = all.filter(({ name }) => foldName(name).startsWith(folded));
  if (inCase.length > 0) return inCase;
  const inside = new RegExp(`(?<![\\p{L}\\p{N}])${folded.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")}`, "u");
  const later = all.filter(({ name }) => inside.test(foldName(name)));
  // A shell puts what all candidates begin with in the word's place: there must be nothing, or one candidate alone.
  return later.length > 1 && new Set(later.map(({ name }) => name.charAt(0))).size === 1 ? [] : later;
}

/** Returns what tells if a name or a number means one of these things and nothing else, as `choose` decides. */
function usable(things: readonly CompletionCandidate[], { isCounted, taken = [] }: Scope) {
  const ids = new Set(things.map(({ id }) => id));
  const foreign = new Set(taken.map(foldName));
  const owners = new Map<string, number>();
  for (const thing of things)
    for (const way of new Set([...choiceNames(thing), ...(isCounted ? [String(thing.position)] : [])]))
      owners.set(way, (owners.get(way) ?? 0) + 1);
  return (name: string) =>
    owners.get(name) === 1 &&
    (isCounted || !/^\d+$/.test(name)) &&
    isSafe(name) &&
    !ids.has(name) &&
    !foreign.has(foldName(name));
}

/** False for what no command line holds as one plain word: an option, or a line end that a shell would run at. */
function isSafe(name: string): boolean {
  return name.trim() !== "" && !name.startsWith("-") && !/[\u0000-\u001f\u007f]/.test(name);
}

function byName(thing: CompletionCandidate, value: string, scope: Scope): Offer {
  const { position, title } = thing;
  if (value !== title) return { value, about: describe(thing, scope) };
  const about = position === undefined ? details(thing) : `${scope.noun} ${position}`;
  return { value, about: [about, scope.placeOf?.(thing)].filter(Boolean).join(", ") };
}

function describe(thing: CompletionCandidate, { placeOf }: Scope): string {
  return oneLine([thing.title || details(thing), placeOf?.(thing)].filter(Boolean).join(", "), MOST_SHOWN);
}

const MOST_SHOWN = 80;

function details({ about }: CompletionCandidate): string {
  const shown = about.filter(Boolean).map((text) => (/^\d{4}-.*Z$/.test(text) ? localTime(text) : text));
  return oneLine(shown.join(", "), MOST_SHOWN);
}
