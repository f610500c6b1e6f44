import { pickNumber, type Random } from "./edits-texts.ts";

/** The text with one letter dropped, doubled up, replaced or swapped with the next. */
export function mistype(text: string, random: Random): string {
  const at = pickNumber(random, text.length);
  const other = text.charAt(pickNumber(random, text.length));
  const kind = pickNumber(random, 4);
  if (kind === 0) return text.slice(0, at) + text.slice(at + 1);
  if (kind === 1) return text.slice(0, at) + other + text.slice(at);
  if (kind === 2) return text.slice(0, at) + other + text.slice(at + 1);
  return text.slice(0, at) + text.slice(at + 1, at + 2) + text.slice(at, at + 1) + text.slice(at + 2);
}

/** At least one sentence, each with its stop and closing quotes; joined by `spaceOf` they are the text again. */
export function splitSentences(text: string): string[] {
  const parts = text.split(/(?<=[.!?؟][”’"'*_»)]*)\s+|(?<=[。！？][」』”]?)(?![」』”])/u);
  return parts.filter((part) => part !== "");
}

/** Words with their punctuation; in a script without spaces, every two characters. */
export function splitWords(text: string): string[] {
  return spaceOf(text) === "" ? (text.match(/.{1,2}/gsu) ?? []) : text.split(/\s+/);
}

/** What stands between words: nothing in Chinese and Japanese. */
export function spaceOf(text: string): string {
  return /[\u3040-\u30ff\u4e00-\u9fff]/.test(text) ? "" : " ";
}

/** Gives the two commonest names of the texts, or what looks most like names, to be spelt backwards. */
export function renameTwo(texts: readonly string[]): (text: string) => string {
  const all = texts.join(" ");
  const candidates =
    all.match(/(?<=[\p{L},] )\p{Lu}\p{Ll}{2,}/gu) ??
    all.match(spaceOf(all) === "" ? /\p{Script=Han}{2}/gu : /\p{L}{4,}/gu) ??
    [];
  const counts = new Map<string, number>();
  for (const name of candidates) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 2);
  const backwards = (name: string): string => [...name].reverse().join("");
  return (text) => names.reduce((renamed, [name]) => renamed.replaceAll(name, backwards(name)), text);
}

/** Curly quotes, dashes and dots as a typewriter has them. */
export function straighten(text: string): string {
  return text
    .replace(/[“”«»「」]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/—/g, "--")
    .replace(/…/g, "...");
}

/** Lines of at most 72 characters where there are spaces to break at. */
export function wrapLines(text: string): string {
  return text.replace(/(.{1,72})(?: +|$)/gu, "$1\n").trimEnd();
}
