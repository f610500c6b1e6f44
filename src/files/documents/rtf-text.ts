import { append } from "../../text/extremes.ts";

const TOKEN = /\\u(-?\d{1,6}) ?|\\'([0-9a-f]{2})|\\([a-z]+)(-?\d+)? ?|\\([^a-z])|([{}])|([^\\{}]+)/gi;
const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));
/** Groups that are no text. */
const DESTINATIONS = words(
  "fonttbl colortbl stylesheet info header headerl headerr headerf footer footerl footerr footerf pict fldinst listtext pntext nonesttables object themedata xmlnstbl listtable listoverridetable revtbl rsidtbl generator template bkmkstart bkmkend atnid atnauthor atnref atndate",
);
const BREAKS = words("footnote annotation par line cell row nestcell nestrow sect page tab");
/** Encodings by the character sets of fonts and by code pages, where they are not windows-125x. */
const CHARSETS: Readonly<Record<string, string>> = {
  ...{
    128: "shift_jis",
    129: "euc-kr",
    134: "gb18030",
    136: "big5",
    161: "windows-1253",
    162: "windows-1254",
  },
  ...{ 163: "windows-1258", 177: "windows-1255", 178: "windows-1256", 186: "windows-1257" },
  ...{ 204: "windows-1251", 222: "windows-874", 238: "windows-1250" },
  ...{ 932: "shift_jis", 936: "gb18030", 949: "euc-kr", 950: "big5", 874: "windows-874", 10000: "macintosh" },
};
const FONT = /\\f(\d+)[^\\{};]*(?:\\(?!f\d|fcharset)[a-z]+-?\d* ?)*\\fcharset(\d+)/g;

/** Returns the encodings of the fonts by their numbers, and that of the whole. */
function encodingsIn(rtf: string): { fonts: ReadonlyMap<string, string | undefined>; base: string } {
  const fonts = new Map([...rtf.matchAll(FONT)].map(([, font = "", set = ""]) => [font, CHARSETS[set]]));
  const page = /\\ansicpg(\d+)/.exec(rtf)?.[1] ?? "1252";
  return { fonts, base: CHARSETS[page] ?? (/^125\d$/.test(page) ? `windows-${page}` : "windows-1252") };
}

interface Group {
  isSkipped: boolean;
  isNote: boolean;
  /** Characters that stand in for one by number. */
  substitutes: number;
  encoding: string | undefined;
}

/** Returns what holds in a group after a control word; `value` is its number, or the encoding of its font. */
function groupAfter(group: Group, word: string, value: string | undefined): Group {
  if (word === "uc") return { ...group, substitutes: Number(value) };
  if (word === "f") return { ...group, encoding: value };
  if (word === "v" && value !== "0") return { ...group, isSkipped: true };
  if (word === "footnote" || word === "annotation") return { ...group, isSkipped: false, isNote: true };
  return DESTINATIONS.has(word) ? { ...group, isSkipped: true } : group;
}

/** Returns the text of RTF, a paragraph a line: control words are stripped, bytes decoded by the font's character set. */
export function rtfText(bytes: Buffer): string {
  const rtf = bytes.toString("latin1");
  const reader = new RtfText(encodingsIn(rtf));
  for (const [, unicode, hex, word, number, symbol, brace, plain] of rtf.matchAll(TOKEN)) {
    if (hex !== undefined) reader.bytes([Number.parseInt(hex, 16)]);
    else if (plain !== undefined) reader.bytes([...Buffer.from(plain.replace(/[\r\n]+/g, ""), "latin1")]);
    else if (unicode !== undefined) reader.character(Number(unicode) & 0xffff);
    else if (brace !== undefined) reader.brace(brace);
    else if (word !== undefined) reader.control(word, number);
    else reader.symbol(symbol ?? "");
  }
  return reader.end();
}

class RtfText {
  #text = "";
  #pending: number[] = [];
  #toSkip = 0;
  #group: Group = { isSkipped: false, isNote: false, substitutes: 1, encoding: undefined };
  readonly #groups: Group[] = [];
  readonly #encodings: ReturnType<typeof encodingsIn>;

  constructor(encodings: ReturnType<typeof encodingsIn>) {
    this.#encodings = encodings;
  }

  bytes(given: readonly number[]): void {
    append(this.#pending, given.slice(this.#toSkip));
    this.#toSkip = Math.max(0, this.#toSkip - given.length);
  }

  character(code: number): void {
    this.#flush();
    this.#write(String.fromCharCode(code));
    this.#toSkip = this.#group.substitutes;
  }

  brace(brace: string): void {
    this.#flush();
    if (brace === "{") this.#groups.push(this.#group);
    else {
      const outer = this.#groups.pop() ?? this.#group;
      if (this.#group.isNote && !outer.isNote) this.#text += "\n";
      this.#group = outer;
    }
  }

  control(word: string, number: string | undefined): void {
    this.#flush();
    if (BREAKS.has(word)) this.#text += "\n";
    const value = word === "f" ? this.#encodings.fonts.get(number ?? "") : number;
    this.#group = groupAfter(this.#group, word, value);
  }

  symbol(symbol: string): void {
    this.#flush();
    if (symbol === "*") this.#group = { ...this.#group, isSkipped: true };
    else if (/[\r\n]/.test(symbol)) this.#text += "\n";
    else if (/[\\{}]/.test(symbol)) this.bytes([symbol.charCodeAt(0)]);
  }

  end(): string {
    this.#flush();
    return this.#text;
  }

  #flush(): void {
    const { encoding = this.#encodings.base } = this.#group;
    if (this.#pending.length > 0)
      this.#write(new TextDecoder(encoding).decode(Uint8Array.from(this.#pending)));
    this.#pending = [];
    this.#toSkip = 0;
  }

  #write(words: string): void {
    if (!this.#group.isSkipped) this.#text += words;
  }
}
