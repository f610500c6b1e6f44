import type { Answer } from "../ranking/ranking.ts";
import type { Highlights } from "../reading/highlights.ts";
import type { IndexedPassage } from "./passages.ts";
import type { FactField, SearchedFact } from "./types.ts";

const WEIGHTS: Readonly<Record<FactField, number>> = {
  name: 4,
  aliases: 3,
  kind: 1,
  summary: 1,
  attributes: 1,
};
const FIELDS = Object.keys(WEIGHTS) as FactField[];

/** One passage for each field of a fact; of a fact that is only named, without texts. */
export function factPassages({
  id,
  name = "",
  kind = "",
  aliases = [],
  summary = "",
  attributes = [],
}: Pick<SearchedFact, "id"> & Partial<SearchedFact>): IndexedPassage[] {
  const texts: Record<FactField, string> = {
    name,
    aliases: aliases.join("\n"),
    kind,
    summary,
    attributes: attributes.map(({ key, value }) => `${key} ${value}`).join("\n"),
  };
  return FIELDS.map((field) => ({
    owner: id,
    key: `${FIELDS.indexOf(field)} ${id}`,
    field,
    text: texts[field],
    weight: WEIGHTS[field],
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
