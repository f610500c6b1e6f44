import type { ReadingBook, ReadingChapter, ReadingFact, Span } from "../../reading/reading.ts";
import { asOneLine } from "../../text/clean-text.ts";
import type { Proposal } from "../reader.ts";
import { contentId, plainLine } from "./answer.ts";
import { ask, type Model, type ModelQuestion } from "./ask.ts";
import { eachPassage, type Walked } from "./each-passage.ts";
import { type PromptPassage, paragraphsOf } from "./passage.ts";
import { type FactRefs, factLine, refsOf } from "./prompt.ts";
import { findName, locateQuote } from "./quotes.ts";
import type { Deadline } from "./server/request.ts";
import { detectItem } from "./shapes.ts";

const QUESTION: ModelQuestion<typeof detectItem> = {
  name: "detect",
  list: "items",
  item: detectItem,
  answerTokens: 1100,
  task: 'List who and what is named in these paragraphs: people, places, things that matter to the story. At most 15 items, each name once; leave out pronouns and plain nouns. type is "mention" for a known fact, with its ref as fact; "new_alias" for another name of a known fact, with its ref; "new_fact" for whoever or whatever is not known yet, with "" as fact. kind is such as character, place, object, group.',
  example: {
    shown: "f1: Ann Reed (character)\n[7] Ann took the last boat to Skelly.",
    answer: {
      items: [
        {
          type: "mention",
          fact: "f1",
          name: "Ann",
          kind: "character",
          paragraph: 7,
          quote: "Ann took the last boat",
        },
        {
          type: "new_fact",
          fact: "",
          name: "Skelly",
          kind: "place",
          paragraph: 7,
          quote: "the last boat to Skelly",
        },
      ],
    },
  },
};

const PASSAGE_TOKENS = 1500;
const FACT_TOKENS = 500;
const NAME_CHARACTERS = 200;
/** Confidence of a proposal that only a language model makes: too low to be applied unseen. */
export const MODEL_CONFIDENCE = 0.5;

type Item = (typeof detectItem)["_output"];

/**
 * Proposals of the model, each with the prose that names it; what it cannot show is left out. Throws `ModelFailure`,
 * `no_quotes` if it can show nothing of what it says of any passage.
 */
export async function findProposals(
  model: Model,
  { chapter, book: { cast } }: { chapter: ReadingChapter; book: ReadingBook },
  deadline: Deadline,
): Promise<Walked<Proposal[]>> {
  const known = new Set(cast.flatMap(({ name, aliases }) => [name, ...aliases].map(fold)));
  return await eachPassage(
    paragraphsOf(chapter),
    { passageTokens: PASSAGE_TOKENS, deadline },
    async (passage, part) => {
      const refs = refsOf(cast, passage, FACT_TOKENS);
      const lines = [...refs].map(([ref, fact]) => `${ref}: ${factLine(fact)}`);
      const shown = { passage, known: { heading: "Known facts:", lines } };
      const about = { shown, deadline: part };
      const proposals = await ask(model, QUESTION, about, (item) => verify(item, passage, refs));
      return proposals.filter(({ type, name }) => type === "mention" || !known.has(fold(name)));
    },
  );
}

/** Each proposal once, with all that it occurs in. */
export function joinProposals(proposals: readonly Proposal[]): Proposal[] {
  const joined = new Map<string, Proposal>();
  for (const proposal of proposals) {
    const same = joined.get(proposal.id);
    if (same === undefined) joined.set(proposal.id, { ...proposal, occurrences: [...proposal.occurrences] });
    else addOccurrences(same, proposal.occurrences);
  }
  return [...joined.values()];
}

/** The item as a proposal; undefined if its words are not in the prose or its fact is not one of those sent. */
function verify(item: Item, passage: PromptPassage, refs: FactRefs): Proposal | undefined {
  const quote = locateQuote(passage, item.paragraph, item.quote);
  const span = quote === undefined ? undefined : findName(passage, quote, item.name);
  if (span === undefined || span.text.length > NAME_CHARACTERS) return undefined;
  const { type } = item;
  const fact: ReadingFact | undefined = type === "new_fact" ? undefined : refs.get(item.fact.trim());
  if (type !== "new_fact" && fact === undefined) return undefined;
  const factId = fact?.id ?? null;
  return {
    id: contentId(type, factId, fold(span.text)),
    type,
    factId,
    name: type === "mention" && fact !== undefined ? fact.name : asOneLine(span.text),
    kind: fact?.kind ?? (plainLine(item.kind, 100) || "other"),
    confidence: MODEL_CONFIDENCE,
    reason: "The language model names it here.",
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
