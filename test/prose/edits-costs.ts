import type { Pairing, ParagraphText } from "../../src/prose/reconcile/pairs.ts";
import { reconcile } from "../../src/prose/reconcile/reconcile.ts";
import { inventChapters } from "./edits-texts.ts";

/** Something that `reconcile` must do in a given time: the bench holds it to the time, a test to the steps. */
export interface Cost {
  name: string;
  mostMs: number;
  /** Half as many again as it takes; what grows with the square of the paragraphs takes many times as many. */
  mostSteps: number;
  run: () => Pairing;
}

const p = (text: string): ParagraphText => ({ type: "paragraph", text });

/** A chapter of 100,000 words in its worst moments, and 10,000 lines that are hard to tell apart. */
export function costs(): Cost[] {
  const [chapter, other] = inventChapters({ script: "latin", seed: 3, chapters: 2, paragraphs: 2400 });
  return [...chapterCosts(chapter!, other!), ...lineCosts()]; // two chapters were asked for
}

function chapterCosts(chapter: readonly ParagraphText[], other: readonly ParagraphText[]): Cost[] {
  const edit = (at: number): ParagraphText[] => chapter.with(at, p(`${chapter[at]!.text} And so it was.`)); // in range
  const rename = chapter.map(({ type, text }) => ({ type, text: text.replace(/\S+$/, "Wilhelmina.") }));
  return [
    cost("100,000 words unchanged", { mostMs: 1, mostSteps: 20_000 }, [chapter, chapter]),
    cost("one edit in 100,000 words", { mostMs: 1, mostSteps: 25_000 }, [chapter, edit(1200)]),
    cost("a word changed in every paragraph of 100,000 words", { mostMs: 100, mostSteps: 25_000_000 }, [
      chapter,
      rename,
    ]),
    cost("100,000 words rewritten", { mostMs: 1200, mostSteps: 110_000_000 }, [chapter, other]),
  ];
}

function lineCosts(): Cost[] {
  const numbers = Array.from({ length: 10_000 }, (_, at) => at);
  const same = numbers.map(() => p("The same line as before."));
  const lines = numbers.map((n) => p(`Line ${n} of the ledger was written down in the book.`));
  const edited = lines.map(({ text }) => p(text.replace("written", "put")));
  return [
    cost("10,000 identical lines, 1,000 fewer", { mostMs: 500, mostSteps: 75_000 }, [same, same.slice(1000)]),
    cost("10,000 identical lines, each with a word more", { mostMs: 500, mostSteps: 22_000_000 }, [
      same,
      same.map(({ text }) => p(`${text} Again.`)),
    ]),
    cost("10,000 identical lines for 10,000 others", { mostMs: 500, mostSteps: 22_000_000 }, [
      same,
      same.map(() => p("Quite another sentence.")),
    ]),
    cost("10,000 lines reversed", { mostMs: 500, mostSteps: 2_100_000 }, [lines, lines.toReversed()]),
    cost("10,000 near-identical lines edited", { mostMs: 500, mostSteps: 40_000_000 }, [lines, edited]),
    cost("10,000 near-identical lines edited and reversed", { mostMs: 500, mostSteps: 42_000_000 }, [
      lines,
      edited.toReversed(),
    ]),
  ];
}

function cost(
  name: string,
  most: Pick<Cost, "mostMs" | "mostSteps">,
  [old, next]: [readonly ParagraphText[], readonly ParagraphText[]],
): Cost {
  const fresh = structuredClone(next) as ParagraphText[]; // as a parser gives them: equal strings, but not the same ones
  return { name, ...most, run: () => reconcile(old, fresh) };
}
