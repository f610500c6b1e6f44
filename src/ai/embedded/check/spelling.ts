import { editDistance, sharedEnd, sharedStart } from "../../../text/edit-distance.ts";

/** How one spelling slipped from another. */
export type Slip = "swapped" | "doubled" | "sounds" | "similar" | "dropped" | "inserted" | "other" | "two";

/** Letters that are taken for one another by ear. */
const ALIKE = ["ckqg", "szc", "gj", "dt", "mn", "fv", "bp", "vw", "uw", "aeiouy"];
/** Keyboards by their rows, each row half a key to the right of the one above. */
const KEYBOARDS = [
  "qwertyuiop asdfghjkl zxcvbnm",
  "azertyuiop qsdfghjklm wxcvbn",
  "qwertzuiop asdfghjkl yxcvbnm",
];
/** The keys beside each key on any of them. */
const BESIDE: ReadonlyMap<string, string> = keysBeside(KEYBOARDS.map((rows) => rows.split(" ")));
/** Spellings of one sound; each is read as the second. */
const SOUNDS: readonly [RegExp, string][] = [
  [/[^a-z]/g, ""],
  [/ph/g, "f"],
  [/^gh/g, "g"],
  [/gh/g, ""],
  [/^wh|wh/g, "w"],
  [/^kn/g, "n"],
  [/^wr/g, "r"],
  [/sch/g, "sk"],
  [/tch/g, "ch"],
  [/th/g, "t"],
  [/dg/g, "j"],
  [/x/g, "ks"],
  [/c(?=[eiy])/g, "s"],
  [/c(?!h)|q/g, "k"],
  [/z/g, "s"],
  [/(.)\1+/g, "$1"],
  [/[aeiouy]+/g, "a"],
  [/(?<=[^a])a$/g, ""],
];

/** A name in small letters without accents, as spellings are compared. */
export function plainSpelling(word: string): string {
  return word
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/ł/g, "l")
    .replace(/ø/g, "o")
    .replace(/ß/g, "ss")
    .replace(/æ/g, "ae")
    .replace(/œ/g, "oe");
}

/** Returns roughly how a word sounds: equal for "Catherine", "Kathryn"-like pairs; vowels count, which vowel does not. */
function soundOf(plain: string): string {
  return SOUNDS.reduce((word, [spelling, sound]) => word.replace(spelling, sound), plain);
}

/**
 * The slip of hand or ear that makes `name` into `variant`, both plain spellings; undefined if they are too far
 * apart. Two slips are allowed if both sound the same, or in a name of nine letters and more. O(length).
 */
export function slipOf(name: string, variant: string): Slip | undefined {
  if (name === variant || Math.abs(name.length - variant.length) > 2) return undefined;
  const start = sharedStart(name, variant);
  const end = sharedEnd(name, variant, start);
  const from = name.slice(start, name.length - end);
  const to = variant.slice(start, variant.length - end);
  if (isSwap(from, to)) return "swapped";
  if (isDoubling(from, to, variant, start) || isDoubling(to, from, name, start)) return "doubled";
  const edits = spellingDistance(name, variant);
  const isNear = edits <= (name.length > 4 ? 2 : 1);
  // "Ralph" and "Ralf", not "Peter" and "Potter".
  const isSpelt = edits < 2 || name.length > 5 || start > 1;
  if (isNear && isSpelt && soundOf(name) === soundOf(variant)) return "sounds";
  if (from.length <= 1 && to.length <= 1) return letterSlip(from, to);
  return isNear && name.length >= 9 ? "two" : undefined;
}

function isSwap(from: string, to: string): boolean {
  return from.length === 2 && to.length === 2 && from[0] === to[1] && from[1] === to[0];
}

/** The slip that made one letter, or none, into another, or none. */
function letterSlip(from: string, to: string): Slip {
  if (to === "") return "dropped";
  if (from === "") return "inserted";
  const isAlike = ALIKE.some((letters) => letters.includes(from) && letters.includes(to));
  return isAlike || BESIDE.get(from)?.includes(to) ? "similar" : "other";
}

function keysBeside(keyboards: readonly (readonly string[])[]): Map<string, string> {
  const beside = new Map<string, string>();
  for (const rows of keyboards)
    for (const [row, keys] of rows.entries())
      for (const [at, key] of [...keys].entries()) {
        const around = [
          keys[at - 1],
          keys[at + 1],
          ...rowBeside(rows[row - 1], at),
          ...rowBeside(rows[row + 1], at - 1),
        ];
        beside.set(key, [beside.get(key), ...around].join(""));
      }
  return beside;
}

/** The two keys of a neighbouring row that touch a key. */
function rowBeside(keys: string | undefined, at: number): (string | undefined)[] {
  return [keys?.[at], keys?.[at + 1]];
}

/** Slips that turn one into the other, a swap of neighbours being one; 3 if they are more than two. */
function spellingDistance(one: string, other: string): number {
  return editDistance(one, other, 2, true);
}

/** True for a plural of the name, or for its people or land, rather than a slip of it: "Bennets", "Austrian", "Tuscan". */
export function isDerived(word: string, name: string): boolean {
  if (/(?:s|x|z|ch|sh)$/.test(name)) return word === `${name}es`;
  const land = name.replace(/(?<=.{4})(?:y|ia)$/, "");
  return (
    word === `${name}s` ||
    word === name.replace(/y$/, "ies") ||
    word === `${name}y` ||
    (name.endsWith("a") && word === `${name}n`) ||
    (land !== name && (word === land || word === `${land}n` || word === `${land}an` || word === `${land}ian`))
  );
}

/** True for the name as somebody says it: "W'ittaker", "Enry", "Flyin", "Whittaker'd". */
export function isSaidSo(word: string, name: string): boolean {
  if (word.includes("'") && !name.includes("'")) return true;
  return word === name.replace(/^h/, "") || word === name.replace(/ing$/, "in");
}

/** True if one letter was added to `longer` next to the same letter. */
function isDoubling(shorter: string, added: string, longer: string, at: number): boolean {
  return shorter === "" && added.length === 1 && longer[at - 1] === added;
}
