import { type Pairing, type Paragraph, reconcile } from "../../src/prose/reconcile/reconcile.ts";
import { inventChapters } from "./edits-texts.ts";

/** Something that `reconcile` must do in a given time. */
export interface Cost {
  name: string;
  /** Source: issue 3, section 2. */
  mostMs: number;
  run: () => Pairing;
}

const p = (text: string): Paragraph => ({ type: "paragraph", text });

/** A chapter of 100,000 words in its worst moments, and 10,000 lines that are hard to tell apart. */
export function costs(): Cost[] {
  const [chapter, other] = inventChapters({ script: "latin", seed: 3, chapters: 2, paragraphs: 2400 });
  return [...chapterCosts(chapter!, other!), ...lineCosts()]; // two chapters were asked for
}

function chapterCosts(chapter: readonly Paragraph[], other: readonly Paragraph[]): Cost[] {
  const edit = (at: number): Paragraph[] => chapter.with(at, p(`${chapter[at]!.text} And so it was.`)); // in range
  const rename = chapter.map(({ type, text }) => ({ type, text: text.replace(/\S+$/, "Wilhelmina.") }));
  return [
    cost("100,000 words unchanged", 1, [chapter, chapter]),
    cost("one edit in 100,000 words", 1, [chapter, edit(1200)]),
    cost("a word changed in every paragraph of 100,000 words", 100, [chapter, rename]),
    cost("100,000 words rewritten", 1200, [chapter, other]),
  ];
}

function lineCosts(): Cost[] {
  const numbers = Array.from({ length: 10_000 }, (_, at) => at);
  const same = numbers.map(() => p("The same line as before."));
  const lines = numbers.map((n) => p(`Line ${n} of the ledger was written down in the book.`));
  const edited = lines.map(({ text }) => p(text.replace("written", "put")));
  return [
    cost("10,000 identical lines, 1,000 fewer", 500, [same, same.slice(1000)]),
    cost("10,000 identical lines, each with a word more", 500, [
      same,
      same.map(({ text }) => p(`${text} Again.`)),
    ]),
    cost("10,000 identical lines for 10,000 others", 500, [
      same,
      same.map(() => p("Quite another sentence.")),
    ]),
    cost("10,000 lines reversed", 500, [lines, lines.toReversed()]),
    cost("10,000 near-identical lines edited", 500, [lines, edited]),
    cost("10,000 near-identical lines edited and reversed", 500, [lines, edited.toReversed()]),
  ];
}

function cost(name: string, mostMs: number, [old, next]: [readonly Paragraph[], readonly Paragraph[]]): Cost {
  const fresh = structuredClone(next) as Paragraph[]; // as a parser gives them: equal strings, but not the same ones
  return { name, mostMs, run: () => reconcile(old, fresh) };
}
