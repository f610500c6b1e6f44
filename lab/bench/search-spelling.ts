import { PAIRS } from "../../test/search/spelling-pairs.ts";
import type { Book } from "./search-corpus.ts";
import { builtIndex, type Engine, ftsPorter, ours, plainMiniSearch } from "./search-engines.ts";
import { seeded } from "./search-questions.ts";

/** How many of the spelling pairs each engine finds, of how many. */
export function measureSpelling(
  stem: (word: string) => string,
): { engine: string; found: number; of: number }[] {
  const engines: ((book: Book) => Engine)[] = [(book) => ours(book, stem), plainMiniSearch, ftsPorter];
  return engines.map((engineOf) => {
    const found = PAIRS.filter(([written, typed]) => {
      const engine = engineOf(
        bookOf(["Nothing of the kind.", `Here it is: ${written} as the author wrote it.`]),
      );
      return engine.ask(typed).paragraphs[0] === "p1";
    });
    return { engine: engineOf(bookOf(["One."])).name, found: found.length, of: PAIRS.length };
  });
}

function bookOf(texts: readonly string[]): Book {
  return {
    name: "pairs",
    chapters: ["c"],
    paragraphs: texts.map((text, at) => ({ id: `p${at}`, chapterId: "c", text })),
    wordCount: 0,
  };
}

const PARAGRAPHS = 400;
const SUBSTRINGS = 300;

/** Share of the paragraphs with a run of two to four Han characters that are found, how many runs find nothing, and false finds. */
export function measureHan(seed: number): { recall: number; zeroHits: number; falseHits: number } {
  const random = seeded(seed);
  const texts = Array.from({ length: PARAGRAPHS }, () => hanText(random));
  const index = builtIndex(
    {
      name: "Han",
      chapters: texts.map((_, at) => `c${at}`),
      paragraphs: texts.map((text, at) => ({ id: `p${at}`, chapterId: `c${at}`, text })),
      wordCount: 0,
    },
    (word) => word,
  );
  const tally = { held: 0, found: 0, zeroHits: 0, falseHits: 0 };
  for (let count = 0; count < SUBSTRINGS; count += 1) {
    const text = texts[Math.floor(random() * texts.length)]!.replace(/，/g, ""); // below the length
    const from = Math.floor(random() * (text.length - 4));
    const part = text.slice(from, from + 2 + Math.floor(random() * 3));
    const holding = texts.filter((one) => one.includes(part)).length;
    const { total, chapters } = index.find(part, 50);
    tally.held += holding;
    tally.found += Math.min(total, holding);
    if (holding > 0 && total === 0) tally.zeroHits += 1;
    tally.falseHits += chapters.filter(
      ({ chapterId }) => !texts[Number(chapterId.slice(1))]?.includes(part),
    ).length;
  }
  return { recall: tally.found / tally.held, zeroHits: tally.zeroHits, falseHits: tally.falseHits };
}

/** Sixty characters of a vocabulary in which few make most of the text, as in Chinese, with a comma here and there. */
function hanText(random: () => number): string {
  const character = () => String.fromCharCode(0x4e00 + Math.floor(random() ** 3 * 900));
  return Array.from({ length: 60 }, (_, at) => character() + (at % 13 === 12 ? "，" : "")).join("");
}
