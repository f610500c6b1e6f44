import type { CompletionCandidate } from "../../service/completion/candidates.ts";
import { choiceNames, foldName } from "../../service/naming/choose.ts";
import { localTime, oneLine } from "../../text/columns.ts";

/** A candidate for the word under the cursor. */
export interface Offer {
  value: string;
  /** What a shell shows next to it, in one line. */
  about: string;
  /** True for a further way to say what the offer before it says. */
  again?: boolean;
}

/** Which of the things a command line can name, and how. */
export interface Scope {
  /** What one of them is: "chapter". */
  noun: string;
  /** True if numbers are understood: the book in which they count is known. */
  isCounted: boolean;
  /** Names that mean something else. */
  taken?: readonly string[];
  /** What tells things of several books apart. */
  placeOf?: (thing: CompletionCandidate) => string;
}

/** The things, each by its first usable way: its number and its id, else its name, else its id. */
export function offerAll(things: readonly CompletionCandidate[], scope: Scope): Offer[] {
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
export function offerMatching(things: readonly CompletionCandidate[], word: string, scope: Scope): Offer[] {
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
