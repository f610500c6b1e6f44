/** Quotation marks, outer and inner, by the languages that have them; English has its own. Source: https://cldr.unicode.org. */
const QUOTES: Readonly<Record<string, string>> = {
  "„ “ ‚ ‘": "de cs sk sl is lt bg ka",
  "„ ” ‚ ’": "pl ro hu hr sr bs",
  "« » ‘ ’": "es it ca el ru uk be nb nn no fa hy gl sq pt-pt",
  "« » ‹ ›": "de-ch it-ch",
  "«\u202f \u202f» ’ ’": "fr",
  "» « › ‹": "da",
  "” ” ’ ’": "fi sv",
};
const ENGLISH = "“ ” ‘ ’";

/** Words and years that begin with an apostrophe, once their end is typed. */
const CUT_SHORT =
  /(?<![\p{L}\p{N}])‘(?=(?:n[’\s]|(?:tis|twas|twere|twill|twould|em|til|till|cause|cos|cuz|bout|round|neath|\d\d)[^\p{L}\p{N}’]|\d\ds)$)/iu;
/** Pattern of what may stand before an opening quotation mark: the start, a blank, a bracket, a dash, another mark. */
const OPENS = "^|[\\s([{<\\-\u2010-\u2015'\"";

/**
 * The typesetter of a language: is given a paragraph up to the character that was just typed, and says how that is to look:
 * `"` as a quotation mark, `'` as one or as an apostrophe, `--` and `---` as dashes, `...` as an ellipsis.
 */
export function typesetter(language: string): (typed: string) => string {
  const tag = language.toLowerCase();
  const styleOf = (name = "") =>
    Object.keys(QUOTES).find((style) => QUOTES[style]?.split(" ").includes(name));
  const style = styleOf(tag) ?? styleOf(tag.split("-")[0]) ?? ENGLISH;
  const [open = "", close = "", inner = "", innerClose = ""] = style.split(" ");
  const opens = new RegExp(`(?:${OPENS}${open}${inner}])$`);
  const within = new RegExp(`(?<=\\p{L})${innerClose}(?=\\p{L}$)`, "u");
  const quote = (before: string, first: string, last: string, alone: string) => {
    const isOpen = before.lastIndexOf(first) > before.lastIndexOf(last);
    if (opens.test(before) && !(isOpen && /[\u2010-\u2015]$/.test(before))) return first;
    return isOpen ? last : alone;
  };
  return (typed) => {
    if (/:\/\/\S*$/.test(typed)) return typed; // an address
    const before = typed.slice(0, -1);
    if (typed.endsWith('"')) return before + quote(before, open, close, close);
    const set = typed.endsWith("'") ? before + quote(before, inner, innerClose, "’") : typed;
    return set
      .replace(/(?<![-!])--$/, "–")
      .replace(/–-$/, "—")
      .replace(/(?<!\.)\.\.\.$/, "…")
      .replace(within, "’")
      .replace(CUT_SHORT, "’");
  };
}
