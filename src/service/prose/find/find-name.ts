import type { FactId } from "../../../ids.ts";
import type { TextEdit } from "../../../prose/document/text-edit.ts";
import { append } from "../../../text/extremes.ts";
import { readPattern } from "./find-pattern.ts";

/** A mention in a text; offsets are UTF-16 in that text. */
export interface MentionInText {
  factId: FactId;
  from: number;
  to: number;
}

/** What of a name stays as it stands. */
export interface NameLeft {
  doubtful: number;
  others: number;
  left: { text: string; is: "alias" | "part"; places: number }[];
}

/** Finds a fact's name in one text after another, and counts what it leaves. */
export interface NameFinder {
  /** The edits that put the new name there, ascending and apart. */
  find(text: string, mentions: readonly MentionInText[]): TextEdit[];
  /** What it has left so far; of aliases and parts those that it has found. */
  left(): NameLeft;
}

interface Renamed {
  id: FactId;
  name: string;
  aliases: readonly string[];
  /** The new name. */
  to: string;
  /** The name in small letters is a word of the book, as "will" is of Will. */
  isWord: boolean;
}

/**
 * Finds a name where it stands as a whole word, in its own case or in capitals, with a possessive or without; and in any
 * case where it is a mention of the fact. It leaves alone what is a mention of another fact, and, of a name that is a
 * common word too, what begins a sentence or stands in capitals: nobody can tell which of the two that is.
 */
export function nameFinder({ id, name, aliases, to, isWord }: Renamed): NameFinder {
  const everyCase = readPattern({ find: name, with: to });
  const others = othersOf(name, aliases, to);
  const count = { doubtful: 0, others: 0 };
  const isMeant = (text: string, edit: TextEdit, mentions: readonly MentionInText[]): boolean => {
    const over = mentions.filter((mention) => mention.from < edit.to && edit.from < mention.to);
    if (over.some((mention) => mention.factId === id)) return true;
    const form = formOf(name, text.slice(edit.from, edit.to));
    if (form === "other") return false;
    if (over.length > 0) {
      count.others++;
      return false;
    }
    if (!isWord || (form === "own" && !SENTENCE_START.test(text.slice(0, edit.from)))) return true;
    count.doubtful++;
    return false;
  };
  return {
    find(text, mentions) {
      const edits = editsIn(everyCase, text).filter((edit) => isMeant(text, edit, mentions));
      const taken: { from: number; to: number }[] = [...edits];
      for (const other of others) {
        const free = editsIn(other.find, text).filter(
          (edit) => !taken.some((span) => span.from < edit.to && edit.from < span.to),
        );
        other.places += free.length;
        append(taken, free);
      }
      return edits.flatMap((edit) => [edit, ...possessive(text, edit, { name, to })]);
    },
    left: () => ({
      ...count,
      left: others.flatMap(({ text, is, places }) => (places > 0 ? [{ text, is, places }] : [])),
    }),
  };
}

/** True if the texts hold the name in small letters, too, and that a tenth as often at least: once may be a slip. */
export function isCommonWord(name: string, texts: Iterable<string>): boolean {
  const small = name.toLowerCase();
  if (small === name || /\s/.test(name)) return false;
  const [asWord, asName] = [small, name].map((find) => readPattern({ find, with: "", matchCase: true })) as [
    Find,
    Find,
  ];
  let [words, names] = [0, 0];
  for (const text of texts) {
    words += editsIn(asWord, text).length;
    names += editsIn(asName, text).length;
  }
  return words > 0 && words * 10 >= names;
}

/** How many of the texts hold the name, in its own case. */
export function countHolding(name: string, texts: readonly (string | null)[]): number {
  const find = readPattern({ find: name, with: "", matchCase: true });
  return texts.filter((text) => text !== null && editsIn(find, text).length > 0).length;
}

type Find = ReturnType<typeof readPattern>;

function editsIn(find: Find, text: string): readonly TextEdit[] {
  return find([text], [])[0] ?? [];
}

/** The aliases, and the words of the name that begin with a capital and are no words of the new one; longest first. */
function othersOf(name: string, aliases: readonly string[], to: string) {
  const kept = new Set(to.split(/\s+/));
  const words = name.split(/\s+/).filter((word) => /^\p{Lu}.*\p{L}/u.test(word) && !kept.has(word));
  const parts = words.length === 1 && words[0] === name ? [] : words;
  const all = [
    ...aliases.filter((alias) => alias !== to).map((text) => ({ text, is: "alias" as const })),
    ...parts.filter((word) => !aliases.includes(word)).map((text) => ({ text, is: "part" as const })),
  ];
  return all
    .sort((a, b) => b.text.length - a.text.length)
    .map((one) => ({ ...one, places: 0, find: readPattern({ find: one.text, with: "", matchCase: true }) }));
}

/** How a find is spelt: as the name is, in capitals, or in a case of its own. A name in small letters has every case. */
function formOf(name: string, found: string): "own" | "capitals" | "other" {
  const [asked, spelt] = [letters(name), letters(found)];
  if (spelt === asked || /^\p{Ll}/u.test(asked)) return "own";
  return spelt === asked.toUpperCase() ? "capitals" : "other";
}

function letters(text: string): string {
  return text.normalize("NFC").replace(/[^\p{L}]/gu, "");
}

const SENTENCE_START = /(?:^|[.!?…:]["'”’)\]]*\s+|[—–]\s*|["'“‘([])$/u;

/** "James’ hat" is "Nora’s hat". Not where the apostrophe may be a quote that ends. */
function possessive(
  text: string,
  { to: at }: TextEdit,
  { name, to }: { name: string; to: string },
): TextEdit[] {
  const [mark] = /^['’](?=\s+\p{L})/u.exec(text.slice(at, at + 20)) ?? [];
  if (mark === undefined || !/s$/iu.test(name) || /s$/iu.test(to)) return [];
  if (/‘|(?:^|[\s(—–])'/u.test(text.slice(0, at))) return [];
  return [{ from: at, to: at + 1, insert: `${mark}s` }];
}
