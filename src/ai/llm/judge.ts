import type { Span } from "../../reading/reading.ts";
import { ask, type Model, type ModelQuestion } from "./ask.ts";
import type { PromptParagraph } from "./passage.ts";
import type { Deadline } from "./server/request.ts";
import { verdictItem } from "./shapes.ts";

/** One side of a pair: the paragraph or line that it stands in, the chapter of that, and its words. */
export interface JudgedSide {
  line: PromptParagraph;
  /** The title; undefined for what the cast says. */
  chapter: string | undefined;
  span: Span;
}

const QUESTION: ModelQuestion<typeof verdictItem> = {
  name: "judge",
  list: "verdicts",
  item: verdictItem,
  answerTokens: 300,
  task: "Judge the two statements that are named first: can both be true in the story? reason says in one or two sentences whom or what each is about, who says it, and what has happened between them. verdict is contradiction if both cannot be true; compatible if they can; change if the story has changed it, as by dye, birthdays or a journey; another_person if they are not about the same one; figure_of_speech for a comparison, a dream, a joke or a lie. In doubt it is compatible. Give one verdict.",
  example: {
    shown:
      "Statements:\n[91] in The Ball: with her green eyes\n[7] in The Morning: Ann's brown eyes\n\nParagraphs:\n[7] Ann's brown eyes were tired.\n[91] Ann looked at him with her green eyes.",
    answer: {
      verdicts: [
        {
          reason:
            "Both are told by the narrator of Ann's own eyes, and eyes do not change their colour overnight.",
          verdict: "contradiction",
        },
      ],
    },
  },
};

/** True if the model, asked of this one pair alone, finds that both cannot be true. Throws `ModelFailure`. */
export async function isContradiction(
  model: Model,
  pair: readonly JudgedSide[],
  deadline: Deadline,
): Promise<boolean> {
  const lines = pair.map(({ line: { number }, chapter, span }) =>
    chapter === undefined ? `[${number}] in the cast` : `[${number}] in ${chapter}: ${span.text}`,
  );
  const byNumber = new Map(pair.map(({ line }) => [line.number, line])); // both may stand in one paragraph
  const passage = [...byNumber.values()].sort((a, b) => a.number - b.number);
  const shown = { passage, known: { heading: "Statements:", lines } };
  const verdicts = await ask(model, QUESTION, { shown, deadline }, ({ verdict }) => verdict);
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === "contradiction");
}
