/** RTF that pandoc reads correctly, and the notes that Scrivener put between its lines. */
export interface PlainRtf {
  rtf: Buffer;
  /** Texts of inline annotations, which are not prose. */
  annotations: string[];
  /** Characters that pandoc would lose, by their stand-ins. */
  restored: ReadonlyMap<string, string>;
}

const ESCAPED =
  /\\u(-?\d{1,6}) ?|\\uc(\d) ?|\\(?:\r?\n|\r)|\\'[0-9a-f]{2}|\\[a-z]+-?\d* ?|\\[^a-z]|[{}]|[^\\{}]+/gi;
// Scrivener's inline notes, and the marks of its styles.
const NOTE = /\\\{\\\\Scrv_(annot|fn)\b(.*?)\\\\text=(.*?)\\\\end_Scrv_\1\\\}/gs;
const STYLE = /<!?\$Scr_[A-Za-z]+::\d+>/g;

/**
 * Rewrites RTF that pandoc reads wrongly: a character by number loses its substitute of any length, two halves of a
 * pair are joined, and Cocoa's line end becomes one of a paragraph. Scrivener's inline notes become footnotes, and
 * its annotations are taken out. Linear time.
 */
export function plainRtf(bytes: Buffer): PlainRtf {
  const annotations: string[] = [];
  const text = bytes
    .toString("latin1")
    .replace(STYLE, "")
    .replace(NOTE, (_, kind: string, _style, note: string) => {
      if (kind === "fn") return `{\\footnote \\pard ${note}}`;
      annotations.push(wordsOf(note));
      return "";
    });
  const writer = new Rewriter(text);
  return { rtf: Buffer.from(writer.write(), "latin1"), annotations, restored: writer.restored };
}

const LAST_PRIVATE = 0xf8ff;
const REPLACEMENT = 0xfffd;

class Rewriter {
  readonly restored = new Map<string, string>();
  readonly #codes = new Map<string, number>();
  #next = 0xe000;
  readonly #text: string;
  readonly #pieces: string[] = [];
  /** Length of a substitute, by group. */
  readonly #lengths = [1];
  /** Characters of a substitute that are still to be skipped. */
  #skipped = 0;
  /** First half of a pair. */
  #half = "";

  constructor(text: string) {
    this.#text = text;
  }

  write(): string {
    for (const [piece, number, length] of this.#text.matchAll(ESCAPED)) {
      if (number !== undefined) this.#character(Number(number) & 0xffff);
      else if (this.#skipped === 0 || /^[{}]$/.test(piece)) this.#other(piece, length);
      else if (piece.startsWith("\\")) this.#skipped--;
      else this.#run(piece);
    }
    return this.#pieces.join("");
  }

  /** Copies characters, of which the first ones may be a substitute. */
  #run(piece: string): void {
    const text = piece.replace(/[\r\n]+/g, "");
    const rest = text.slice(this.#skipped);
    this.#skipped = Math.max(0, this.#skipped - text.length);
    if (rest !== "") this.#other(rest, undefined);
  }

  #character(unit: number): void {
    this.#skipped = this.#lengths.at(-1) ?? 1;
    if (unit >= 0xd800 && unit < 0xdc00) {
      this.#half = String.fromCharCode(unit);
      return;
    }
    const character = this.#half + String.fromCharCode(unit);
    this.#half = "";
    const code = character.length === 1 ? unit : this.#standInFor(character);
    this.#pieces.push(`\\u${code}\\'3f`);
  }

  /** Returns a private-use character that the text itself does not contain. */
  #standInFor(character: string): number {
    const known = this.#codes.get(character);
    if (known !== undefined) return known;
    let code = this.#next;
    while (this.#text.includes(`\\u${code}`) || this.#text.includes(`\\u${code - 0x10000}`)) code++;
    if (code > LAST_PRIVATE) return REPLACEMENT;
    this.#next = code + 1;
    this.#codes.set(character, code);
    this.restored.set(String.fromCharCode(code), character);
    return code;
  }

  #other(piece: string, length: string | undefined): void {
    this.#skipped = 0;
    this.#half = "";
    if (length !== undefined) this.#lengths.splice(-1, 1, Number(length));
    else this.#pieces.push(/^\\[\r\n]/.test(piece) ? "\\par\n" : piece);
    if (piece === "{") this.#lengths.push(this.#lengths.at(-1) ?? 1);
    else if (piece === "}" && this.#lengths.length > 1) this.#lengths.pop();
  }
}

/** Returns the words of RTF without groups. */
function wordsOf(rtf: string): string {
  return rtf
    .replace(/\\uc\d ?/g, "")
    .replace(/\\u(-?\d{1,6}) ?(?:\\'[0-9a-f]{2}|\?)?/gi, (_, number) =>
      String.fromCharCode(Number(number) & 0xffff),
    )
    .replace(/\\'([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\(?:par\b ?|\r?\n)/g, "\n")
    .replace(/\\[a-z]+-?\d* ?|[{}]/gi, "")
    .toWellFormed()
    .trim();
}
