import { type Comparison, compareRevisions } from "../../../service/prose/compare-revisions.ts";
import { counted } from "../../../text/columns.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { resolvePoint } from "../../input/resolve-milestone.ts";
import { reply } from "../../io/call.ts";
import type { Terminal } from "../../io/terminal.ts";
import { showDiff } from "../../output/word-diff.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** Shows what changed between two revisions of a chapter, or two moments of its book, word by word. */
export const COMMANDS: CommandsOf<typeof ROWS, "diff"> = {
  diff: async (call, { chapter, from, to, book }) => {
    const manuscript = await call.open();
    const { id, bookId } = resolveChapter(manuscript, chapter, book);
    const read = (named: string | number | undefined) =>
      typeof named === "string" ? resolvePoint(manuscript, bookId, named) : named;
    const range = { from: read(from), to: read(to) };
    await reply(call, compareRevisions(manuscript, id, range), (found) => show(call.terminal, found));
  },
};

function show(terminal: Terminal, { title, from, to, words, paragraphs }: Comparison): string {
  const head = `${title}, revision ${from} → ${to}: ${counted(words.added, "word")} added, ${counted(words.removed, "word")} removed`;
  if (paragraphs.length === 0) return `${head}; the text is the same.`;
  const blocks = paragraphs.map(
    ({ blockId, status, changes }) => `${blockId}  ${status}\n${showDiff(terminal, changes)}`,
  );
  return [head, ...blocks].join("\n\n");
}
