/**
 * The text in the case of what it replaces: what was found as it was asked for leaves it as it is; else all capitals
 * give all capitals, a capital a capital, and small letters small ones. A curly apostrophe stays curly.
 * `sameCase("Gull", "FERRY", "ferry")` is "GULL".
 */
export function sameCase(text: string, found: string, asked: string): string {
  const quoted = found.includes("’") ? text.replaceAll("'", "’") : text;
  if (letters(found) === letters(asked)) return quoted;
  const wayOf = (word: string) => WAYS.find(({ fits }) => fits(letters(word)));
  return wayOf(found)?.apply(quoted) ?? quoted;
}

function letters(text: string): string {
  return text.normalize("NFC").replace(/[^\p{Lu}\p{Ll}\p{Lt}]/gu, "");
}

const WAYS: readonly { fits: (letters: string) => boolean; apply: (text: string) => string }[] = [
  {
    fits: (word) => word === word.toLowerCase(),
    apply: (text) => text.toLowerCase(),
  },
  {
    fits: (word) => word.length > 1 && word === word.toUpperCase(),
    apply: (text) => text.toUpperCase(),
  },
  {
    fits: (word) => word.charAt(0) !== word.charAt(0).toLowerCase(),
    apply: capitalised,
  },
];

function capitalised(text: string): string {
  const [first = "", ...others] = text;
  return first.toUpperCase() + others.join("");
}
