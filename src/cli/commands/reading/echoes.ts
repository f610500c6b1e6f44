import type { AnswerOf } from "../../../contract/index.ts";
import { readStyle } from "../../../service/reading/style.ts";
import { alignedLines, counted, grouped, oneLine } from "../../../text/columns.ts";
import { resolveWithin } from "../../input/resolve.ts";
import { reply } from "../../io/call.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf } from "../../rows/rows.ts";

type Style = AnswerOf<"readStyle">;

/** Shows what a book repeats, overuses and writes in two ways, or one of its chapters. */
export const COMMANDS: CommandsOf<typeof ROWS, "echoes"> = {
  echoes: async (call, { book, chapter }) => {
    const manuscript = await call.open();
    const { id, title, chapterId } = resolveWithin(manuscript, book, chapter);
    const answer = await readStyle(manuscript, id, { chapterId });
    await reply(call, answer, (style) => show(call.terminal, title, style));
  },
};

const WIDTH = 80;
/** Of each list; with --json all of it. */
const SHOWN = 20;
const TITLE = 30;

type Rows = readonly (readonly string[])[];

function show(terminal: Terminal, title: string, style: Style): string {
  const { wordCount, dialogueShare, sentences } = style;
  const lines = [
    `${styled(terminal, "bold", title)}  ${counted(wordCount, "word")}, ${percent(dialogueShare)} in quotation marks`,
    `${counted(sentences.total, "sentence")}: ${sentences.mean} words on average, half of them up to ${sentences.median}`,
  ];
  for (const [heading, rows, right] of [...repeatedIn(style), ...builtOf(style)]) {
    if (rows.length === 0) continue;
    const shown = alignedLines(rows.slice(0, SHOWN), right).map((line) => `  ${cut(line)}`);
    lines.push("", styled(terminal, "bold", heading), shown.join("\n"));
  }
  return lines.join("\n");
}

type Section = readonly [heading: string, rows: Rows, right?: readonly number[]];

function repeatedIn({ chapters, phrases, echoes: near, overused, variants }: Style): Section[] {
  const titles = new Map(chapters.map(({ chapterId, chapterTitle }) => [chapterId, chapterTitle]));
  const where = (place: { chapterId: string } | undefined) =>
    oneLine(titles.get(place?.chapterId ?? "") ?? "", TITLE);
  return [
    ["Phrases", phrases.map(({ text, count, places }) => [`${count}×`, text, where(places[0])])],
    [
      "Echoes",
      near.map(({ word, count, nearest, places }) => [
        `${count}×`,
        word,
        `${nearest} apart`,
        where(places[0]),
      ]),
    ],
    [
      "Overused",
      overused.map(({ word, count, expected, ...place }) => [
        `${count}×`,
        word,
        `for ${expected}`,
        where(place),
      ]),
    ],
    [
      "Written in several ways",
      variants.map(({ forms }) => [forms.map(({ text, count }) => `${text} ${grouped(count)}×`).join(", ")]),
    ],
  ];
}

function builtOf({ openings: { sentences, paragraphs }, chapters }: Style): Section[] {
  return [
    ["Sentences begin with", wordsOf(sentences.most)],
    ["Paragraphs begin with", wordsOf(paragraphs.most)],
    [
      "Chapters",
      chapters.map(({ chapterTitle, wordCount, scenes, dialogueShare, meanSentence }) => [
        oneLine(chapterTitle, TITLE),
        counted(wordCount, "word"),
        counted(scenes.length, "scene"),
        `${percent(dialogueShare)} speech`,
        `${meanSentence} a sentence`,
      ]),
      [1, 2, 3, 4],
    ],
  ];
}

function wordsOf(most: readonly { word: string; count: number }[]): Rows {
  return most.length === 0 ? [] : [[most.map(({ word, count }) => `${word} ${grouped(count)}×`).join(", ")]];
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}

/** A line with its columns, cut at the width. */
function cut(line: string): string {
  return line.length <= WIDTH - 2
    ? line
    : `${line
        .slice(0, WIDTH - 3)
        .toWellFormed()
        .trimEnd()}…`;
}
