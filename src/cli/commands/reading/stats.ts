import { readStats, type Stats } from "../../../service/books/stats.ts";
import { counted, grouped } from "../../../text/columns.ts";
import { largest } from "../../../text/extremes.ts";
import { resolveBook } from "../../input/resolve.ts";
import { reply } from "../../io/call.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf } from "../../rows/rows.ts";

const WEEKS = 12;

/** Shows how a book comes along: words a day or a week, streak, goal. */
export const COMMANDS: CommandsOf<typeof ROWS, "stats"> = {
  stats: async (call, { book, days, by }) => {
    const manuscript = await call.open();
    const { id } = resolveBook(manuscript, book);
    if (by === "day")
      return await reply(call, readStats(manuscript, id, { days }), (answer) => show(call.terminal, answer));
    const stats = readStats(manuscript, id, { days: days ?? 7 * WEEKS });
    const weeks = weeksOf(stats.days);
    // Without --days the first may be a part of a week.
    const answer = { ...stats, weeks: days === undefined ? weeks.slice(-WEEKS) : weeks };
    await reply(call, answer satisfies CommandAnswer<"stats">, () => show(call.terminal, answer));
  },
};

/** Sums up days by the week, which begins on a Monday; the first and the last may be a part of one. */
function weeksOf(days: Stats["days"]): { date: string; net: number }[] {
  const weeks: { date: string; net: number }[] = [];
  for (const { date, net } of days) {
    const week = weeks.at(-1);
    if (week === undefined || new Date(`${date}T00:00Z`).getUTCDay() === 1) weeks.push({ date, net });
    else week.net += net;
  }
  return weeks;
}

function show(terminal: Terminal, stats: CommandAnswer<"stats">): string {
  const { title, wordCount, chapterCount, chapters, today, weeks } = stats;
  const { net, goal } = today;
  const statuses = Object.entries(chapters).map(([status, count]) => `${grouped(count)} ${status}`);
  return [
    `${styled(terminal, "bold", title)}  ${counted(wordCount, "word")}`,
    ...goalLines(stats),
    `Today ${signed(net)}${goal === null ? "" : ` of ${grouped(goal)}`}`,
    `${counted(stats.streak, "day")} in a row`,
    `${counted(chapterCount, "chapter")}: ${statuses.join(", ")}`,
    "",
    ...(weeks === undefined
      ? chart(terminal, stats.days, goal)
      : chart(terminal, weeks, goal === null ? null : 7 * goal)),
  ].join("\n");
}

function goalLines({ goal, wordCount, average, daysToTarget, days }: Stats): string[] {
  if (goal === null) return [];
  const { targetWords, remainingWords, deadline, wordsPerDay } = goal;
  const share = Math.floor((100 * wordCount) / Math.max(1, targetWords));
  const needed = deadline === null ? "" : `; ${grouped(wordsPerDay ?? 0)} a day to be done by ${deadline}`;
  const pace = daysToTarget === null ? "" : `: ${counted(daysToTarget, "day")} to go at that pace`;
  return [
    `Goal ${counted(targetWords, "word")}, ${share}%, ${grouped(remainingWords)} to go${needed}`,
    `${signed(average)} a day over ${counted(days.length, "day")}${pace}`,
  ];
}

function signed(words: number): string {
  if (words === 0) return "0";
  return words < 0 ? `−${grouped(-words)}` : `+${grouped(words)}`;
}

const CHART_LINES = 5;
/** A character cell filled from below, by eighths. */
const EIGHTHS = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** A column a day or a week, as high as its words; green where it reached its goal. Zero is a dot, less than zero a minus. */
function chart(
  terminal: Terminal,
  columns: readonly { date: string; net: number }[],
  goal: number | null,
): string[] {
  const top = largest([1, goal ?? 0, ...columns.map(({ net }) => net)]);
  const width = grouped(top).length;
  const rows = Array.from({ length: CHART_LINES }, (_, index) => {
    const below = CHART_LINES - 1 - index;
    const cells = columns.map(({ net }) => {
      const cell = cellOf(net, (net / top) * CHART_LINES * 8 - below * 8, below === 0);
      return goal !== null && net >= goal && cell !== " " ? styled(terminal, "green", cell) : cell;
    });
    const label = index === 0 ? grouped(top) : below === 0 ? "0" : "";
    return `${label.padStart(width)} │${cells.join("")}`.trimEnd();
  });
  const [first, last] = [columns[0]?.date ?? "", columns.at(-1)?.date ?? ""];
  return [...rows, `${" ".repeat(width + 2)}${first}${` ${last}`.padStart(columns.length - first.length)}`];
}

function cellOf(net: number, eighths: number, isLowest: boolean): string {
  if (isLowest && net < 0) return "−";
  if (isLowest && net === 0) return "·";
  const filled = Math.round(Math.min(8, Math.max(0, eighths)));
  return EIGHTHS[isLowest && net > 0 ? Math.max(1, filled) : filled] ?? " ";
}
