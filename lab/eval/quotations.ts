import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { castScanOf } from "../../src/reading/cast-scan.ts";
import { learnAppearances } from "../../src/reading/learn-appearances.ts";
import type { ReadingFact } from "../../src/reading/reading.ts";
import { quotedFlags } from "../../src/reading/sentences.ts";
import { litbankFiles, litbankFolder, readNovel } from "./litbank.ts";

// Who says what in LitBank's excerpts: `MANUSCRIPT_LITBANK=FOLDER node --import tsx lab/eval/quotations.ts [0 | 1] [--show]`. The
// rules were written on every second novel (0) and measured on the others (1); `--show` prints what is wrong, of the former only.
// Source: Sims and Bamman, "Measuring Information Propagation in Literary Social Networks", 2020.
interface Quotation {
  from: number;
  to: number;
  speaker: string;
}

interface Annotated {
  book: string;
  start: number;
  mentions: { type: string; form: string; chain: string; text: string; from: number }[];
}

const folder = litbankFolder();
const all: Record<string, Quotation[]> = JSON.parse(readFileSync(join(folder, "quotations.json"), "utf8"));
const half = process.argv[2];
const isShown = half === "0" && process.argv.includes("--show");
const sums = { quotations: 0, attributed: 0, right: 0 };

/** True of a place between quotation marks of its paragraph. */
function isInQuotes({ book, start }: Annotated, at: number): boolean {
  const from = Math.max(start, book.lastIndexOf("\n\n", at) + 2);
  return quotedFlags(book.slice(from, at + 1))[at - from] === 1;
}

const NAME = /^\p{Lu}[\p{L}.’'-]*(?: \p{Lu}[\p{L}.’'-]*)*$/u;

/**
 * The chains of the persons who have a name in an excerpt, and, last, of who tells it. A noun in capitals counts as a name
 * ("Big Medicine"), but not where a sentence begins.
 */
function castOf(novel: Annotated): { cast: ReadingFact[]; chains: string[] } {
  const names = new Map<string, Set<string>>();
  const tellers = new Map<string, number>();
  for (const { type, form, chain, text, from } of novel.mentions) {
    const at = novel.start + from;
    if (text === "I" && !isInQuotes(novel, at)) tellers.set(chain, (tellers.get(chain) ?? 0) + 1);
    const isStart = /(?:^|[.!?“"‘\n])\s*$/.test(novel.book.slice(Math.max(0, at - 4), at));
    const isNamed = form === "PROP" || (form === "NOM" && !isStart);
    const name = text.replace(/\s+/g, " ").replace(/^(?:the|that|old|poor) /i, "");
    if (type === "PER" && isNamed && NAME.test(name))
      names.set(chain, (names.get(chain) ?? new Set()).add(name));
  }
  const cast = [...names].map(([id, own]): ReadingFact => {
    const [name = "", ...aliases] = [...own].sort((a, b) => b.length - a.length);
    return { id, name, aliases, kind: "character", attributes: [], summary: "" };
  });
  const [teller] = [...tellers].sort(([, one], [, other]) => other - one);
  return { cast, chains: [...names.keys(), teller?.[0] ?? "nobody"] };
}

for (const [index, file] of litbankFiles(folder)
  .filter((name) => (all[basename(name, ".json")]?.length ?? 0) > 0)
  .entries()) {
  if (half !== undefined && index % 2 !== Number(half)) continue;
  const { id, excerpt, offsets } = readNovel(file);
  const annotated: Annotated = JSON.parse(readFileSync(file, "utf8"));
  const { cast, chains } = castOf(annotated);
  const learning = learnAppearances(excerpt, castScanOf(cast), []);
  let step = learning.next();
  while (!step.done) step = learning.next();
  for (const { from, speaker } of all[id] ?? []) {
    const at = from + annotated.start;
    const block = excerpt.blocks.findIndex(({ blockId, text }) => {
      const offset = offsets.get(blockId) ?? 0;
      return offset <= at && at < offset + text.length;
    });
    const told = step.value.turns.find((turn) => turn.block === block)?.speaker;
    const found = told === "I" ? chains.at(-1) : typeof told === "number" ? chains[told] : undefined;
    sums.quotations++;
    if (found === undefined) continue;
    sums.attributed++;
    if (found === speaker) sums.right++;
    else if (isShown) console.log(`${found}, not ${speaker}: ${excerpt.blocks[block]?.text.slice(0, 200)}`);
  }
}

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
console.log(JSON.stringify(sums));
console.log(
  `right of those attributed ${percent(sums.right, sums.attributed)} (bar 92), attributed ${percent(sums.attributed, sums.quotations)} (bar 70)`,
);
