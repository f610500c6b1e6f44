import type { AnswerOf } from "../../../contract/index.ts";
import { readAppearances } from "../../../service/reading/appearances.ts";
import { alignedLines, counted, oneLine } from "../../../text/columns.ts";
import { resolveBook } from "../../input/resolve.ts";
import { reply } from "../../io/call.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf } from "../../rows/rows.ts";

type Appearances = AnswerOf<"readAppearances">;

const PAIRS = 20;

/** Shows who appears where, and with whom. */
export const COMMANDS: CommandsOf<typeof ROWS, "appearances"> = {
  appearances: async (call, { book }) => {
    const manuscript = await call.open();
    const answer = await readAppearances(manuscript, resolveBook(manuscript, book).id);
    await reply(call, answer, (shown) => show(call.terminal, shown));
  },
};

function show(terminal: Terminal, answer: Appearances): string {
  const { facts, scenesBy } = answer;
  if (facts.length === 0)
    return 'No facts yet: "manuscript facts add", or "manuscript detect --all", makes the cast.';
  const named = facts.filter(({ total }) => total > 0).sort((a, b) => b.total - a.total);
  const unseen = facts.filter(({ total }) => total === 0).map(({ name }) => name);
  const scenes = scenesBy === "breaks" ? "Scenes" : "Scenes (no scene breaks: each chapter is one)";
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", styled(terminal, "bold", title), ...lines.map((line) => `  ${line}`)];
  return [
    ...part(
      "Chapters",
      alignedLines(
        named.map((fact) => chaptersOf(fact)),
        [1],
      ),
    ),
    ...part(`${scenes} shared`, pairsOf(answer)),
    ...(unseen.length === 0 ? [] : ["", `Named nowhere: ${unseen.join(", ")}`]),
  ]
    .slice(1)
    .join("\n");
}

function chaptersOf({ name, total, chapters, gaps }: Appearances["facts"][number]): string[] {
  const [first, last] = [chapters[0]?.[0] ?? 0, chapters.at(-1)?.[0] ?? 0];
  const absent = gaps.map(([from, to]) => (from === to ? `${from + 1}` : `${from + 1}–${to + 1}`));
  return [
    oneLine(name, 30),
    `${total}×`,
    `in ${counted(chapters.length, "chapter")}`,
    first === last ? `${first + 1}` : `${first + 1}–${last + 1}`,
    absent.length === 0 ? "" : `not in ${absent.join(", ")}`,
  ];
}

function pairsOf({ pairs, facts, pairsLeftOut }: Appearances): string[] {
  const names = new Map(facts.map(({ id, name }) => [id, name]));
  const rows = pairs
    .slice(0, PAIRS)
    .map(({ factIds, scenes }) => [String(scenes), factIds.map((id) => names.get(id) ?? id).join(" and ")]);
  const more = pairs.length - rows.length + pairsLeftOut;
  return [...alignedLines(rows, [0]), ...(more > 0 ? [`and ${counted(more, "pair")} more`] : [])];
}
