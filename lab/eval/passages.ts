import { castWordsOf } from "../../src/reading/cast-words.ts";
import { type DescribedFacts, learnPassages } from "../../src/reading/learn-passages.ts";
import type { ReadingFact } from "../../src/reading/reading.ts";
import { type Line, report } from "../bench/report.ts";
import { KEPT_PAIRS, NATURAL_PAIRS, type NaturalPair, PAIRS } from "./pairs.ts";

const isVerbose = process.argv.includes("--verbose");

/** The share of pairs of which both places stand under their fact. */
function measure(what: string, pairs: readonly NaturalPair[]): Line[] {
  const missed = pairs.filter((pair) => !pair.places.every((place) => isListed(pair, place)));
  const share = (of: readonly NaturalPair[]) =>
    (100 * of.filter((pair) => !missed.includes(pair)).length) / of.length;
  return [
    {
      what: `${what}: both places of ${pairs.length}`,
      value: share(pairs),
      unit: "%",
      bar: ">= 90 %",
      met: share(pairs) >= 90,
    },
    ...[...new Set(pairs.map(({ kind }) => kind))].map((kind) => ({
      what: `  ${kind}`,
      value: share(pairs.filter((pair) => pair.kind === kind)),
      unit: "%",
    })),
  ];
}

function isListed({ kind, cast }: NaturalPair, place: string): boolean {
  const marked = [...place.matchAll(/\{([^}]*)\}/g)].map(([, words = ""]) => words);
  const described = describedIn(cast, place.replace(/[{}]/g, ""));
  const listed = described.get(0) ?? [];
  const isThere = (marked.length === 0 ? [place] : marked).some((words) =>
    listed.some(({ text }) => text.includes(words) || words.includes(text)),
  );
  if (!isThere && isVerbose) console.error("missed", kind, place);
  return isThere;
}

function describedIn(cast: readonly string[], text: string): DescribedFacts {
  const words = castWordsOf(cast.map(factOf));
  const chapter = { chapterId: "c", revision: 1, title: "", blocks: [{ blockId: "b", text }] };
  const steps = learnPassages(chapter, words, []);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

function factOf(said: string, index: number): ReadingFact {
  const [name = "", ...aliases] = said.replace(/^[@#]/, "").split("|");
  const kind = said.startsWith("@") ? "place" : said.startsWith("#") ? "object" : "character";
  return { id: `fa_${index}`, name, kind, aliases, attributes: [], summary: "" };
}

const TOLD = ["eyes", "hair", "age"];
const plain = [...PAIRS, ...KEPT_PAIRS]
  .filter(([kind]) => TOLD.includes(kind))
  .map(
    ([kind, name, first, second]): NaturalPair => ({
      kind,
      cast: [name],
      places: [first, second].filter((place) => !place.startsWith("@")),
    }),
  );
report("passages", [
  ...measure("natural prose", NATURAL_PAIRS),
  ...measure("plainly worded, of the check", plain),
]);
