import { castScanOf } from "../../src/reading/cast-scan.ts";
import { learnPassages } from "../../src/reading/learn-passages.ts";
import type { ReadingChapter, ReadingFact } from "../../src/reading/reading.ts";
import { type Line, report } from "../bench/report.ts";
import { naturalPairs } from "./natural-measure.ts";
import { NATURAL_PAIRS, type NaturalPair } from "./pairs.ts";

// Of how many contradictions both paragraphs stand under one trait of one fact. Half of those in the prose of novels were
// there when the rules were made; `--verbose` names what is missed in that half.
const isVerbose = process.argv.includes("--verbose");
/** Kinds that no trait is told of. */
const OTHERS = ["attr", "dead", "drift", "weekday", "season", "pregnancy", "distance", "geography"];

function traitsIn(
  chapter: ReadingChapter,
  cast: readonly ReadingFact[],
): { trait: string; blockId: string }[] {
  const steps = learnPassages(chapter, castScanOf(cast), []);
  for (let step = steps.next(); ; step = steps.next()) {
    if (!step.done) continue;
    return [...step.value].flatMap(([fact, told]) =>
      told.map(({ attribute, blockId }) => ({ trait: `${fact} ${attribute}`, blockId })),
    );
  }
}

function share(part: number, all: number): number {
  return (100 * part) / Math.max(1, all);
}

function measureHalf(name: string, half: number): Line[] {
  const pairs = naturalPairs(half).filter(({ kind }) => !OTHERS.includes(kind));
  const right = pairs.filter(({ kind, book, marked }) => {
    const of = book.chapters.map((chapter) =>
      traitsIn(chapter.read(), book.cast).flatMap(({ blockId, trait }) =>
        marked.has(blockId) ? [trait] : [],
      ),
    );
    const isTold = of[0]?.some((trait) => of.every((one) => one.includes(trait))) === true;
    if (!isTold && isVerbose && half === 0)
      console.error(
        "missed",
        kind,
        book.chapters.flatMap((one) =>
          one
            .read()
            .blocks.filter(({ blockId }) => marked.has(blockId))
            .map(({ text }) => text),
        ),
      );
    return isTold;
  });
  const kinds = [...new Set(pairs.map(({ kind }) => kind))];
  return [
    {
      what: `${name}: both of ${pairs.length} under one trait`,
      value: share(right.length, pairs.length),
      unit: "%",
      bar: ">= 75 %",
      met: share(right.length, pairs.length) >= 75,
    },
    ...kinds.map((kind) => {
      const isOne = (one: { kind: string }) => one.kind === kind;
      return {
        what: `  ${kind}`,
        value: share(right.filter(isOne).length, pairs.filter(isOne).length),
        unit: "%",
      };
    }),
  ];
}

/** Pairs that say it in a roundabout way: "what hair he had was white". */
function measureRoundabout(pairs: readonly NaturalPair[]): Line {
  const right = pairs.filter(({ cast, places }) =>
    places.every((place) => {
      const facts = cast.map((said, index): ReadingFact => {
        const [name = "", ...aliases] = said.replace(/^[@#]/, "").split("|");
        const kind = said.startsWith("@") ? "place" : said.startsWith("#") ? "object" : "character";
        return { id: `fa_${index}`, name, kind, aliases, attributes: [], summary: "" };
      });
      const blocks = [{ blockId: "b", text: place.replace(/[{}]/g, "") }];
      return traitsIn({ chapterId: "c", revision: 1, title: "", blocks }, facts).some(({ trait }) =>
        trait.startsWith("0 "),
      );
    }),
  );
  return {
    what: `said in a roundabout way: both of ${pairs.length}`,
    value: share(right.length, pairs.length),
    unit: "%",
  };
}

report("passages", [
  ...measureHalf("half to work with", 0),
  ...measureHalf("half kept back", 1),
  measureRoundabout(NATURAL_PAIRS),
]);
