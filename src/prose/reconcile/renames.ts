import { findGaps, type Pairs } from "./pairs.ts";

/** Pairs in which one word must replace another to count as a rename. */
const FEWEST = 3;

/** Edited pairs that are searched for renames. A name of importance is in one of them. */
const SEARCHED = 200;

/**
 * Links free paragraphs of one gap that are equal once a character has the new name: "“Lucy.”" and "“Wilhelmina.”"
 * have no letter in common, but the paragraphs around them say who she is. O(text of 200 edited pairs).
 */
export function pairRenamed(pairs: Pairs): void {
  const gaps = findGaps(pairs).filter((gap) => gap.olds.length > 0 && gap.news.length > 0);
  const renames = gaps.length === 0 ? new Map<string, string>() : findRenames(pairs);
  if (renames.size === 0) return;
  for (const { olds, news } of gaps) {
    for (const oldAt of olds) {
      const words = pairs.old.signature(oldAt).folded.split(" ");
      const renamed = words.map((word) => renames.get(word) ?? word).join(" ");
      const newAt = news.find((at) => pairs.from[at] === -1 && pairs.next.signature(at).folded === renamed);
      if (newAt !== undefined) pairs.link(oldAt, newAt);
    }
  }
}

/** Maps old words to new ones, from pairs with equally many words that differ in at most half of them. */
function findRenames(pairs: Pairs): Map<string, string> {
  const counts = new Map<string, number>();
  let searched = 0;
  for (let at = 0; at < pairs.from.length && searched < SEARCHED; at++) {
    const oldAt = pairs.from[at]!; // at < length
    if (oldAt === -1 || pairs.areEqual("exact", oldAt, at)) continue;
    searched++;
    for (const change of changedWords(pairs.old.signature(oldAt).folded, pairs.next.signature(at).folded)) {
      counts.set(change, (counts.get(change) ?? 0) + 1);
    }
  }
  const often = [...counts].filter(([, count]) => count >= FEWEST).sort((a, b) => a[1] - b[1]);
  return new Map(often.map(([change]) => change.split(" ") as [string, string])); // the commonest is set last
}

/** Returns "old new" for each replaced word; nothing if the texts do not match word for word. */
function changedWords(old: string, next: string): Set<string> {
  const oldWords = old.split(" ");
  const newWords = next.split(" ");
  if (oldWords.length !== newWords.length) return new Set();
  const changed = oldWords.flatMap((word, at) => (word === newWords[at] ? [] : [`${word} ${newWords[at]}`]));
  return new Set(2 * changed.length > oldWords.length ? [] : changed);
}
