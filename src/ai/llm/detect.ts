import type { ReadingBook, ReadingChapter, Span } from "../../reading/reading.ts";
import type { Proposal } from "../reader.ts";
import { contentId, plainLine } from "./answer.ts";
import { ask, type Model, type ModelQuestion, type Room } from "./ask.ts";
import { type PromptPassage, paragraphsOf, passagesOf } from "./passage.ts";
import type { FactRefs } from "./prompt.ts";
import { findName, locateQuote } from "./quotes.ts";
import { detectShape } from "./shapes.ts";

const QUESTION: ModelQuestion<typeof detectShape> = {
  name: "detect",
  task: "List who and what is named in these paragraphs: people, places, things that matter to the story. At most 40 items; the known facts first. Leave out pronouns and plain nouns.",
  shape: detectShape,
};

const ITEMS = 100;
const NAME_CHARACTERS = 200;
/** What a proposal is worth that only a language model makes: below every bound at which one would be applied unseen. */
export const MODEL_CONFIDENCE = 0.5;

type Item = (typeof detectShape)["_output"]["items"][number];

/** Proposals of the model, each with the prose that names it; what it cannot show is left out. Throws `ModelFailure`. */
export async function findProposals(
  model: Model,
  { chapter, book }: { chapter: ReadingChapter; book: ReadingBook },
  { deadline, passageTokens }: Room,
): Promise<Proposal[]> {
  const known = new Set(book.cast.flatMap(({ name, aliases }) => [name, ...aliases].map(fold)));
  const proposals = new Map<string, Proposal>();
  for (const passage of passagesOf(paragraphsOf(chapter), passageTokens)) {
    const { answer, refs } = await ask(model, QUESTION, { passage, cast: book.cast, deadline });
    for (const item of answer.items.slice(0, ITEMS)) {
      const proposal = verified(item, { passage, refs, known });
      if (proposal === undefined) continue;
      const same = proposals.get(proposal.id);
      if (same === undefined) proposals.set(proposal.id, proposal);
      else addOccurrences(same, proposal.occurrences);
    }
  }
  return [...proposals.values()];
}

/** The item as a proposal; undefined if its words are not in the prose or its fact is not one of those sent. */
function verified(
  item: Item,
  { passage, refs, known }: { passage: PromptPassage; refs: FactRefs; known: ReadonlySet<string> },
): Proposal | undefined {
  const quote = locateQuote(passage, item.paragraph, item.quote);
  const span = quote === undefined ? undefined : findName(passage, quote, item.name);
  if (span === undefined || span.text.length > NAME_CHARACTERS) return undefined;
  const { type } = item;
  const fact = type === "new_fact" ? undefined : refs.get(item.fact.trim());
  if (type !== "new_fact" && fact === undefined) return undefined;
  if (type !== "mention" && known.has(fold(span.text))) return undefined;
  const factId = fact?.id ?? null;
  return {
    id: contentId(type, factId, fold(span.text)),
    type,
    factId,
    name: type === "mention" && fact !== undefined ? fact.name : span.text,
    kind: fact?.kind ?? (plainLine(item.kind, 100) || "other"),
    confidence: MODEL_CONFIDENCE,
    reason: plainLine(item.reason, 300) || "The language model names it here.",
    occurrences: [span],
  };
}

function addOccurrences(proposal: Proposal, spans: readonly Span[]): void {
  for (const span of spans) {
    const isThere = proposal.occurrences.some(
      ({ blockId, from }) => blockId === span.blockId && from === span.from,
    );
    if (!isThere) proposal.occurrences.push(span);
  }
}

function fold(name: string): string {
  return name.replace(/\s+/g, " ").replace(/’/g, "'").trim().toLowerCase();
}
