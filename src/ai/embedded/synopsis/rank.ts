import type { Sentence } from "../../../reading/sentences.ts";
import { largest } from "../../../text/extremes.ts";

/** A sentence as a vector of length 1: terms by number, rising, with their weights. */
export interface Vector {
  terms: readonly number[];
  weights: readonly number[];
}

const DAMPING = 0.85;
const ROUNDS = 20;

const STOPWORDS = new Set(
  `a about after again all also am an and any are as at be been before being but by came can come could did do does down
  each even for from get go got had has have he her here hers him himself his how i if in into is it its itself just like
  made make me might more most much must my myself never no nor not now of off on once one only or other our out over own
  said same say see shall she should so some still such than that the their them then there these they this those though
  through to too under until up upon us very was we well went were what when where which while who whom why will with
  would yet you your`.split(/\s+/),
);

/** tf-idf vectors of the sentences, idf counted over these sentences alone. */
export function vectorsOf(sentences: readonly Sentence[]): Vector[] {
  const numbers = new Map<string, number>();
  const documents: number[] = [];
  const counts = sentences.map(({ words }) => {
    const terms = new Map<number, number>();
    for (const word of words) {
      if (STOPWORDS.has(word)) continue;
      const stem = stemOf(word);
      const term = numbers.get(stem) ?? numbers.set(stem, numbers.size).size - 1;
      terms.set(term, (terms.get(term) ?? 0) + 1);
    }
    for (const term of terms.keys()) documents[term] = (documents[term] ?? 0) + 1;
    return terms;
  });
  return counts.map((terms) => {
    const sorted = [...terms].sort(([a], [b]) => a - b);
    const raw = sorted.map(([term, count]) => count * Math.log(1 + sentences.length / documents[term]!)); // counted above
    const length = lengthOf(raw) || 1;
    return { terms: sorted.map(([term]) => term), weights: raw.map((weight) => weight / length) };
  });
}

/** The length of a vector of any size, to the last bit what `Math.hypot` gives in V8: Kahan's sum, scaled. */
function lengthOf(values: readonly number[]): number {
  const scale = largest(values.map(Math.abs));
  if (!(scale > 0)) return 0;
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const summand = (value / scale) ** 2 - lost;
    const next = sum + summand;
    lost = next - sum - summand;
    sum = next;
  }
  return Math.sqrt(sum) * scale;
}

/**
 * How central each sentence is among the others, 1 on average. The graph of similarities is never built: with S the
 * matrix of the vectors, a walk over it is S(Sᵀx), so a round costs what the vectors hold and a chapter of any length
 * is linear. Source: Erkan and Radev 2004, section 3.3 (continuous).
 */
export function lexRank(vectors: readonly Vector[]): number[] {
  const size = vectors.length;
  const width = vectors.reduce((most, { terms }) => Math.max(most, (terms.at(-1) ?? -1) + 1), 0);
  const walk = (x: readonly number[]): number[] => {
    const sums = new Float64Array(width);
    vectors.forEach(({ terms, weights }, row) => {
      for (let i = 0; i < terms.length; i++) sums[terms[i]!]! += weights[i]! * x[row]!; // i < length
    });
    return vectors.map(({ terms, weights }, row) => {
      let sum = -x[row]! * (terms.length > 0 ? 1 : 0); // without its likeness to itself
      for (let i = 0; i < terms.length; i++) sum += weights[i]! * sums[terms[i]!]!; // as above
      return Math.max(sum, 0);
    });
  };
  const degrees = walk(new Array<number>(size).fill(1));
  let ranks = new Array<number>(size).fill(1);
  for (let round = 0; round < ROUNDS; round++) {
    const shares = ranks.map((rank, row) => (degrees[row]! > 0 ? rank / degrees[row]! : 0)); // one each
    ranks = walk(shares).map((rank) => 1 - DAMPING + DAMPING * rank);
  }
  return ranks;
}

/** How alike two sentences are, 0 to 1. */
export function cosine(a: Vector, b: Vector): number {
  let sum = 0;
  for (let i = 0, j = 0; i < a.terms.length && j < b.terms.length; ) {
    const difference = a.terms[i]! - b.terms[j]!; // both in range
    if (difference === 0) sum += a.weights[i]! * b.weights[j]!; // a weight a term
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return sum;
}

// Enough to bring plurals, possessives and past tenses together; a wrong stem costs a little likeness, no more.
function stemOf(word: string): string {
  const bare = word.replace(/['’]s?$/, "");
  if (bare.length < 5) return bare;
  return bare.replace(/(?:ing|edly|ed|ies|es|s|ly)$/, "").slice(0, 12);
}
