/** A word with its reading. */
export interface Ruby {
  base: string;
  reading: string;
}

const KANA = "[\\p{Script=Hiragana}\\p{Script=Katakana}ー・]+";
/** Han with its reading in brackets: 漢字(かんじ), 漢字（かんじ）. */
const RUBY = new RegExp(`([\\p{Script=Han}々]+)(?:\\((${KANA})\\)|（(${KANA})）)`, "gu");

/** Splits a text at words with readings: "彼は漢字(かんじ)" gives "彼は" and { base: "漢字", reading: "かんじ" }. */
export function splitRuby(text: string): (string | Ruby)[] {
  const parts: (string | Ruby)[] = [];
  let from = 0;
  for (const { 0: all, 1: base = "", 2: narrow, 3: wide = "", index } of text.matchAll(RUBY)) {
    if (index > from) parts.push(text.slice(from, index));
    parts.push({ base, reading: narrow ?? wide });
    from = index + all.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** Writes a word with its reading as text. */
export function rubyText({ base, reading }: Ruby): string {
  return `${base}(${reading})`;
}
