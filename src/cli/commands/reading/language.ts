import type { AnswerOf } from "../../../contract/index.ts";
import { NotFound } from "../../../refusals.ts";
import { dismissFindings } from "../../../service/ai/check.ts";
import { readLanguage } from "../../../service/reading/language.ts";
import { alignedLines, counted, oneLine } from "../../../text/columns.ts";
import { resolveWithin } from "../../input/resolve.ts";
import { reply, replyWrite, would } from "../../io/call.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf } from "../../rows/rows.ts";

type Language = AnswerOf<"readLanguage">;
type Kind = Language["kinds"][number]["kind"];

/** Shows what a line editor would mark in a book or a chapter, and dismisses what is named. */
export const COMMANDS: CommandsOf<typeof ROWS, "language"> = {
  language: async (call, { book, chapter, kind, dismiss = [] }) => {
    const manuscript = await call.open();
    const { id, title, chapterId } = resolveWithin(manuscript, book, chapter);
    const asked = { chapterId, kind: kind as Kind | undefined };
    const answer = await readLanguage(manuscript, id, asked);
    if (dismiss.length === 0) {
      const show = kind === undefined ? showKinds : showPlaces;
      await reply(call, answer, (read) => show(call.terminal, title, read));
      return;
    }
    const ids = dismiss.map((named) => idOf(answer, named));
    const { dismissed, act } = dismissFindings(manuscript, id, ids, call.caller);
    const left = await readLanguage(manuscript, id, { ...asked, without: dismissed });
    const done = `${would(call, "dismiss", "Dismissed ")}${dismissed.join(", ")}.`;
    await replyWrite(call, { ...left, dismissed, act }, () => done);
  },
};

/** The id of a place, a kind, or a kind and a word: what is not marked cannot be dismissed. */
function idOf({ kinds, findings }: Language, named: string): string {
  const ids = kinds.flatMap(({ kind, id, words }) => [
    [kind, id],
    ...words.map((word) => [`${kind} ${word.word}`, word.id]),
  ]);
  const known = new Map([...ids, ...findings.map(({ id }) => [id, id])] as [string, string][]);
  const id = known.get(named) ?? [...known.values()].find((one) => one === named);
  if (id === undefined) throw new NotFound(`mark: ${named}`);
  return id;
}

const NOTHING = "Nothing is marked.";
const WORDS = 48;

function showKinds(terminal: Terminal, title: string, { wordCount, kinds, chapters }: Language): string {
  if (kinds.length === 0) return NOTHING;
  const rows = kinds.map(({ kind, count, perThousand, words }) => [
    kind,
    `${count}×`,
    String(perThousand),
    oneLine(words.map(({ word, count: times }) => `${word} ${times}`).join(", "), WORDS),
  ]);
  const thick = [...chapters].sort((one, other) => other.perThousand - one.perThousand).slice(0, 3);
  return [
    `${styled(terminal, "bold", title)}  ${counted(wordCount, "word")}; how often, in 1,000 words, and which`,
    ...alignedLines(rows, [1, 2]),
    "",
    `Most of it in ${thick.map(({ chapterTitle, perThousand }) => `${oneLine(chapterTitle, 30)} (${perThousand})`).join(", ")}.`,
    "`--kind` lists the places of one; `--dismiss` says which never to mark again.",
  ].join("\n");
}

function showPlaces(terminal: Terminal, title: string, { findings, chapters, leftOut }: Language): string {
  if (findings.length === 0) return NOTHING;
  const titles = new Map(chapters.map(({ chapterId, chapterTitle }) => [chapterId, chapterTitle]));
  const lines = [styled(terminal, "bold", title)];
  let last: string | undefined;
  for (const { id, word, chapterId, sentence, highlights } of findings) {
    if (chapterId !== last) lines.push("", styled(terminal, "bold", titles.get(chapterId) ?? ""));
    last = chapterId;
    lines.push(`${word}  ${id}`, `  ${excerpt(sentence, highlights[0]?.[0] ?? 0)}`);
  }
  if (leftOut > 0) lines.push("", `${counted(leftOut, "place")} more; --chapter lists those of one chapter.`);
  return lines.join("\n");
}

const WIDTH = 76;

/** The part of a sentence around an offset. */
function excerpt(sentence: string, at: number): string {
  if (at < WIDTH / 2) return oneLine(sentence, WIDTH);
  const blank = sentence.indexOf(" ", at - WIDTH / 2);
  return oneLine(`…${sentence.slice(blank + 1)}`, WIDTH);
}
