import { readStats, type Stats } from "../../../service/books/stats.ts";
import { counted, grouped } from "../../../text/columns.ts";
import { largest } from "../../../text/extremes.ts";
import { resolveBook } from "../../input/resolve.ts";
import { reply } from "../../io/call.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** Shows how a book comes along: words a day, streak, goal. */
export const COMMANDS: CommandsOf<typeof ROWS, "stats"> = {
  stats: async (call, { book, days }) => {
    const manuscript = await call.open();
    const { id } = resolveBook(manuscript, book);
    await reply(call, readStats(manuscript, id, { days }), (answer) => show(call.terminal, answer));
  },
};

function show(terminal: Terminal, stats: Stats): string {
  const { title, wordCount, chapterCount, chapters, today } = stats;
  const { net, goal } = today;
  const statuses = Object.entries(chapters).map(([status, count]) => `${grouped(count)} ${status}`);
  return [
    `${styled(terminal, "bold", title)}  ${counted(wordCount, "word")}`,
    ...goalLines(stats),
    `Today ${signed(net)}${goal === null ? "" : ` of ${grouped(goal)}`}`,
    `${counted(stats.streak, "day")} in a row`,
    `${counted(chapterCount, "chapter")}: ${statuses.join(", ")}`,
    "",
    ...chart(terminal, stats),
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

/** A column a day, as high as its words; days that reached their goal are green. Zero is a dot, less than zero a minus. */
function chart(terminal: Terminal, { days, today: { goal } }: Stats): string[] {
  const top = largest([1, goal ?? 0, ...days.map(({ net }) => net)]);
  const width = grouped(top).length;
  const rows = Array.from({ length: CHART_LINES }, (_, index) => {
    const below = CHART_LINES - 1 - index;
    const cells = days.map(({ net }) => {
      const cell = cellOf(net, (net / top) * CHART_LINES * 8 - below * 8, below === 0);
      return goal !== null && net >= goal && cell !== " " ? styled(terminal, "green", cell) : cell;
    });
    const label = index === 0 ? grouped(top) : below === 0 ? "0" : "";
    return `${label.padStart(width)} │${cells.join("")}`.trimEnd();
  });
  const [first, last] = [days[0]?.date ?? "", days.at(-1)?.date ?? ""];
  return [...rows, `${" ".repeat(width + 2)}${first}${last.padStart(days.length - first.length)}`];
}

function cellOf(net: number, eighths: number, isLowest: boolean): string {
  if (isLowest && net < 0) return "−";
  if (isLowest && net === 0) return "·";
  const filled = Math.round(Math.min(8, Math.max(0, eighths)));
  return EIGHTHS[isLowest && net > 0 ? Math.max(1, filled) : filled] ?? " ";
}
