/** ASCII words joined by `-`, at most `most` bytes: "Łukasz’s Émile" is "lukaszs-emile"; "" where no letter is left. */
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
