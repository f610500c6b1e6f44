/**
 * Returns a file's name as a title, without folder, number and extension. "07-the-storm.md" and "07 — the storm.md"
 * become "the storm".
 */
export function titleOf(file: string): string {
  const name = file.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "");
  return titleOfName(name) || "Untitled";
}

/** A day or month at the start of a name, which is not a chapter's number. */
const DATE = /^(\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)(?![\d-]*\d)/;

/** Returns a folder's name as a title. Accents are composed, because systems form them differently. */
export function titleOfName(given: string): string {
  const name = given.normalize("NFC");
  const [, date = ""] = DATE.exec(name) ?? [];
  const words = name
    .slice(date.length)
    .replace(date === "" ? /^\d+(?:[\s._-]+(?:[–—]\s+)?|\)\s+|$)/ : /^[\s._-]+/, "")
    .replace(/[-_]+/g, " ")
    .trim();
  return `${date} ${words}`.trim() || name;
}

/**
 * Returns ASCII words joined by `-`, at most `most` bytes: "Łukasz’s Émile" becomes "lukaszs-emile"; "" if no letter
 * is left.
 */
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

// Letters that NFKD does not decompose.
const ASCII: Readonly<Record<string, string>> = {
  ł: "l",
  Ł: "l",
  ø: "o",
  Ø: "o",
  đ: "d",
  Đ: "d",
  ß: "ss",
  æ: "ae",
  Æ: "ae",
  œ: "oe",
  Œ: "oe",
  þ: "th",
  Þ: "th",
  ı: "i",
};
