import { checkText, TEXTS } from "../../../service/field-rules.ts";
import { compareBooks } from "../../../service/history/compare-books.ts";
import {
  createMilestone,
  deleteMilestone,
  listMilestones,
  updateMilestone,
} from "../../../service/history/milestones.ts";
import { restoreBook } from "../../../service/history/restore-book.ts";
import { counted, localTime } from "../../../text/columns.ts";
import { resolveBook } from "../../input/resolve.ts";
import { resolveMilestone, resolvePoint } from "../../input/resolve-milestone.ts";
import { agree } from "../../io/ask.ts";
import { type Call, renamed, reply, replyWrite, talkUnlessJson, would } from "../../io/call.ts";
import { ofRestore, pointInWords, showComparison, totalsInWords } from "../../output/book-comparison.ts";
import { lossesOf } from "../../output/losses.ts";
import { shellWord } from "../../output/shell-word.ts";
import { inColumns } from "../../output/wrapped.ts";
import type { ROWS } from "../../rows/milestones.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** The commands on milestones. */
export const COMMANDS: CommandsOf<typeof ROWS, "milestone"> = {
  "milestone add": async (call, { name, book, act }) => {
    const body = { name: checkText("The name", name, TEXTS.name), ...(act === undefined ? {} : { act }) };
    const manuscript = await call.open();
    const { id } = resolveBook(manuscript, book, "name one with --book");
    const answer = createMilestone(manuscript, id, body, call.caller);
    await replyWrite(call, answer, ({ milestone }) => {
      const size = `${counted(milestone.wordCount, "word")} in ${counted(milestone.chapterCount, "chapter")}`;
      const lead = would(call, "add", `${milestone.id}  `);
      return `${lead}${milestone.name}: ${size}, as of ${localTime(milestone.at)}`;
    });
    await tellOfSameName(call, answer);
  },

  "milestone list": async (call, { book }) => {
    const manuscript = await call.open();
    const { id } = resolveBook(manuscript, book);
    const none = 'No milestones yet; "manuscript milestone add NAME" names the book as it is.';
    await reply(call, listMilestones(manuscript, id), ({ milestones }) => {
      const rows = milestones.map(({ id, name, at, wordCount, chapterCount }, index) => [
        ...[String(index + 1), name, localTime(at)],
        ...[counted(wordCount, "word"), counted(chapterCount, "chapter"), id],
      ]);
      return inColumns(none, rows, [0, 3, 4]);
    });
  },

  "milestone compare": async (call, { from, to, book }) => {
    const manuscript = await call.open();
    const { id } = resolveBook(manuscript, book, "name one with --book");
    const read = (named: string | undefined) => named && resolvePoint(manuscript, id, named);
    const answer = compareBooks(manuscript, id, { from: read(from), to: read(to) });
    await reply(call, answer, (compared) => {
      const until = to === undefined ? "now" : pointInWords(compared.to);
      const head = `${pointInWords(compared.from)} → ${until}`;
      return [
        `${head}: ${totalsInWords(compared) ?? "the book is the same."}`,
        ...showComparison(compared),
      ].join("\n");
    });
    const { words } = answer.totals;
    const first = from ?? answer.from.milestone?.name ?? answer.from.act;
    if (words.added + words.removed === 0 || first === null) return;
    const named = [first, ...(to === undefined ? [] : [to])].map((word) => shellWord(word)).join(" ");
    await talkUnlessJson(call, `A chapter's words: manuscript diff CHAPTER ${named}`);
  },

  "milestone restore": async (call, { moment: wanted, book, yes }) => {
    const manuscript = await call.open();
    const { id, title } = resolveBook(manuscript, book, "name one with --book");
    const to = resolvePoint(manuscript, id, wanted);
    if (!call.isDry && !yes) {
      const tried = restoreBook(manuscript, id, { to }, { ...call.caller, dryRun: true });
      const differs = totalsInWords(tried, ofRestore(true));
      const held = `“${title}” would be as it was at ${pointInWords(tried.to)}: ${differs}; undo brings all of it back.`;
      await agree(call, held, !tried.changed);
    }
    const answer = restoreBook(manuscript, id, { to }, call.caller);
    await replyWrite(call, answer, (done) => {
      const at = pointInWords(done.to);
      if (!done.changed) return `“${title}” is as it was at ${at} already.`;
      const said = ofRestore(call.isDry);
      const { mentionsRestored: mentions } = done;
      const back = mentions === 0 ? [] : [`${counted(mentions, "mention")} ${said.new}`];
      const differs = totalsInWords(done, said) ?? "nothing that a reader sees";
      const head = `“${title}” ${call.isDry ? "would be" : "is"} as it was at ${at}`;
      const told = [differs, ...back, ...lossesOf(done, call.isDry)].join(", ");
      return [`${head}: ${told}`, ...showComparison(done, said)].join("\n");
    });
  },

  "milestone rename": async (call, { milestone: wanted, name, book }) => {
    const body = { name: checkText("The name", name, TEXTS.name) };
    const manuscript = await call.open();
    const before = resolveMilestone(manuscript, wanted, book);
    const answer = updateMilestone(manuscript, before.id, body, call.caller);
    await replyWrite(call, answer, ({ milestone }) =>
      renamed(call, before, { id: milestone.id, title: milestone.name }),
    );
    await tellOfSameName(call, answer);
  },

  "milestone delete": async (call, { milestone: wanted, book }) => {
    const manuscript = await call.open();
    const { id, title } = resolveMilestone(manuscript, wanted, book);
    const answer = deleteMilestone(manuscript, id, call.caller);
    const gone = `${would(call, "delete", "Deleted ")}“${title}”`;
    await replyWrite(call, answer, () => `${gone}: the name alone, the history keeps the book as it was`);
  },
};

async function tellOfSameName(call: Call, { warnings }: { warnings: readonly string[] }): Promise<void> {
  if (warnings.includes("same_name"))
    await talkUnlessJson(call, "Another milestone is called so, too: name either by its id.");
}
