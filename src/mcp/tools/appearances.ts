import type { AnswerOf } from "../../contract/index.ts";
import { readAppearances } from "../../service/reading/appearances.ts";
import { counted } from "../../text/columns.ts";
import { fenced, moreOf, pageOf } from "../answers/answer.ts";
import { findBookNamed, findChapterNamed } from "../answers/names.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

type Appearances = AnswerOf<"readAppearances">;

/** Who and what of the story map is named where, by chapter, or in one chapter; the most named first. */
export async function answerAppearances(
  { manuscript }: ToolAsking,
  { chapter, book, ...part }: ToolInput<"appearances">,
): Promise<string> {
  const only = chapter === undefined ? undefined : findChapterNamed(manuscript, chapter, book);
  const bookId = only?.bookId ?? findBookNamed(manuscript, book).id;
  const { facts, chapters } = await readAppearances(manuscript, bookId);
  if (facts.length === 0) return "The story map is empty.";
  const at = only && chapters.findIndex(({ id }) => id === only.id);
  const named = facts
    .map((fact) => ({ ...fact, count: at === undefined ? fact.total : countIn(fact, at) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const page = pageOf(named, part, ({ name, id, kind, count, ...fact }) => {
    const where = at === undefined ? `, chapters ${rangesOf(fact)}` : "";
    return `${name} (${id}) ${kind}: ${count}×${where}`;
  });
  const head = `${counted(named.length, "fact")} of ${facts.length} named${only === undefined ? "" : ` in ${only.id}`}, the most named first.`;
  return `${head}${moreOf(page)}\n${fenced(page.lines)}`;
}

function countIn({ chapters }: Pick<Appearances["facts"][number], "chapters">, at: number): number {
  return chapters.find(([chapter]) => chapter === at)?.[1] ?? 0;
}

/** The chapters that name it: "1–3, 7". */
function rangesOf({ chapters }: Pick<Appearances["facts"][number], "chapters">): string {
  const ranges: [number, number][] = [];
  for (const [chapter] of chapters) {
    const last = ranges.at(-1);
    if (last?.[1] === chapter) last[1] = chapter + 1;
    else ranges.push([chapter + 1, chapter + 1]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}
