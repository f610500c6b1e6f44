import type { ReadingFact } from "../../src/reading/reading.ts";
import { castWordsOf } from "../../src/reading/reports/passages/cast-words.ts";
import { type DescribedFacts, learnPassages } from "../../src/reading/reports/passages/learn-passages.ts";
import { type Line, report } from "../bench/report.ts";
import { PAIRS } from "./pairs.ts";
import { KEPT_PAIRS } from "./pairs-kept.ts";
import { NATURAL_PAIRS, type NaturalPair } from "./passages-pairs.ts";

const isVerbose = process.argv.includes("--verbose");

interface Placed {
  kind: string;
  cast: readonly string[];
  places: readonly string[];
}

/** The share of pairs of which both places stand under their fact. */
function measure(what: string, pairs: readonly Placed[]): Line[] {
  const missed = pairs.filter((pair) => !pair.places.every((place) => isListed(pair, place)));
  const share = (of: readonly Placed[]) =>
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

function isListed({ kind, cast }: Placed, place: string): boolean {
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

const natural = NATURAL_PAIRS.map(
  ({ kind, cast, one, other }: NaturalPair): Placed => ({ kind, cast, places: [one, other] }),
);
const TOLD = ["eyes", "hair", "age"];
const plain = [...PAIRS, ...KEPT_PAIRS]
  .filter(([kind]) => TOLD.includes(kind))
  .map(
    ([kind, name, first, second]): Placed => ({
      kind,
      cast: [name],
      places: [first, second].filter((place) => !place.startsWith("@")),
    }),
  );
report("passages", [...measure("natural prose", natural), ...measure("plainly worded, of the check", plain)]);
