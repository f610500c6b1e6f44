import { BadRequest } from "../../../refusals.ts";
import { type ReplaceAnswer, replacedProse, replaceInBook } from "../../../service/prose/replace-text.ts";
import { proposeProse } from "../../../service/review/propose-prose.ts";
import { counted } from "../../../text/columns.ts";
import { bookAndWords, resolveChapter } from "../../input/resolve.ts";
import { reply, takeBack, talkUnlessJson } from "../../io/call.ts";
import type { Terminal } from "../../io/terminal.ts";
import { replyProposed } from "../../output/proposals.ts";
import { showReplaced } from "../../output/word-diff.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/writing.ts";

/** Replaces words in a book's prose: shows what it would do, and does it with `--apply`. */
export const COMMANDS: CommandsOf<typeof ROWS, "replace"> = {
  replace: async (call, { words, regex, matchCase, apply, propose, ...options }) => {
    if (apply && propose) throw new BadRequest("Give --apply or --propose, not both.");
    const manuscript = await call.open();
    const { book, words: asked } = bookAndWords(manuscript, words, { ...options, least: 2, most: 2 });
    const [find, text, ...others] = asked;
    if (find === undefined || text === undefined || others.length > 0)
      throw new BadRequest(
        `Give what to find and what to put there: two words or two quoted phrases, got ${asked.length}.`,
      );
    const chapters = new Set(options.in?.map((chapter) => resolveChapter(manuscript, chapter, book.id).id));
    const only = options.in && [...chapters].map((chapterId) => ({ chapterId }));
    const request = { find, with: text, regex, matchCase, only };
    if (propose) {
      let skipped = 0;
      const read = () => {
        const replaced = replacedProse(manuscript, book.id, request);
        skipped = replaced.skipped;
        return replaced.chapters;
      };
      const reason = `replace "${find}" by "${text}"`;
      const done = proposeProse(manuscript, read, { source: "cli", reason });
      return await replyProposed(call, done, leftAlone(skipped));
    }
    const answer = replaceInBook(manuscript, book.id, request, { source: "cli", dryRun: !apply });
    await reply(call, answer, (done) => show(call.terminal, done));
    await talkUnlessJson(call, ...notes(answer));
  },
};

function show(terminal: Terminal, { replaced, chapters }: ReplaceAnswer): string {
  if (replaced === 0) return "Nothing to replace.";
  const sum = `${counted(replaced, "replacement")} in ${counted(chapters.length, "chapter")}`;
  return `${showReplaced(terminal, chapters)}\n${sum}`;
}

function notes({ replaced, skipped, chapters, act }: ReplaceAnswer): string[] {
  const dropped = chapters.flatMap(({ mentionsDropped }) => mentionsDropped).length;
  const lost = `${counted(dropped, "mention")} ${act === null ? "would be " : ""}dropped`;
  const told = [
    ...leftAlone(skipped),
    ...(dropped === 0 ? [] : [`${lost}: replaced text stands for no fact.`]),
  ];
  if (replaced === 0) return told;
  if (act === null) return [...told, "Dry run: nothing was written; --apply writes it."];
  return [...told, takeBack({ isDry: false }, { act })];
}

function leftAlone(skipped: number): string[] {
  return skipped === 0 ? [] : [`${counted(skipped, "find")} in code, tables, HTML or addresses left alone.`];
}
