/** The part that an index, a slug or a title in `book.json` means, by its place; -1 for none. */
export function findPart(parts: readonly ListedPart[], asked: string | number, counting: 0 | 1 = 1): number {
  const text = String(asked);
  const named = parts.findIndex(({ title, names }) => title === text || names.includes(text));
  if (named >= 0) return named;
  const bySlug = parts.findIndex(({ title }) => slug(title) === text);
  if (bySlug >= 0 || !/^\d{1,6}$/.test(text)) return bySlug;
  const place = Number(text) - counting;
  return place < parts.length ? place : -1;
}

/** A part of `book.json`. */
export interface ListedPart {
  title: string;
  /** What chapters may call it besides: its slug, id or number. */
  names: readonly string[];
}

/** ASCII words joined by `-`, at most `most` bytes: "Łukasz’s Émile" is "lukasz-s-emile"; "" where no letter is left. */
export function slug(text: string, most = 80): string {
  return text
    .replace(/['’]/g, "")
    .replace(/[łŁøØđĐßæÆœŒþÞı]/g, (letter) => ASCII[letter] ?? "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, most)
    .replace(/^-+|-+$/g, "");
}

// Letters that NFKD does not take apart.
const ASCII: Readonly<Record<string, string>> = {
  ł: "l", Ł: "l", ø: "o", Ø: "o", đ: "d", Đ: "d", ß: "ss", æ: "ae", Æ: "ae", œ: "oe", Œ: "oe", þ: "th", Þ: "th", ı: "i",
};
