import type { ReadingBook, ReadingChapter, Span } from "../../reading/reading.ts";
import type { Finding } from "../reader.ts";
import { contentId, plainLine } from "./answer.ts";
import { ask, type Model, type ModelQuestion, type Room } from "./ask.ts";
import { MODEL_CONFIDENCE } from "./detect.ts";
import { type PromptPassage, paragraphsOf, passagesOf } from "./passage.ts";
import type { FactRefs } from "./prompt.ts";
import { findProof } from "./quotes.ts";
import { checkShape } from "./shapes.ts";

const QUESTION: ModelQuestion<typeof checkShape> = {
  name: "check",
  task: "Find what cannot both be true: between two of these paragraphs, or between a paragraph and a known fact (looks, age, kinship, dates, who is dead, where things are); and known names that are spelt another way. At most 20 findings; none is a good answer. Characters may lie or be wrong: that is no contradiction.",
  shape: checkShape,
};

const FINDINGS = 50;
const MESSAGE_CHARACTERS = 500;

type Item = (typeof checkShape)["_output"]["findings"][number];

/** Findings of the model, each with both of its sides: two quotes, or one and a known fact. Throws `ModelFailure`. */
export async function findFindings(
  model: Model,
  { chapter, book }: { chapter: ReadingChapter; book: ReadingBook },
  { deadline, passageTokens }: Room,
): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  for (const passage of passagesOf(paragraphsOf(chapter), passageTokens)) {
    const { answer, refs } = await ask(model, QUESTION, { passage, cast: book.cast, deadline });
    for (const item of answer.findings.slice(0, FINDINGS)) {
      const finding = verified(item, { passage, refs, chapterId: chapter.chapterId });
      if (finding !== undefined) findings.set(finding.id, finding);
    }
  }
  return [...findings.values()];
}

/** The item as a finding; undefined if a quote is not in the prose or it has one side only. */
function verified(
  item: Item,
  { passage, refs, chapterId }: { passage: PromptPassage; refs: FactRefs; chapterId: string },
): Finding | undefined {
  const message = plainLine(item.message, MESSAGE_CHARACTERS);
  const evidence = evidenceOf(item, passage);
  const factId = refs.get(item.fact.trim())?.id ?? null;
  if (message === "" || evidence === undefined || (evidence.length < 2 && factId === null)) return undefined;
  const { type } = item;
  return {
    id: contentId(type, factId, ...evidence.flatMap(({ blockId, from, to }) => [blockId, from, to])),
    type,
    // Only a rule that has been measured may call something an error.
    severity: item.severity === "info" ? "info" : "warn",
    message,
    factId,
    evidence: evidence.map((span) => ({ chapterId, ...span })),
    suggestion: plainLine(item.suggestion, MESSAGE_CHARACTERS) || null,
    confidence: MODEL_CONFIDENCE,
  };
}

/** The quotes of an item, one or two that do not overlap; undefined if one of them is not in its paragraph. */
function evidenceOf(item: Item, passage: PromptPassage): Span[] | undefined {
  const one = findProof(passage, item.paragraph, item.quote);
  if (one === undefined) return undefined;
  if (item.otherQuote.trim() === "") return [one];
  const other = findProof(passage, item.otherParagraph, item.otherQuote);
  if (other === undefined) return undefined;
  return overlap(one, other) ? [one] : [one, other];
}

/** True if two spans share a character. */
export function overlap(one: Span, other: Span): boolean {
  return one.blockId === other.blockId && one.from < other.to && other.from < one.to;
}
