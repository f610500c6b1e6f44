import type { AnswerOf } from "../../../contract/index.ts";
import { BadRequest } from "../../../refusals.ts";
import { readAppearances } from "../../../service/reading/appearances.ts";
import { readLanguage } from "../../../service/reading/language.ts";
import { readPace } from "../../../service/reading/pace.ts";
import { readTimeline } from "../../../service/reading/timeline.ts";
import { alignedLines, counted, oneLine } from "../../../text/columns.ts";
import { resolveBook, resolveChapter } from "../../input/resolve.ts";
import { reply } from "../../io/call.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf } from "../../rows/rows.ts";

type Language = AnswerOf<"readLanguage">;
type Pace = AnswerOf<"readPace">;

/** Prints a report as plain columns; its endpoint's answer with `--json`. */
export const COMMANDS: CommandsOf<typeof ROWS, "report"> = {
  report: async (call, { name, book, chapter, kind }) => {
    if (kind !== undefined && name !== "language") throw new BadRequest("--kind goes with language.");
    if (chapter !== undefined && name !== "language" && name !== "timeline")
      throw new BadRequest("--chapter goes with timeline and language.");
    const manuscript = await call.open();
    const { id } = resolveBook(manuscript, book);
    const chapterId = chapter === undefined ? undefined : resolveChapter(manuscript, chapter, id).id;
    if (name === "timeline") {
      const answer = await readTimeline(manuscript, id, { chapterId });
      await reply(call, answer, () => listed(answer.times.map(rowOfTime), answer.leftOut));
    } else if (name === "appearances") {
      const answer = await readAppearances(manuscript, id);
      await reply(call, answer, () => listed(rowsOfFacts(answer)));
    } else if (name === "language") {
      const answer = await readLanguage(manuscript, id, { chapterId, kind });
      await reply(call, answer, () =>
        kind === undefined
          ? listed(answer.kinds.map(rowOfKind))
          : listed(rowsOfMarks(answer), answer.leftOut),
      );
    } else {
      const answer = await readPace(manuscript, id);
      await reply(call, answer, () => listed([answer, ...answer.chapters].map(rowOfPace), answer.leftOut));
    }
  },
};

function listed(rows: string[][], leftOut = 0): string {
  if (rows.length === 0) return "Nothing was found.";
  return [...alignedLines(rows), ...(leftOut > 0 ? [`and ${leftOut} more`] : [])].join("\n");
}

/** Chapter, day, the sentence from a few letters before the words on; why the day is not known, or differs. */
function rowOfTime(time: AnswerOf<"readTimeline">["times"][number]): string[] {
  const { chapterTitle, value, weekday, time: hour, years, words, from, text, differs, unplaced } = time;
  const start = text.lastIndexOf(" ", Math.max(words.from - from - 12, 0)) + 1;
  const day = [weekday?.slice(0, 3), value && dayInWords(value), hour].filter(Boolean).join(" ");
  return [
    oneLine(chapterTitle, 15),
    years === null ? day || "?" : counted(years, "year"),
    oneLine(`${start === 0 ? "" : "…"}${text.slice(start)}`, 40),
    differs === null ? (unplaced ?? "") : `differs: ${differs}`,
  ];
}

/** A day whose year is not told, in words: "3 May" for --05-03, "May" for --05. */
function dayInWords(value: string): string {
  const [, month, day] = /^--(\d\d)(?:-(\d\d))?$/.exec(value) ?? [];
  if (month === undefined) return value;
  const at = Date.UTC(2000, Number(month) - 1, 1);
  const name = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(at);
  return day === undefined ? name : `${Number(day)} ${name}`;
}

/** Name, how often, in how many chapters, first to last, and who shares the most scenes. */
function rowsOfFacts({ facts, pairs }: AnswerOf<"readAppearances">): string[][] {
  const names = new Map(facts.map(({ id, name }) => [id, name]));
  const partners = (id: string) => {
    const most = pairs.filter(({ factIds }) => factIds.includes(id)).slice(0, 3);
    return most.map(
      ({ factIds: [one, other], scenes }) => `with ${names.get(one === id ? other : one)} ${scenes}×`,
    );
  };
  return [...facts]
    .sort((a, b) => b.total - a.total)
    .map(({ id, name, total, chapters, first, last }) => [
      oneLine(name, 30),
      `${total}×`,
      first === null || last === null
        ? ""
        : `in ${counted(chapters.length, "chapter")}, ${first + 1} to ${last + 1}`,
      partners(id).join(", "),
    ]);
}

/** Kind, how often, how often in 1,000 words, and which words. */
function rowOfKind({ kind, count, perThousand, words }: Language["kinds"][number]): string[] {
  const which = words.map(({ word, count: times }) => `${word} ${times}`).join(", ");
  return [kind, `${count}×`, String(perThousand), oneLine(which, 48)];
}

function rowsOfMarks({ findings, chapters }: Language): string[][] {
  const titles = new Map(chapters.map(({ chapterId, chapterTitle }) => [chapterId, chapterTitle]));
  return findings.map(({ chapterId, word, sentence }) => [
    oneLine(titles.get(chapterId) ?? "", 15),
    oneLine(word, 15),
    oneLine(sentence, 46),
  ]);
}

/** Chapter or the whole, its words, scenes, the share of speech, words a sentence, and how hard it reads. */
function rowOfPace(measured: Pace | Pace["chapters"][number]): string[] {
  const { wordCount, dialogueShare, meanSentence, readability } = measured;
  const isChapter = "scenes" in measured;
  return [
    isChapter ? oneLine(measured.chapterTitle, 28) : "All",
    counted(wordCount, "word"),
    isChapter ? counted(measured.scenes.length, "scene") : "",
    `${Math.round(100 * dialogueShare)}% speech`,
    `${meanSentence} a sentence`,
    readability === null ? "" : `ARI ${readability}`,
  ];
}
