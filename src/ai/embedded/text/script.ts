import { isCommon } from "../words/common.ts";
import type { WordTally } from "./statistics.ts";

/** What capitals tell in a book's language. */
export type Script = "english" | "foreign" | "capital-nouns" | "caseless";

const ENOUGH_WORDS = 200;
const CAPITALS_WITHIN_SENTENCES = 0.16;
const COMMON_WORDS = 0.3;

/** Judged by the book's words: the share of capitals within sentences, and of common English words. */
export function scriptOf({ words, lower, capital }: WordTally): Script {
  if (words > 0 && capital.size === 0) return "caseless";
  if (words < ENOUGH_WORDS) return "english";
  let [common, middle] = [0, 0];
  for (const [key, count] of lower) if (isCommon(key)) common += count;
  for (const counts of capital.values()) middle += counts.middle;
  if (common / words >= COMMON_WORDS) return "english";
  return middle / words > CAPITALS_WITHIN_SENTENCES ? "capital-nouns" : "foreign";
}
