import type { AnswerOf } from "../../../contract/index.ts";
import { readTimeline } from "../../../service/reading/timeline.ts";
import { counted, oneLine } from "../../../text/columns.ts";
import { append } from "../../../text/extremes.ts";
import { resolveWithin } from "../../input/resolve.ts";
import { reply } from "../../io/call.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf } from "../../rows/rows.ts";

type Timeline = AnswerOf<"readTimeline">;
type Told = Timeline["times"][number];

/** Lists the times that a book tells, or one of its chapters. */
export const COMMANDS: CommandsOf<typeof ROWS, "timeline"> = {
  timeline: async (call, { book, chapter }) => {
    const manuscript = await call.open();
    const { id, title, chapterId } = resolveWithin(manuscript, book, chapter);
    const answer = await readTimeline(manuscript, id, { chapterId });
    await reply(call, answer, (read) => show(call.terminal, title, read));
  },
};

function show(terminal: Terminal, title: string, { times, total, unplaced, leftOut }: Timeline): string {
  if (total === 0) return "The prose tells no time.";
  const lines = [`${styled(terminal, "bold", title)}  ${counted(total, "time")}, ${unplaced} without a day`];
  let last: string | undefined;
  for (const told of times) {
    if (told.chapterId !== last) lines.push("", styled(terminal, "bold", told.chapterTitle));
    last = told.chapterId;
    append(lines, linesOf(told));
  }
  if (leftOut > 0) lines.push("", `${counted(leftOut, "time")} more; --chapter lists those of one chapter.`);
  return lines.join("\n");
}

const LABEL = 21;
const EXCERPT = 80 - LABEL - 2;
/** Shown of the sentence before the words that tell the time. */
const BEFORE = 20;

/** The day and the sentence; what is said in quotation marks has one in front. */
function linesOf(told: Told): string[] {
  const { differs, unplaced, quoted } = told;
  const line = `${quoted ? "“" : " "} ${labelOf(told).padEnd(LABEL)}${excerptOf(told)}`;
  const note = differs === null ? unplaced : `differs: ${differs}`;
  return note === null ? [line] : [line, `${" ".repeat(LABEL + 2)}(${note})`];
}

function labelOf({ value, weekday, time, years, days, unplaced }: Told): string {
  if (years !== null) return counted(years, "year");
  const day = [weekday?.slice(0, 3), value && dayInWords(value)].filter(Boolean).join(" ");
  const count = days === null || unplaced !== null ? "?" : `day ${days < 0 ? `−${-days}` : `+${days}`}`;
  const label = day === "" ? count : day;
  return time === null ? label : `${label} ${time}`.slice(0, LABEL - 1);
}

/** A day whose year is not told, as it is said: "3 May" for --05-03, "May" for --05. */
function dayInWords(value: string): string {
  const [, month, day] = /^--(\d\d)(?:-(\d\d))?$/.exec(value) ?? [];
  if (month === undefined) return value;
  const at = Date.UTC(2000, Number(month) - 1, 1);
  const name = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(at);
  return day === undefined ? name : `${Number(day)} ${name}`;
}

function excerptOf({ text, from, words }: Told): string {
  const start = words.from - from;
  if (start <= BEFORE) return oneLine(text, EXCERPT);
  const blank = text.indexOf(" ", start - BEFORE);
  return oneLine(`…${text.slice(blank < start ? blank + 1 : start)}`, EXCERPT);
}
