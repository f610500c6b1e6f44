/**
 * Contradictions and look-alikes in the prose of novels ("she", talk, other matters between), written apart from the
 * rules. Each is a book of two chapters of its own, with the cast's names and seldom more as its facts.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../src/ai/reader.ts";
import type { ReadingBook, ReadingChapter, ReadingFact } from "../../src/reading/reading.ts";
import { randomFrom } from "../../test/support/random.ts";
import type { Line } from "../bench/report.ts";
import { checkAll } from "./check-measure.ts";
import { bookOf, readNovel } from "./novels.ts";

/** One case; `marked` are the paragraphs that contradict one another, none of them in a look-alike. */
interface Natural {
  kind: string;
  book: ReadingBook;
  marked: ReadonlySet<string>;
}

const FOLDER = join(import.meta.dirname, "natural");
const NOVEL = join(import.meta.dirname, "../../fixtures/novel");
const FILLER = 4;
const SEED = 7;

/** What is flagged of the real ones and of the look-alikes, in the half that rules are made with and in the other. */
export function evaluateNatural(verbose = false): Line[] {
  const real = readCases("real.txt");
  const alike = readCases("alike.txt");
  return ["half to work with", "half kept back", "both halves"].flatMap((name, half) =>
    measure(name, halfOf(real, half), halfOf(alike, half), verbose && half === 0),
  );
}

/** The books of a half, and which findings in them are right: none of a look-alike. */
export function naturalCases(half: number): { book: ReadingBook; isRight(finding: Finding): boolean }[] {
  const [real, alike] = ["real.txt", "alike.txt"].map((file) => halfOf(readCases(file), half));
  return [...(real ?? []), ...(alike ?? [])].map((one) => ({
    book: one.book,
    isRight: (finding) => isRight(one, finding),
  }));
}

function measure(
  name: string,
  real: readonly Natural[],
  alike: readonly Natural[],
  verbose: boolean,
): Line[] {
  const found = real.map((one) => ({ one, findings: checkAll(one.book) }));
  const flagged = alike.filter((one) => {
    const findings = checkAll(one.book);
    if (verbose) for (const { message } of findings) console.error("look-alike flagged:", one.kind, message);
    return findings.length > 0;
  });
  const told = found.flatMap(({ one, findings }) => findings.map((finding) => ({ one, finding })));
  const right = told.filter(({ one, finding }) => isRight(one, finding));
  if (verbose) {
    for (const { one, findings } of found)
      if (findings.length === 0) console.error("missed:", one.kind, [...one.marked].join());
    for (const each of told) if (!right.includes(each)) console.error("wrong:", each.finding.message);
  }
  const most = (80 * 2) / 80;
  const precision = told.length === 0 ? 100 : (100 * right.length) / told.length;
  const whole = `${name} (${real.length} real, ${alike.length} alike)`;
  return [
    {
      what: `look-alikes flagged, ${whole}`,
      value: flagged.length,
      unit: "",
      ...barMost(flagged.length, most),
    },
    {
      what: "  findings of real ones that are right",
      value: precision,
      unit: "%",
      ...barLeast(precision, 95),
    },
    {
      what: "  real ones found",
      value: (100 * found.filter(({ findings }) => findings.length > 0).length) / real.length,
      unit: "%",
    },
  ];
}

function barMost(value: number, most: number): Pick<Line, "bar" | "met"> {
  return { bar: `<= ${most}`, met: value <= most };
}

function barLeast(value: number, least: number): Pick<Line, "bar" | "met"> {
  return { bar: `>= ${least} %`, met: value >= least };
}

/** The pairs of a half: each a book, and its two paragraphs that contradict one another. */
export function naturalPairs(
  half: number,
): { kind: string; book: ReadingBook; marked: ReadonlySet<string> }[] {
  return halfOf(readCases("real.txt"), half);
}

/** Right if all that it quotes stands in paragraphs that contradict one another. */
function isRight({ marked }: Natural, { evidence }: Finding): boolean {
  return evidence.some(({ blockId }) => marked.has(blockId)) && evidence.every(({ text }) => text !== "");
}

/** Every second case of a shuffled list; all of them for the third half. */
function halfOf(cases: readonly Natural[], half: number): Natural[] {
  const random = randomFrom(SEED);
  const shuffled = cases.map((one) => ({ one, at: random() })).sort((a, b) => a.at - b.at);
  return shuffled.filter((_, index) => half > 1 || index % 2 === half).map(({ one }) => one);
}

function readCases(file: string): Natural[] {
  const text = readFileSync(join(FOLDER, file), "utf8");
  const filler = readNovel(NOVEL).map(({ blocks }) => blocks.slice(0, FILLER));
  return text
    .split(/^@ /m)
    .slice(1)
    .map((source, index) => caseOf(source, index, filler));
}

function caseOf(source: string, index: number, filler: readonly ReadingChapter["blocks"][]): Natural {
  const [head = "", ...lines] = source.trim().split("\n");
  const [kind = "", names = ""] = head.split("; ");
  const at = lines.indexOf("--");
  const marked = new Set<string>();
  const chapters = [at < 0 ? [] : lines.slice(0, at), lines.slice(at + 1)].map((some, chapter) => {
    const blocks = some.map((line, place) => {
      const blockId = `b_${kind}${index}-${chapter}-${place}`;
      if (line.startsWith("! ")) marked.add(blockId);
      return { blockId, text: line.replace(/^! /, "").replace(/'/g, "’") };
    });
    const before = filler[(2 * index + chapter) % filler.length] ?? [];
    return { chapterId: `ch_${chapter}`, revision: 1, title: "", blocks: [...before, ...blocks] };
  });
  return { kind, book: bookOf(`bk_${kind}${index}`, chapters, factsOf(names)), marked };
}

/** "Vera Stahl {eyes: green}, Port Ellery/place". */
function factsOf(names: string): ReadingFact[] {
  return names.split(/, (?![^{]*\})/).map((one, index) => {
    const [, name = "", kind = "character", told] = /^([^/{]+?)(?:\/(\w+))?(?: \{(.*)\})?$/.exec(one) ?? [];
    const attributes = (told?.split(", ") ?? []).map((pair) => {
      const [key = "", value = ""] = pair.split(": ");
      return { key, value };
    });
    return { id: `fa_${index}`, name, kind, aliases: [], attributes, summary: "" };
  });
}
