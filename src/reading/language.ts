import { type ChapterLanguage, type LanguageMark, placing } from "./learn-language.ts";
import { otherSpelling } from "./reports/language/spellings.ts";
import { ticsOf } from "./reports/language/tics.ts";

/** For each chapter of a book what a line editor would mark there, in the order of the prose. Linear in the marks and words. */
export function* languageOf(book: readonly ChapterLanguage[]): Generator<void, LanguageMark[][]> {
  const tics = ticsOf(book.map(({ words, habits }) => ({ words, habits: tally(habits) })));
  yield;
  const rarer = rarerSpellings(book);
  yield;
  return book.map((chapter, place) => {
    const own = chapter.habits.filter(({ word }) => tics[place]!.has(word)); // one a chapter
    return [...chapter.marks, ...own, ...speltIn(chapter, rarer)].sort(
      (one, other) => one.block - other.block || one.from - other.from,
    );
  });
}

/** The first places of the rarer spellings in a chapter. */
function speltIn({ forms, blocks }: ChapterLanguage, rarer: ReadonlyMap<string, string>): LanguageMark[] {
  const marks: LanguageMark[] = [];
  for (const [form, usual] of rarer) {
    const places = forms.get(form)?.places ?? [];
    for (let at = 0; at < places.length; at += 2) {
      const [block, from] = [places[at]!, places[at + 1]!]; // two each
      const mark = { kind: "spelling", word: `${form} / ${usual}`, from, to: from + form.length } as const;
      marks.push(placing(blocks[block]!, block)(mark)); // the chapter's own
    }
  }
  return marks;
}

function tally(marks: readonly LanguageMark[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { word } of marks) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Spellings that the book mostly writes in another way, each with that one. */
function rarerSpellings(book: readonly ChapterLanguage[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const { forms } of book)
    for (const [key, { count }] of forms) counts.set(key, (counts.get(key) ?? 0) + count);
  const rarer = new Map<string, string>();
  for (const [key, count] of counts) {
    const other =
      otherSpelling(key) ?? (/^\p{L}{2,}-\p{L}{2,}$/u.test(key) ? key.replace("-", "") : undefined);
    const others = other === undefined ? undefined : counts.get(other);
    if (other === undefined || others === undefined) continue;
    if (count <= others) rarer.set(key, other);
    else rarer.set(other, key);
  }
  return rarer;
}
