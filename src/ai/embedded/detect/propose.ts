import type { NameForm } from "../../../reading/cluster-names.ts";
import type { ReadingChapter, ReadingFact } from "../../../reading/reading.ts";
import { COMMON, EPITHETS, isGiven, isHonorific } from "../../../reading/word-lists.ts";
import { largest } from "../../../text/extremes.ts";
import { groupBy } from "../../../text/group-by.ts";
import type { Proposal } from "../../reader.ts";
import { type KnownName, spanOf } from "./mentions.ts";
import type { FoundName } from "./names.ts";
import type { BookPeople } from "./people.ts";

/** The key without "old", "poor" and the like before it, nor the "With" of a heading. */
export function withoutEpithets(key: string): string {
  const words = key.split(" ");
  const isIdle = (word: string) =>
    EPITHETS.has(word) || (COMMON.has(word) && !isGiven(word) && !isHonorific(word));
  while (words.length > 1 && isIdle(words[0]!)) words.shift(); // the loop's own condition
  return words.join(" ");
}

/** Proposals to anchor known names: one for each fact and degree of trust. */
export function proposeMentions(
  chapter: ReadingChapter,
  links: readonly KnownName[],
  cast: readonly ReadingFact[],
): Proposal[] {
  const facts = new Map(cast.map((fact) => [fact.id, fact]));
  const partsOf = ({ factId, factIds, confidence, name }: KnownName) =>
    [factId, confidence, factIds.length > 1 || confidence < 0.5 ? name : ""] as const;
  const groups = groupBy(links, (link) => partsOf(link).join("\n"));
  return [...groups.values()].map((group): Proposal => {
    const [first] = group;
    const { factId, factIds, confidence, reason } = first;
    const fact = facts.get(factId)!; // links come from this cast
    const candidates = [factId, ...factIds.filter((id) => id !== factId)];
    return {
      id: proposalId(chapter.chapterId, "mention", ...partsOf(first)),
      type: "mention",
      factId,
      name: fact.name,
      kind: fact.kind,
      confidence,
      reason,
      occurrences: group.map((link) => spanOf(chapter, link)),
      ...(factIds.length > 1 ? { candidates } : {}),
    };
  });
}

/** Proposals of new facts, and of further names for known ones. */
export function proposeNames(
  chapter: ReadingChapter,
  found: readonly FoundName[],
  people: BookPeople,
  cast: readonly ReadingFact[],
): Proposal[] {
  const facts = new Map(cast.map((fact) => [fact.id, fact]));
  const groups = groupBy(found, ({ kind, key }) => {
    const cluster = kind === "character" ? people.characters.get(key) : undefined;
    if (cluster === undefined) return `${kind}\n${key}`;
    return cluster.owner === null
      ? `character\n${cluster.forms[0]?.key}`
      : `alias\n${cluster.owner}\n${withoutEpithets(key)}`;
  });
  // "the Hales" are no person of their own
  const isFamily = (key: string) => key.endsWith("s") && people.characters.has(key.slice(0, -1));
  return [...groups.values()]
    .filter(([{ key }]) => !isFamily(key))
    .map((group): Proposal => {
      const { kind, key } = group[0]!; // no group is empty
      const cluster = kind === "character" ? people.characters.get(key) : undefined;
      const forms = cluster?.forms ?? [people.places.get(key)!]; // every place is counted
      const owner = facts.get(cluster?.owner ?? "");
      const occurrences = group.map((name) => spanOf(chapter, name));
      const confidence = confidenceOf(group, forms);
      if (owner === undefined) return newFact(chapter, { kind, forms, occurrences, confidence });
      const name =
        forms.find((form) => form.key === withoutEpithets(key))?.text ?? spanOf(chapter, group[0]!).text; // as above
      return {
        id: proposalId(chapter.chapterId, "new_alias", owner.id, name),
        type: "new_alias",
        factId: owner.id,
        name,
        kind: owner.kind,
        confidence: round(confidence * 0.85),
        reason: `Another form of the name of ${owner.name}.`,
        occurrences,
      };
    });
}

function newFact(
  { chapterId }: ReadingChapter,
  {
    kind,
    forms,
    occurrences,
    confidence,
  }: Pick<Proposal, "kind" | "occurrences" | "confidence"> & { forms: readonly NameForm[] },
): Proposal {
  const [main, ...others] = forms;
  const count = forms.reduce((sum, form) => sum + form.count, 0);
  const name = main?.text ?? "";
  const aliases = others.filter(({ key }) => key === withoutEpithets(key)).map(({ text }) => text);
  return {
    id: proposalId(chapterId, "new_fact", kind, main?.key ?? ""),
    type: "new_fact",
    factId: null,
    name,
    kind,
    confidence,
    reason: `Named ${count === 1 ? "once" : `${count} times`} in the book${aliases.length === 0 ? "" : `, also as ${aliases.join(", ")}`}.`,
    occurrences,
    aliases,
  };
}

/** From the best evidence of any occurrence, and from how often the book has the name. */
function confidenceOf(group: readonly FoundName[], forms: readonly NameForm[]): number {
  const score = largest(group.map((name) => name.score));
  const count = forms.reduce((sum, form) => sum + form.count, 0);
  const alone = score / (score + 2);
  return round(alone + (1 - alone) * Math.min(0.6, (count - 1) * 0.1));
}

function round(value: number): number {
  return Math.min(0.99, Math.round(value * 100) / 100);
}

/**
 * An id that the same proposal has in every run: `pr_` and 16 hexadecimal digits, 64 bits of FNV-1a over the parts.
 * Source: Fowler, Noll and Vo, FNV-1a.
 */
function proposalId(...parts: readonly (string | number)[]): string {
  const text = parts.join("\u0000");
  return `pr_${fnv1a(text, 0x811c9dc5)}${fnv1a(text, 0x01234567)}`;
}

function fnv1a(text: string, seed: number): string {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
