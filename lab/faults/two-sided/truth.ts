import { type Fields, isTitled, type Side } from "./edits.ts";
import type { Leaf } from "./prose.ts";

/** What two sides' edits of a chapter must come to. */
export interface Truth {
  /** Who must be in the outcome, in no order; each is as the side has it that changed it. */
  leaves: Leaf[];
  fields: Fields;
  /** Paragraphs that both sides changed, each in its own way. */
  clashes: { mine: Leaf | undefined; theirs: Leaf | undefined }[];
  /** Fields that both sides changed, each in its own way. */
  fieldClashes: string[];
  /** Nobody can tell whether both sides changed the same paragraph: they may merge, or be a conflict. */
  isOpen: boolean;
}

/** Works out, paragraph by paragraph, what must become of two sides' edits of `base`. */
export function truthOf(base: Side, mine: Side, theirs: Side): Truth {
  const [before, my, their] = [base, mine, theirs].map(({ leaves }) => byKey(leaves)) as [
    Keyed,
    Keyed,
    Keyed,
  ];
  const truth: Truth = {
    leaves: [],
    fields: { ...theirs.fields },
    clashes: [],
    fieldClashes: [],
    isOpen: false,
  };
  const isNew = ({ key }: Leaf) => !before.has(key);
  const added = mine.leaves.filter(isNew);
  const texts = new Set(added.map(({ text }) => text)); // what both wrote, such as the rest of a paragraph that both cut
  const hasTwins = theirs.leaves.some((leaf) => isNew(leaf) && texts.has(leaf.text));
  for (const [key, was] of before) {
    const [a, b] = [my.get(key), their.get(key)];
    const [iChanged, theyChanged] = [a?.text !== was.text, b?.text !== was.text];
    const isAlike = a?.text === b?.text && (mine.gone.get(key) ?? "") === (theirs.gone.get(key) ?? "");
    const isClash = iChanged && theyChanged && !isAlike;
    const isBlurred = isLost(was, a, mine) || isLost(was, b, theirs) || hasTwins;
    if (isClash && isBlurred && (a === undefined || b === undefined)) truth.isOpen = true;
    else if (isClash) truth.clashes.push({ mine: a, theirs: b });
    // Both took it out, and one may have written it anew; or both cut it alike, and one went on with a piece.
    if (iChanged && theyChanged && isAlike) truth.isOpen = true;
    const outcome = isClash ? (a ?? b) : iChanged ? a : b;
    if (outcome !== undefined) truth.leaves.push(outcome);
  }
  added.push(...theirs.leaves.filter((leaf) => isNew(leaf) && !texts.has(leaf.text)));
  truth.leaves.push(...added);
  const isRewritten = [...before].some(([key, { text }]) =>
    [my, their].some((side) => (side.get(key)?.text ?? text) !== text),
  );
  const [mySide, theirSide] = [mine, theirs].map(({ leaves }) => leaves.map(({ text }) => text).join("\n"));
  if (mySide === theirSide || (added.length === 0 && !isRewritten)) truth.isOpen = false;
  for (const key of ["title", "status", "synopsis", "part"] as const) {
    const [was, a, b] = [base, mine, theirs].map(({ fields }) => fields[key]);
    if (a !== was) Object.assign(truth.fields, { [key]: a });
    if (a !== was && b !== was && a !== b) truth.fieldClashes.push(key);
  }
  // Among equal lines nobody can tell which of them a side changed.
  const changed = [my, their].map(
    (side) => new Set(base.leaves.flatMap(({ key, text }) => (side.get(key)?.text === text ? [] : [text]))),
  );
  const isTwin = (text: string) => base.leaves.filter((leaf) => leaf.text === text).length > 1;
  if ([...(changed[0] ?? [])].some((text) => changed[1]?.has(text) && isTwin(text))) truth.isOpen = true;
  bindTitle(truth, { base, mine, theirs });
  return truth;
}

/** A title that the manuscript's heading said follows the heading that comes of it, or the heading follows the file's. */
function bindTitle(truth: Truth, { base, mine, theirs }: Record<"base" | "mine" | "theirs", Side>): void {
  const at = truth.leaves.findIndex(({ kind }) => kind === "heading");
  const heading = truth.leaves[at];
  if (heading === undefined) return;
  if (mine.fields.title !== base.fields.title) {
    if (heading.text === theirs.fields.title) truth.leaves[at] = { ...heading, text: truth.fields.title };
  } else if (isTitled(theirs)) truth.fields.title = heading.text;
}

/** Whether a paragraph may have been written anew at another place: then nobody can tell that it was this one. */
function isLost({ text }: Leaf, now: Leaf | undefined, { isMoved }: Side): boolean {
  const words = new Set(text.split(/\s+/));
  const left = now?.text.split(/\s+/) ?? [];
  const kept = left.filter((word) => words.has(word)).length;
  return now !== undefined && isMoved && kept * 3 < Math.max(words.size, left.length);
}

type Keyed = Map<number, Leaf>;

const byKey = (leaves: readonly Leaf[]): Keyed => new Map(leaves.map((leaf) => [leaf.key, leaf]));
