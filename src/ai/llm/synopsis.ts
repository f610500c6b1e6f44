import type { ReadingChapter } from "../../reading/reading.ts";
import { plainLine } from "./answer.ts";
import { ask, type Model, type ModelQuestion } from "./ask.ts";
import { eachPassage, type Missed, type Walked } from "./each-passage.ts";
import { type PromptParagraph, type PromptPassage, paragraphsOf, tokensIn } from "./passage.ts";
import { findProof } from "./quotes.ts";
import { ModelFailure } from "./server/failure.ts";
import type { Deadline } from "./server/request.ts";
import { synopsisItem } from "./shapes.ts";
import { isSupported, upTo } from "./support.ts";

const QUESTION: ModelQuestion<typeof synopsisItem> = {
  name: "synopsis",
  list: "sentences",
  item: synopsisItem,
  answerTokens: 1000,
  task: "Tell what happens in these paragraphs, in their language, in 3 to 8 sentences and 60 to 150 words in all, in the order of events, in the present tense, naming who acts. Say nothing that is not there. Each sentence carries a quote that it rests on.",
  example: {
    shown: "[7] Ann took the last boat to Skelly.",
    answer: {
      sentences: [
        { text: "Ann leaves for Skelly on the last boat.", paragraph: 7, quote: "Ann took the last boat" },
      ],
    },
  },
};

const PASSAGE_TOKENS = 2000;
// A part's share is far below a passage's size, so every round over a long chapter has fewer passages than the last.
const PART_TOKENS = 300;
const WHOLE_TOKENS = 400;
const SENTENCE_CHARACTERS = 600;

/** A synopsis, and which passages are not in it. */
export interface WrittenSynopsis {
  text: string;
  missed: Missed | undefined;
}

/**
 * A synopsis of sentences each of which rests on words that are in the chapter. A chapter that is longer than one passage
 * is told passage by passage, and then its telling is. Throws `ModelFailure`: `no_quotes` if no sentence rests on any,
 * `unsupported` if most are not borne out by the prose.
 */
export async function writeSynopsis(
  model: Model,
  chapter: ReadingChapter,
  deadline: Deadline,
): Promise<WrittenSynopsis> {
  let paragraphs = paragraphsOf(chapter);
  let parts: string[][] = [];
  let missed: Missed | undefined;
  for (;;) {
    const round = await tellEach(model, paragraphs, deadline);
    if (round instanceof ModelFailure) {
      if (parts.length === 0) throw round;
      const share = WHOLE_TOKENS / parts.length;
      missed ??= { passages: 1, of: parts.length + 1, reason: round.reason };
      return { text: parts.flatMap((part) => upTo(part, share)).join(" "), missed };
    }
    parts = round.learnt;
    missed ??= round.missed;
    if (missed !== undefined && missed.passages > missed.of / 2) throw new ModelFailure(missed.reason);
    const told = [...new Set(parts.flat())];
    if (told.length === 0) throw new ModelFailure("no_quotes");
    if (parts.length === 1) return { text: told.join(" "), missed };
    paragraphs = told.map((text, index): PromptParagraph => {
      return { number: index + 1, blockId: `told_${index}`, text, offset: 0 };
    });
  }
}

/** One round: the sentences of each passage, fewer than it had; the failure if none was told. */
async function tellEach(
  model: Model,
  paragraphs: readonly PromptParagraph[],
  deadline: Deadline,
): Promise<Walked<string[]> | ModelFailure> {
  const all = tokensIn(paragraphs);
  try {
    return await eachPassage(
      paragraphs,
      { passageTokens: PASSAGE_TOKENS, deadline },
      async (passage, part) => {
        const tokens = tokensIn(passage);
        return upTo(
          await tell(model, passage, part),
          tokens >= all ? WHOLE_TOKENS : Math.min(PART_TOKENS, tokens / 3),
        );
      },
    );
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
}

/** Returns what the model tells of a passage, each sentence once. */
async function tell(model: Model, passage: PromptPassage, deadline: Deadline): Promise<string[]> {
  const shown = { passage, known: { heading: "", lines: [] } };
  const sentences = await ask(model, QUESTION, { shown, deadline }, ({ text, paragraph, quote }) => {
    const proof = findProof(passage, paragraph, quote);
    const line = plainLine(text, SENTENCE_CHARACTERS);
    if (proof === undefined || line === "") return undefined;
    return { line, isBorneOut: isSupported({ text: line, quote: proof.text }, passage) };
  });
  const borneOut = sentences.filter(({ isBorneOut }) => isBorneOut);
  if (borneOut.length < sentences.length / 2) {
    model.answers.clear(); // asked again it may do better
    throw new ModelFailure("unsupported");
  }
  return [...new Set(borneOut.map(({ line }) => line))];
}
