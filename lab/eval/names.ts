import { createDetector } from "../../src/ai/embedded/index.ts";
import type { Proposal } from "../../src/ai/reader.ts";
import { report } from "../bench/report.ts";
import {
  type GoldName,
  litbankFiles,
  litbankFolder,
  type NameSpan,
  type Novel,
  placeOf,
  readNovel,
} from "./litbank.ts";
import { f1Line, sum, type Tally, zero } from "./score.ts";

// Names and lists of characters in the annotated excerpts of LitBank, each with its whole novel as context. The rules were
// written with the errors of every second file in sight; the other half was only ever scored.
interface Scores {
  person: Tally;
  place: Tally;
  lists: Tally;
}

const KINDS = { person: "character", place: "place" } as const;
const LEAST_IN_LIST = 2;

const scores = litbankFiles(litbankFolder()).map((file) => scoreNovel(readNovel(file)));
const halves = {
  "all files": scores,
  "files the rules were written with": scores.filter((_, index) => index % 2 === 0),
  "files whose errors were never read": scores.filter((_, index) => index % 2 === 1),
};
report(
  "names: LitBank, strict core match, whole book as context",
  Object.entries(halves).flatMap(([half, some], index) => {
    const of = (key: keyof Scores) => sum(some.map((each) => each[key]));
    const bar = (least: number) => (index === 0 ? least : undefined);
    return [
      f1Line(`PER spans, ${half}`, of("person"), bar(88)),
      f1Line(`PLACE spans, ${half}`, of("place"), bar(70)),
      f1Line(`characters named twice or more, ${half}`, of("lists"), bar(84)),
    ];
  }),
);

function scoreNovel(novel: Novel): Scores {
  const proposals = createDetector().detect(novel.excerpt, novel.book);
  return {
    person: scoreSpans(novel, proposals, "person"),
    place: scoreSpans(novel, proposals, "place"),
    lists: scoreList(novel, proposals),
  };
}

function scoreSpans(novel: Novel, proposals: readonly Proposal[], kind: GoldName["kind"]): Tally {
  const wanted = new Set(novel.gold.filter((name) => name.kind === kind).map(keyOf));
  const given = new Set(
    proposals
      .filter((proposal) => proposal.kind === KINDS[kind])
      .flatMap((proposal) => spansOf(novel, proposal)),
  );
  return {
    right: [...given].filter((key) => wanted.has(key)).length,
    given: given.size,
    wanted: wanted.size,
  };
}

/** Pairs each proposed character with one chain at most, those that share most names first. */
function scoreList(novel: Novel, proposals: readonly Proposal[]): Tally {
  const chains = new Map<string, Set<string>>();
  for (const name of novel.gold) {
    if (name.kind !== "person") continue;
    chains.set(name.chain, (chains.get(name.chain) ?? new Set()).add(keyOf(name)));
  }
  const wanted = [...chains.values()].filter(({ size }) => size >= LEAST_IN_LIST);
  const given = proposals
    .filter(({ kind, occurrences }) => kind === "character" && occurrences.length >= LEAST_IN_LIST)
    .map((proposal) => new Set(spansOf(novel, proposal)));
  const pairs = wanted
    .flatMap((chain) =>
      given.map((list) => ({ chain, list, shared: [...chain].filter((key) => list.has(key)).length })),
    )
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared);
  const score = { ...zero(), given: given.length, wanted: wanted.length };
  const paired = new Set<Set<string>>();
  for (const { chain, list } of pairs) {
    if (paired.has(chain) || paired.has(list)) continue;
    paired.add(chain).add(list);
    score.right++;
  }
  return score;
}

function spansOf(novel: Novel, { occurrences }: Proposal): string[] {
  return occurrences.flatMap((span) => {
    const core = placeOf(novel, span);
    return core === undefined ? [] : [keyOf(core)];
  });
}

function keyOf({ from, to }: NameSpan): string {
  return `${from}-${to}`;
}
