import { type Cluster, clusterNames, type NameForm } from "../../../reading/cluster-names.ts";
import type { ReadingFact } from "../../../reading/reading.ts";
import type { WordTally } from "../../../reading/tally.ts";
import { keyOf, tokenize } from "../../../reading/tokens.ts";
import { placeWeight } from "../../../reading/word-lists.ts";
import type { Spelling } from "./names.ts";

/** Who and what a book names: every form of every name, gathered. */
export interface BookPeople {
  /** The cluster of a character's form, by its key. */
  characters: ReadonlyMap<string, Cluster>;
  /** The forms of places, by key. */
  places: ReadonlyMap<string, NameForm>;
}

const NOT_PEOPLE =
  /place|location|city|town|country|object|thing|item|event|organi|group|ship|concept|theme/i;

/** Gathers a book's names; the names of the cast hold together what the rules alone would not. */
export function gatherPeople(
  names: readonly Spelling[],
  cast: readonly ReadingFact[],
  { lower, capital }: WordTally,
): BookPeople {
  const [characters, places] = [formsOf(names, "character"), formsOf(names, "place")];
  const owners = new Map<string, string>();
  const shared = new Set<string>();
  for (const { id, name, kind, aliases } of cast) {
    if (NOT_PEOPLE.test(kind)) continue;
    for (const text of [name, ...aliases]) {
      const key = keyOfName(text);
      if (key === "") continue;
      if ((owners.get(key) ?? id) !== id) shared.add(key);
      owners.set(key, id);
      if (!characters.has(key)) characters.set(key, { key, text, count: 0 });
    }
  }
  for (const key of shared) owners.delete(key);
  const isSmall = (word: string) => (lower.get(word) ?? 0) > (capital.get(word)?.middle ?? 0);
  const isWord = (word: string) => isSmall(word) || placeWeight(word) > 0;
  const clusters = new Map<string, Cluster>();
  for (const cluster of clusterNames([...characters.values()], owners, isWord)) {
    for (const { key } of cluster.forms) clusters.set(key, cluster);
  }
  return { characters: clusters, places };
}

/** The key of a name as a writer put it down; the same as that of the name in prose. */
export function keyOfName(text: string): string {
  return tokenize(text)
    .filter(({ kind }) => kind === "word")
    .map(({ key }) => key)
    .join(" ");
}

function formsOf(names: readonly Spelling[], kind: Spelling["kind"]): Map<string, NameForm> {
  const spellings = new Map<string, Map<string, number>>();
  for (const { key, kind: other, text, count } of names) {
    if (other !== kind) continue;
    const counts = spellings.get(key) ?? new Map<string, number>();
    counts.set(text, (counts.get(text) ?? 0) + count);
    spellings.set(key, counts);
  }
  return new Map(
    [...spellings].map(([key, counts]) => {
      const count = [...counts.values()].reduce((sum, each) => sum + each, 0);
      return [key, { key, text: commonest(counts), count }];
    }),
  );
}

/** The spelling met most often; one WHOLLY IN CAPITALS only if there is no other. */
function commonest(counts: ReadonlyMap<string, number>): string {
  const weight = ([text, count]: [string, number]) =>
    text === text.toUpperCase() && keyOf(text).length > 2 ? 0 : count;
  const [best] = [...counts].sort((a, b) => weight(b) - weight(a) || (a[0] < b[0] ? -1 : 1));
  const text = best?.[0] ?? "";
  if (weight([text, 1]) > 0) return text;
  return text.replaceAll(/\p{L}+/gu, (word) => word[0] + word.slice(1).toLowerCase()); // "MATHEW BRUFF", a heading
}
