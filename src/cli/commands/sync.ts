import { resolve } from "node:path";
import { EXIT } from "../../contract/problems.ts";
import { readBook } from "../../files/read-book.ts";
import { type SyncAnswer, syncFolder } from "../../files/sync.ts";
import { type Call, replyWrite, type WriteOptions, withManuscript } from "../call.ts";
import { showImport, tellConflicts } from "../import-report.ts";
import { resolveBook } from "../resolve.ts";
import { type Terminal, talk } from "../terminal.ts";

interface SyncOptions extends WriteOptions {
  book?: string;
  diff?: boolean;
  exitCode?: boolean;
  force?: "mine" | "theirs";
  yes?: boolean;
}

/** Brings a folder and its book in step, in both directions. */
export async function sync(call: Call, [path]: [string], options: SyncOptions): Promise<void> {
  const { book, dryRun = false, diff = false, exitCode = false, force, yes = false } = options;
  if (exitCode) call.fail(EXIT.usage); // 1 is kept for "something would change"
  await withManuscript(call, async (manuscript) => {
    const files = readBook(resolve(call.terminal.cwd, path), { mayLack: true });
    for (const { file, reason } of files.skipped) await talk(call.terminal, `Left out ${file}: ${reason}.`);
    const answer = await syncFolder(manuscript, files, {
      dryRun,
      diff,
      yes,
      ...(book === undefined ? {} : { bookId: resolveBook(manuscript, book).id }),
      ...(force === undefined ? {} : { force }),
    });
    await replyWrite(call, answer, (done) => show(call.terminal, done));
    const isSame =
      answer.chapters.every(({ status }) => status === "same" || status === "left") &&
      answer.files.every(({ status }) => status === "same" || status === "gone");
    if (exitCode) call.fail(isSame ? EXIT.done : EXIT.failed);
    const conflicts = answer.chapters.filter(({ status }) => status === "conflict");
    if (conflicts.length > 0) await tellConflicts(call, files.folder, { conflicts, isDry: dryRun });
  });
}

const SAID = {
  written: "written",
  gone: "gone from the folder; its chapter stays",
  busy: "saved by somebody meanwhile; left for the next time",
} as const;

function show(terminal: Terminal, answer: SyncAnswer): string {
  const files = answer.files.flatMap(({ file, status }) =>
    status in SAID ? [`${file}: ${SAID[status as keyof typeof SAID]}`] : [],
  );
  return [showImport(terminal, answer), ...files].join("\n");
}
