import { createWordScan } from "./word-scan.ts";

/** A pattern that fits only sentences with one of these words, in small letters and parted at hyphens. */
export interface KeyedRule {
  needs: readonly string[];
  pattern: RegExp;
}

/** A rule's match in a sentence; `at` is its offset in the text. */
export interface RuleMatch<Rule extends KeyedRule> {
  rule: Rule;
  match: RegExpExecArray;
  at: number;
}

/** Makes a pattern of a list of words or patterns, any of which it fits; "_" stands for a blank. */
export function oneOf(words: string): string {
  return `(?:${words.trim().split(/\s+/).join("|").replaceAll("_", " ")})`;
}

/** The words of a list, as a scan finds them. */
export function wordsOfList(list: string): string[] {
  return list.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
}

/** Returns what finds all that these rules match in the sentences of a text: most sentences are tried with none. */
export function createKeyedRules<Rule extends KeyedRule>(
  rules: readonly Rule[],
): (text: string, sentences: readonly (readonly [from: number, to: number])[]) => Generator<RuleMatch<Rule>> {
  const byWord = new Map<string, Rule[]>();
  for (const rule of rules)
    for (const word of rule.needs) byWord.set(word, [...new Set([...(byWord.get(word) ?? []), rule])]);
  const scan = createWordScan(byWord);
  return function* matches(text, sentences) {
    const hits = scan(text);
    let next = 0;
    for (const [start, end] of sentences) {
      const due = new Set<Rule>();
      for (let hit = hits[next]; hit !== undefined && hit.from < end; hit = hits[++next])
        for (const rule of hit.value) due.add(rule);
      const sentence = due.size === 0 ? "" : text.slice(start, end);
      for (const rule of due)
        for (const match of sentence.matchAll(rule.pattern)) yield { rule, match, at: start + match.index };
    }
  };
}
