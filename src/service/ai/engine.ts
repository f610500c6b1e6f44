import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { ReadingChapter } from "../../reading/reading.ts";
import { Unavailable } from "../../refusals.ts";
import { answererOf, readLanguageModel } from "../account/language-model.ts";
import type { Manuscript } from "../manuscript.ts";

/** Who answers AI calls now. */
export async function readEngine(manuscript: Manuscript): Promise<LocalAnswer<"engine">> {
  const { store, reader } = manuscript;
  const engine = reader === null ? null : (await answererOf(manuscript, reader)).engine;
  return { engine, llm: readLanguageModel(store) };
}

const MOST_MS = 30_000;

/**
 * Has two sentences of ours put into one by whoever answers AI calls: no prose is sent, nothing is charged or written. A
 * language model may take half a minute. Throws `Unavailable` if nobody answers.
 */
export async function testEngine(
  manuscript: Manuscript,
  gone: AbortSignal | undefined,
): Promise<LocalAnswer<"engineTest">> {
  const { reader, random } = manuscript;
  if (reader === null) throw new Unavailable("No engine is configured for the AI tier.");
  const { assistant, timeoutMs } = await answererOf(manuscript, reader);
  const chapter = probe(Buffer.from(random(4)).readUInt32BE());
  const book = { bookId: "", cast: [], chapters: [{ ...chapter, read: () => chapter }] };
  const start = performance.now();
  const { engine, fallback } = await assistant.synopsis(reader, {
    ...{ chapter, book, gone },
    timeoutMs: Math.min(timeoutMs, MOST_MS),
  });
  const milliseconds = Math.round(performance.now() - start);
  return { engine, ok: fallback === undefined, milliseconds, failure: fallback ?? null };
}

// What was asked once, an assistant remembers: so each probe has a number of its own.
function probe(number: number): ReadingChapter {
  const text = `The ferry left the shore before light. Its keeper rang the bell ${number} times, and nobody answered.`;
  return {
    chapterId: `probe ${number}`,
    revision: 1,
    title: "The Ferry",
    blocks: [{ blockId: "b_probe", text }],
  };
}
