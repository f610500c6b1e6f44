import type { Mark } from "./finding.ts";
import type { NarratedWord } from "./repeats.ts";

const FEWEST = 4;
/** Other words that several sentences begin with are mostly meant: "What … What …". */
const HEARD = new Set("i he she it they we you there the then".split(" "));

/** Four sentences in a row or more of a paragraph that begin with the same word, marked at the first. */
export function openingsIn(words: readonly NarratedWord[], text: string): Mark[] {
  const marks: Mark[] = [];
  let run: NarratedWord[] = [];
  let last: NarratedWord | undefined;
  for (const word of words) {
    if (word.sentence === last?.sentence) continue;
    const goesOn = run[0]?.key === word.key && word.sentence === (last?.sentence ?? word.sentence) + 1;
    last = word;
    run = goesOn ? [...run, word] : [word];
    const [{ from, to }] = run as [NarratedWord];
    if (run.length === FEWEST && HEARD.has(word.key))
      marks.push({ kind: "opening", word: text.slice(from, to), from, to });
  }
  return marks;
}
