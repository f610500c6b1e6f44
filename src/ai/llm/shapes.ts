import * as z from "zod";

// Flat objects of strings, numbers and enums, every key required: servers enforce no more than that alike, and llama.cpp
// passes over references and unions in silence. Bounds are ours to keep, behind the answer.

const paragraph = z.number().describe("The number of the paragraph, as it stands in brackets before it.");
const quote = z
  .string()
  .describe(
    "Some words of that paragraph that show it, copied letter by letter, at least three where it has three.",
  );
const fact = z.string().describe('The ref of a known fact, such as "f1"; "" for none.');

/** The answer to the question for a synopsis. */
export const synopsisShape = z.object({
  sentences: z.array(
    z.object({ text: z.string().describe("One sentence of the synopsis, in your words."), paragraph, quote }),
  ),
});

/** The answer to the question for names. */
export const detectShape = z.object({
  items: z.array(
    z.object({
      type: z
        .enum(["mention", "new_fact", "new_alias"])
        .describe(
          "mention: a known fact is named here. new_fact: a person, place or thing that is not known yet. new_alias: another name of a known fact.",
        ),
      fact,
      name: z.string().describe("The name, exactly as it stands in the quote."),
      kind: z.string().describe("Such as character, place, object, group."),
      paragraph,
      quote,
      reason: z.string().describe("Why, in one short sentence."),
    }),
  ),
});

/** The answer to the question for contradictions. */
export const checkShape = z.object({
  findings: z.array(
    z.object({
      type: z
        .enum(["contradiction", "name_drift"])
        .describe(
          "contradiction: two statements cannot both hold. name_drift: a known name is spelt another way.",
        ),
      severity: z.enum(["info", "warn", "error"]),
      message: z.string().describe("What does not fit, in one sentence."),
      fact,
      paragraph,
      quote,
      otherParagraph: z
        .number()
        .describe("The number of the paragraph that says otherwise; 0 where it is the known fact that does."),
      otherQuote: z.string().describe('Its words, copied letter by letter; "" where it is the known fact.'),
      suggestion: z.string().describe('What to write instead; "" for none.'),
    }),
  ),
});

/** The JSON Schema of a shape, as servers understand it. */
export function jsonSchemaOf(shape: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(shape);
  return schema;
}
