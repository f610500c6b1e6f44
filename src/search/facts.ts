import type { Highlights } from "./excerpt/highlights.ts";
import { type IndexedPassage, NO_SLOT } from "./index/passages.ts";
import type { Answer } from "./ranking/ranking.ts";
import type { FactField, SearchedFact } from "./types.ts";

const WEIGHTS: Readonly<Record<FactField, number>> = {
  name: 4,
  aliases: 3,
  kind: 1,
  summary: 1,
  attributes: 1,
};
const FIELDS = Object.keys(WEIGHTS) as FactField[];

/** One passage for each field of a fact that is not empty. */
export function factPassages(fact: SearchedFact): IndexedPassage[] {
  const texts: Record<FactField, string> = {
    name: fact.name,
    aliases: fact.aliases.join("\n"),
    kind: fact.kind,
    summary: fact.summary,
    attributes: fact.attributes.map(({ key, value }) => `${key} ${value}`).join("\n"),
  };
  return FIELDS.filter((field) => texts[field] !== "").map((field) => ({
    owner: fact.id,
    key: `${FIELDS.indexOf(field)} ${fact.id}`,
    field,
    text: texts[field],
    weight: WEIGHTS[field],
    slot: NO_SLOT,
  }));
}

/** The fields in which words of the question stand, in their own order. */
export function matchedFields(answer: Answer, highlights: Highlights): FactField[] {
  const matched = new Set(
    answer.hits
      .filter(({ passage }) => highlights.find(passage.text).length > 0)
      .map(({ passage }) => passage.field),
  );
  return FIELDS.filter((field) => matched.has(field));
}
