import { BadRequest, NotFound } from "../../refusals.ts";
import { editDistance } from "../../text/edit-distance.ts";
import { smallest } from "../../text/extremes.ts";
import { foldAccents, foldText } from "../../text/fold.ts";

/** What can be named by its id, by one of its names, or by its place in a list. */
export interface Choice {
  id: string;
  title: string;
  /** From 1; undefined if there is no order to count in. */
  position?: number | undefined;
  /** Other names. */
  aliases?: readonly string[];
  /** What tells it from one of the same title in another book, as a message shows it: "in Ferry". */
  place?: string | undefined;
}

/** What the choices are, and what helps who named none of them, or several. */
export interface Wanted {
  what: string;
  hint: string;
  /** How to say which of several it is. */
  how?: string;
  /** How a message lists several; else by id and title. */
  list?: (choices: readonly Choice[]) => string;
  /** A part of a name is no name: for what nothing brings back. */
  isExact?: boolean;
}

const MOST_LISTED = 8;
/** Of a longer name, a message tells the beginning. */
const TOLD_CHARACTERS = 200;
/** Nothing is called by more, however its accents are formed. */
const NAME_CHARACTERS = 2000;

type Way = (choice: Choice, wanted: string) => boolean;

/** The ways of naming something wholly, each counting only where those before it name nothing. */
const WHOLE: readonly Way[] = [
  ({ id }, wanted) => id === wanted,
  ({ title, position }, wanted) => title === wanted || String(position) === wanted,
  ({ title }, wanted) => foldName(title) === foldName(wanted),
  ({ aliases = [] }, wanted) => aliases.includes(wanted),
  ({ aliases = [] }, wanted) => aliases.some((alias) => foldName(alias) === foldName(wanted)),
];

/** The same, and then by words of a name, by their beginning, and as "chapter 3". */
const WAYS: readonly Way[] = [
  ...WHOLE,
  (choice, wanted) => choiceNames(choice).some((name) => holdsWords(name, wanted)),
  (choice, wanted) => choiceNames(choice).some((name) => holdsName(name, wanted)),
  ({ id, position }, wanted) => {
    const [, kind = "", number] = /^(book|part|chapter)\s*(\d+)$/i.exec(wanted.trim()) ?? [];
    return Number(number) === position && id.startsWith(KINDS[kind.toLowerCase()] ?? " ");
  },
];

/** What the ids of each kind that is counted begin with. */
const KINDS: Readonly<Record<string, string>> = { book: "bk_", part: "pt_", chapter: "ch_" };

/**
 * The one choice that the argument means: by id, by exact title or number, by title as `search` folds it, by alias, by
 * a part of a name that begins with a word, or as "chapter 3". Throws `NotFound` for none, `BadRequest` with the candidates for several.
 */
export function choose<Chosen extends Choice>(
  wanted: string,
  choices: readonly Chosen[],
  { what, hint, how = "Give the id", list = listChoices, isExact = false }: Wanted,
): Chosen {
  const told =
    wanted.length <= TOLD_CHARACTERS ? wanted : `${wanted.slice(0, TOLD_CHARACTERS).toWellFormed()}…`;
  for (const way of isExact ? WHOLE : WAYS) {
    if (wanted.length > NAME_CHARACTERS) break;
    const [found, ...others] = choices.filter((choice) => way(choice, wanted));
    if (found === undefined) continue;
    if (others.length === 0) return found;
    throw new BadRequest(
      `"${told}" may be any of ${others.length + 1}: ${list([found, ...others])}. ${how}.`,
    );
  }
  const meant = nearest(wanted, choices);
  const guess = meant === undefined ? "" : `did you mean “${meant}”? If not, `;
  throw new NotFound(`${what} as "${told}"; ${guess}${hint}`);
}

/**
 * The name that is most like what was typed, wholly or in as many of its words; undefined if none differs in a letter
 * out of four at most.
 */
function nearest(wanted: string, choices: readonly Choice[]): string | undefined {
  const typed = foldName(wanted);
  const most = Math.floor(typed.length / 4);
  if (most === 0 || wanted.length > TOLD_CHARACTERS) return undefined;
  const wordCount = typed.split(" ").length;
  const near = choices.flatMap(choiceNames).map((name) => {
    const words = foldName(name).split(" ");
    const parts = words.map((_, at) => words.slice(at, at + wordCount).join(" "));
    const likely = [words.join(" "), ...parts];
    return { name, distance: smallest(likely.map((part) => editDistance(typed, part, most, true))) };
  });
  return near.filter(({ distance }) => distance <= most).sort((a, b) => a.distance - b.distance)[0]?.name;
}

/** How plainly an argument names one of the choices: 0 by its id, more in every later way; Infinity if it names none. */
export function plainness(wanted: string, choices: readonly Choice[]): number {
  const way = WAYS.findIndex((names) => choices.some((choice) => names(choice, wanted)));
  return way < 0 ? Infinity : way;
}

/** True if the argument is the whole of a name, an id or a number of the choice. */
export function isWhollyNamed(wanted: string, choice: Choice): boolean {
  return WHOLE.some((names) => names(choice, wanted));
}

/** The choices as a message lists them: id and name, at most eight. */
export function listChoices(choices: readonly Choice[]): string {
  const listed = choices
    .slice(0, MOST_LISTED)
    .map(({ id, title, place }) => `${id} (${title}${place === undefined ? "" : `, ${place}`})`);
  const more = choices.length - listed.length;
  return listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Everything that a choice is called. */
function choiceNames({ title, aliases = [] }: Choice): string[] {
  return [title, ...aliases];
}

/** A name without what its spelling may differ in: case, accents, quotes, dashes, blanks. As it is if nothing is left. */
export function foldName(name: string): string {
  return foldAccents(foldText(name)) || name.normalize("NFC").trim().toLowerCase();
}

function holdsWords(name: string, wanted: string): boolean {
  const part = foldName(wanted);
  return part !== "" && ` ${foldName(name)} `.includes(` ${part} `);
}

function holdsName(name: string, wanted: string): boolean {
  const part = foldName(wanted);
  return part !== "" && ` ${foldName(name)}`.includes(` ${part}`);
}
