import type { AnswerOf } from "../../../contract/index.ts";
import { readPace } from "../../../service/reading/pace.ts";
import { alignedLines, counted, oneLine } from "../../../text/columns.ts";
import { resolveWithin } from "../../input/resolve.ts";
import { reply } from "../../io/call.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf } from "../../rows/rows.ts";

type Pace = AnswerOf<"readPace">;

/** Shows how long a book's chapters, scenes and sentences are. */
export const COMMANDS: CommandsOf<typeof ROWS, "pace"> = {
  pace: async (call, { book }) => {
    const manuscript = await call.open();
    const { id, title } = resolveWithin(manuscript, book, undefined);
    await reply(call, await readPace(manuscript, id), (pace) => show(call.terminal, title, pace));
  },
};

const TITLE = 28;

function show(terminal: Terminal, title: string, pace: Pace): string {
  const { wordCount, dialogueShare, sentences, meanSentence, medianSentence, readability, chapters } = pace;
  const rows = chapters.map((chapter) => [
    oneLine(chapter.chapterTitle, TITLE),
    counted(chapter.wordCount, "word"),
    counted(chapter.scenes.length, "scene"),
    `${percent(chapter.dialogueShare)} speech`,
    `${chapter.meanSentence} a sentence`,
  ]);
  const head = `${counted(sentences, "sentence")}: ${meanSentence} words on average, half of them up to ${medianSentence}`;
  return [
    `${styled(terminal, "bold", title)}  ${counted(wordCount, "word")}, ${percent(dialogueShare)} in quotation marks`,
    readability === null ? head : `${head}; readability ${readability} (ARI; higher is harder)`,
    "",
    ...alignedLines(rows, [1, 2, 3, 4]),
  ].join("\n");
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}
