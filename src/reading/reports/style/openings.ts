import type { ChapterStyle } from "./learn.ts";
import type { WordPlace } from "./phrases.ts";
import { IS } from "./words.ts";

/** First words of sentences or paragraphs. */
export interface Openings {
  total: number;
  most: { word: string; count: number }[];
  /** Several in a row that begin alike, the longest first. */
  runs: { word: string; count: number; place: WordPlace }[];
}

const SHORTEST_RUN = 3;

/** The words that sentences, or paragraphs, begin with most, and the runs of those that begin alike. */
export function openingsOf(
  chapters: readonly ChapterStyle[],
  flag: typeof IS.opensSentence | typeof IS.opensParagraph,
  { most, runs: mostRuns }: { most: number; runs: number },
): Openings {
  const counts = new Map<string, number>();
  const runs: Openings["runs"] = [];
  let total = 0;
  for (const [chapter, { words }] of chapters.entries()) {
    let run: Openings["runs"][number] | undefined;
    const close = () => {
      if (run !== undefined && run.count >= SHORTEST_RUN) runs.push(run);
    };
    for (let at = 0; at < words.ids.length; at++) {
      const flags = words.flags[at]!; // one a word
      if ((flags & flag) === 0 || (flags & (IS.heading | IS.number)) !== 0) continue;
      const word = words.lexicon.keys[words.ids[at]!] ?? ""; // as above
      total++;
      counts.set(word, (counts.get(word) ?? 0) + 1);
      if (run?.word === word) run.count++;
      else {
        close();
        run = { word, count: 1, place: { chapter, word: at, words: 1 } };
      }
    }
    close();
  }
  const sorted = [...counts].sort((one, other) => other[1] - one[1]).slice(0, most);
  return {
    total,
    most: sorted.filter(([, count]) => count > 1).map(([word, count]) => ({ word, count })),
    runs: runs.sort((one, other) => other.count - one.count).slice(0, mostRuns),
  };
}
