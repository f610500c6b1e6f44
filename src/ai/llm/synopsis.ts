import type { ReadingChapter } from "../../reading/reading.ts";
import { append } from "../../text/extremes.ts";
import { ModelFailure, plainLine } from "./answer.ts";
import { ask, type Model, type ModelQuestion, type Room } from "./ask.ts";
import { estimateTokens, type PromptParagraph, paragraphsOf, passagesOf } from "./passage.ts";
import { findProof } from "./quotes.ts";
import { synopsisShape } from "./shapes.ts";

const QUESTION: ModelQuestion<typeof synopsisShape> = {
  name: "synopsis",
  task: "Tell what happens in these paragraphs, in 3 to 8 sentences and 60 to 150 words in all, in the order of events, in the present tense, naming who acts. Each sentence carries a quote that it rests on.",
  shape: synopsisShape,
};

// A part's share is far below a passage's size, so every round over a long chapter has fewer passages than the last.
const PART_TOKENS = 300;
const WHOLE_TOKENS = 400;
const SENTENCE_CHARACTERS = 600;

/**
 * A synopsis of sentences each of which rests on words that are in the chapter. A chapter that is longer than one passage
 * is told passage by passage, and then its telling is. Throws `ModelFailure`, `no_quotes` if no sentence rests on any.
 */
export async function writeSynopsis(
  model: Model,
  chapter: ReadingChapter,
  { deadline, passageTokens }: Room,
): Promise<string> {
  let paragraphs = paragraphsOf(chapter);
  for (;;) {
    const passages = passagesOf(paragraphs, passageTokens);
    const told: string[] = [];
    for (const passage of passages) {
      const { answer } = await ask(model, QUESTION, { passage, cast: [], deadline });
      const sentences = answer.sentences
        .filter(({ paragraph, quote }) => findProof(passage, paragraph, quote) !== undefined)
        .map(({ text }) => plainLine(text, SENTENCE_CHARACTERS))
        .filter(Boolean);
      append(told, upTo(sentences, passages.length === 1 ? WHOLE_TOKENS : PART_TOKENS));
    }
    if (told.length === 0) {
      model.answers.clear(); // asked again it may do better
      throw new ModelFailure("no_quotes");
    }
    if (passages.length === 1) return told.join(" ");
    paragraphs = told.map(
      (text, index): PromptParagraph => ({ number: index + 1, blockId: `told_${index}`, text }),
    );
  }
}

/** The sentences from the first on that are at most so many tokens together; one that is too long is passed over. */
function upTo(sentences: readonly string[], tokens: number): string[] {
  let room = tokens;
  return sentences.filter((sentence) => {
    const fits = estimateTokens(sentence) <= room;
    if (fits) room -= estimateTokens(sentence);
    return fits;
  });
}
