import type { ReadingBook, ReadingChapter, Span } from "../../reading/reading.ts";
import type { Finding } from "../reader.ts";
import { contentId, plainLine } from "./answer.ts";
import { ask, type Model, type ModelQuestion } from "./ask.ts";
import { MODEL_CONFIDENCE } from "./detect.ts";
import { eachPassage, type Walked } from "./each-passage.ts";
import type { EarlierSentence, EarlierSentences } from "./earlier.ts";
import { isContradiction } from "./judge.ts";
import { type PromptParagraph, type PromptPassage, paragraphsOf } from "./passage.ts";
import { factLine, refsOf } from "./prompt.ts";
import { findProof } from "./quotes.ts";
import type { Deadline } from "./server/request.ts";
import { checkItem } from "./shapes.ts";
import { estimateTokens } from "./tokens.ts";

const QUESTION: ModelQuestion<typeof checkItem> = {
  name: "check",
  list: "findings",
  item: checkItem,
  answerTokens: 1200,
  task: "Find what cannot both be true: between two of these paragraphs, or between a paragraph and what is known or was said before (looks, age, kinship, dates, who is dead, where things are). paragraph is the number of a paragraph, otherParagraph the number of another or of a line that is known. At most 10 findings; an empty list is a good answer. What changes in the story, and what somebody says who lies or errs, is no contradiction.",
  example: {
    shown: "[91] Ann looked at him with her green eyes.\n[7] Ann's brown eyes were tired.",
    answer: {
      findings: [
        {
          paragraph: 7,
          quote: "Ann's brown eyes",
          otherParagraph: 91,
          otherQuote: "with her green eyes",
          message: "Ann's eyes are brown here and were green before.",
        },
      ],
    },
  },
};

const PASSAGE_TOKENS = 1300;
const FACT_TOKENS = 300;
const EARLIER_TOKENS = 500;
// The number and the name before a sentence.
const LABEL_TOKENS = 10;
const MESSAGE_CHARACTERS = 500;

type Item = (typeof checkItem)["_output"];

/** A line that the model is shown: a paragraph, a sentence from elsewhere, or what is known of a fact. */
interface Line extends PromptParagraph {
  /** Null for what the cast says of a fact: it stands in no chapter. */
  chapterId: string | null;
  factId: string | null;
}

/**
 * Findings of the model, each with both of its sides: two quotes, or one and a known fact. With each passage go the cast
 * and what the book has said of those who are named in it; then the model judges each pair by itself. Throws `ModelFailure`.
 */
export async function findFindings(
  model: Model,
  { chapter, book, earlier }: { chapter: ReadingChapter; book: ReadingBook; earlier: EarlierSentences },
  deadline: Deadline,
): Promise<Walked<Finding[]>> {
  const said = await earlier(chapter, book, deadline.signal);
  const first = chapter.blocks.length + 1;
  const titleOf = new Map(book.chapters.map(({ chapterId, title }) => [chapterId, title]));
  const nameOf = new Map(book.cast.map(({ id, name }) => [id, name]));
  return await eachPassage(
    paragraphsOf(chapter),
    { passageTokens: PASSAGE_TOKENS, deadline },
    async (passage, part) => {
      const known = linesKnown(book, said(passage), { passage, first });
      const lines = known.map(({ number, text, chapterId, factId }) => {
        const name = chapterId === null ? undefined : nameOf.get(factId ?? "");
        return `[${number}] ${name === undefined ? "" : `(${name.slice(0, 40)}) `}${text}`;
      });
      const shown = { passage, known: { heading: "Known, and said before:", lines } };
      const all = [
        ...passage.map((one) => ({ ...one, chapterId: chapter.chapterId, factId: null })),
        ...known,
      ];
      const use = (item: Item) => verify(item, passage, all);
      const candidates = await ask(model, QUESTION, { shown, deadline: part }, use);
      const findings: Finding[] = [];
      for (const { finding, sides } of candidates) {
        const named = sides.map((side) => ({ ...side, chapter: titleOf.get(side.line.chapterId ?? "") }));
        if (await isContradiction(model, named, part)) findings.push(finding);
      }
      return findings;
    },
  );
}

/** A finding that the model has proposed, and its two sides. */
interface Candidate {
  finding: Finding;
  sides: readonly { line: Line; span: Span }[];
}

/** Returns the lines that go with a passage, numbered after the chapter's paragraphs: facts, then sentences of the book. */
function linesKnown(
  { cast }: ReadingBook,
  said: readonly EarlierSentence[],
  { passage, first }: { passage: PromptPassage; first: number },
): Line[] {
  const facts = [...refsOf(cast, passage, FACT_TOKENS).values()].map((fact) => {
    return { blockId: "", offset: 0, text: factLine(fact), chapterId: null, factId: fact.id };
  });
  let room = EARLIER_TOKENS;
  const sentences = said.flatMap(({ blockId, from, text, chapterId, factId }) => {
    const tokens = estimateTokens(text) + LABEL_TOKENS;
    if (tokens > room) return [];
    room -= tokens;
    return [{ blockId, offset: from, text, chapterId, factId }];
  });
  return [...facts, ...sentences].map((line, index) => ({ ...line, number: first + index }));
}

/** The item as a finding, not judged yet; undefined if a quote does not stand where it says, or neither side is in the passage. */
function verify(item: Item, passage: PromptPassage, lines: readonly Line[]): Candidate | undefined {
  const message = plainLine(item.message, MESSAGE_CHARACTERS);
  const sides = [
    sideOf(lines, item.paragraph, item.quote),
    sideOf(lines, item.otherParagraph, item.otherQuote),
  ].sort((a, b) => (a?.line.number ?? 0) - (b?.line.number ?? 0)); // what is known has the higher numbers
  const [one, other] = sides;
  if (message === "" || one === undefined || other === undefined) return undefined;
  if (one.line.number > (passage.at(-1)?.number ?? 0) || overlap(one.span, other.span)) return undefined;
  const { factId } = other.line;
  const evidence = [one, other].flatMap(({ span, line: { chapterId } }) =>
    chapterId === null ? [] : [{ chapterId, ...span }],
  );
  const finding: Finding = {
    id: contentId(
      "contradiction",
      factId,
      ...evidence.flatMap(({ blockId, from, to }) => [blockId, from, to]),
    ),
    type: "contradiction",
    // Only a rule that has been measured may call something an error.
    severity: "warn",
    message,
    factId,
    evidence,
    suggestion: null,
    confidence: MODEL_CONFIDENCE,
  };
  return { finding, sides: [one, other] };
}

/** A line and the words of it that a quote shows; what the cast says of a fact needs no quote. */
function sideOf(
  lines: readonly Line[],
  number: number,
  quote: string,
): { line: Line; span: Span } | undefined {
  const line = lines.find((candidate) => candidate.number === number);
  if (line === undefined) return undefined;
  if (line.chapterId === null) return { line, span: { blockId: "", from: 0, to: 0, text: "" } };
  const span = findProof(lines, number, quote);
  return span && { line, span };
}

/** True if two spans share a character. */
export function overlap(one: Span, other: Span): boolean {
  return one.blockId === other.blockId && one.from < other.to && other.from < one.to;
}
