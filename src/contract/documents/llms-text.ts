/** Names, shown as code, and what they are about. */
export interface Term {
  names: readonly string[];
  text: string;
}

/** Words as code, in a list with commas. */
export function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}

/** Characters of a line of code; what fits is written on one. */
export const WIDTH = 96;

/** JSON with one line for whatever fits in 96 characters. */
export function layOut(value: unknown, indent = ""): string {
  const flat = JSON.stringify(value);
  if (typeof value !== "object" || value === null || indent.length + flat.length <= WIDTH) return flat;
  const within = `${indent}  `;
  const entries = Array.isArray(value)
    ? value.map((entry) => layOut(entry, within))
    : Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${layOut(entry, within)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${entries.map((entry) => within + entry).join(",\n")}\n${indent}${close}`;
}
