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
  const fonts = new Map([...rtf.matchAll(FONT)].map(([, font, set = ""]) => [font, CHARSETS[set]]));
  const page = /\\ansicpg(\d+)/.exec(rtf)?.[1] ?? "1252";
  const base = CHARSETS[page] ?? (/^125\d$/.test(page) ? `windows-${page}` : "windows-1252");
  let group: Group = { isSkipped: false, isNote: false, substitutes: 1, encoding: undefined };
  const groups: Group[] = [];
  let text = "";
  let pending: number[] = [];
  let toSkip = 0;
  const flush = () => {
    if (pending.length > 0) write(new TextDecoder(group.encoding ?? base).decode(Uint8Array.from(pending)));
    pending = [];
  };
  const write = (words: string) => {
    if (!group.isSkipped) text += words;
  };
  const addBytes = (given: readonly number[]) => {
    append(pending, given.slice(toSkip));
    toSkip = Math.max(0, toSkip - given.length);
  };
  const close = () => {
    const outer = groups.pop() ?? group;
    if (group.isNote && !outer.isNote) text += "\n";
    group = outer;
  };
  const control = (word: string, number: string | undefined) => {
    if (BREAKS.has(word)) text += "\n";
    group = groupAfter(group, word, word === "f" ? fonts.get(number ?? "") : number);
  };
  const sign = (symbol: string) => {
    if (symbol === "*") group = { ...group, isSkipped: true };
    else if (/[\r\n]/.test(symbol)) text += "\n";
    else if (/[\\{}]/.test(symbol)) addBytes([symbol.charCodeAt(0)]);
  };
  for (const [, unicode, hex, word, number, symbol, brace, plain] of rtf.matchAll(TOKEN)) {
    if (hex !== undefined) addBytes([Number.parseInt(hex, 16)]);
    else if (plain !== undefined) addBytes([...Buffer.from(plain.replace(/[\r\n]+/g, ""), "latin1")]);
    else {
      flush();
      toSkip = unicode === undefined ? 0 : group.substitutes;
      if (brace === "{") groups.push(group);
      else if (brace === "}") close();
      else if (word !== undefined) control(word, number);
      else if (symbol !== undefined) sign(symbol);
      else if (unicode !== undefined) write(String.fromCharCode(Number(unicode) & 0xffff));
    }
  }
  flush();
  return text;
}
