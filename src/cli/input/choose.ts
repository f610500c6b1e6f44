import { BadRequest, NotFound } from "../../refusals.ts";

/** What can be named by its id, by one of its names, or by its place in a list. */
export interface Choice {
  id: string;
  title: string;
  /** From 1; undefined if there is no order to count in. */
  position?: number | undefined;
  /** Other names. */
  aliases?: readonly string[];
}

const MOST_LISTED = 8;

/**
 * The one choice that the argument means: an id before all, then an exact name or a number, then a name in other case.
 * Throws `NotFound` for none, and `BadRequest` with the candidates for several.
 */
export function choose<Chosen extends Choice>(
  wanted: string,
  choices: readonly Chosen[],
  { what, hint }: { what: string; hint: string },
): Chosen {
  const tests: ((choice: Chosen) => boolean)[] = [
    ({ id }) => id === wanted,
    (choice) => choiceNames(choice).includes(wanted) || String(choice.position) === wanted,
    (choice) => choiceNames(choice).map(foldName).includes(foldName(wanted)),
  ];
  for (const test of tests) {
    const [found, ...others] = choices.filter(test);
    if (found === undefined) continue;
    if (others.length === 0) return found;
    throw new BadRequest(
      `"${wanted}" may be any of ${others.length + 1}: ${listChoices([found, ...others])}. Give the id.`,
    );
  }
  throw new NotFound(`${what} as "${wanted}"; ${hint}`);
}

/** The choices as a message lists them: id and name, at most eight. */
export function listChoices(choices: readonly Choice[]): string {
  const listed = choices.slice(0, MOST_LISTED).map(({ id, title }) => `${id} (${title})`);
  const more = choices.length - listed.length;
  return listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Everything that a choice is called. */
export function choiceNames({ title, aliases = [] }: Choice): string[] {
  return [title, ...aliases];
}

/** A name without what its spelling may differ in: case, composed letters, blanks around it. */
export function foldName(name: string): string {
  return name.normalize("NFC").trim().toLowerCase();
}
