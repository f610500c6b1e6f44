import * as z from "zod";

// Flat objects of strings, numbers and enums, every key required: servers enforce no more than that alike, and llama.cpp
// passes over references and unions in silence. What is read is what models write instead, too: a number as a text, null
// or nothing for an empty text. Bounds are ours to keep, behind the answer.

const text = z.preprocess((given) => (typeof given === "string" ? given : ""), z.string());
const words = z.string();
const number = z.preprocess(
  (given) => (typeof given === "string" ? Number(/^\W*(\d+)\W*$/.exec(given)?.[1] ?? Number.NaN) : given),
  z.number(),
);

/** A sentence of a synopsis, and what it rests on. */
export const synopsisItem = z.object({ text: words, paragraph: number, quote: words });

/** A name in the prose. */
export const detectItem = z.object({
  type: z.enum(["mention", "new_fact", "new_alias"]),
  fact: text,
  name: words,
  kind: text,
  paragraph: number,
  quote: words,
});

/** Two places that cannot both be true. */
export const checkItem = z.object({
  paragraph: number,
  quote: words,
  otherParagraph: number,
  otherQuote: words,
  message: words,
});

/** A verdict on two statements, behind the reason for it: models think while they write. */
export const verdictItem = z.object({
  reason: words,
  verdict: z.enum(["contradiction", "compatible", "change", "another_person", "figure_of_speech"]),
});

/** The JSON Schema of a list of items under its name, as servers understand it. */
export function listSchema(list: string, item: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...items } = z.toJSONSchema(item);
  return {
    type: "object",
    properties: { [list]: { type: "array", items } },
    required: [list],
    additionalProperties: false,
  };
}
