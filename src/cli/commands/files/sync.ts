import { basename } from "node:path";
import { EXIT } from "../../../contract/problems.ts";
import { readOwnFolder } from "../../../files/read-path.ts";
import { bookOfFolder, type SyncAnswer, syncFolder } from "../../../files/sync.ts";
import { BadRequest, Refusal } from "../../../refusals.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { sideOf } from "../../../three-way.ts";
import { placeOf } from "../../input/arguments.ts";
import { resolveBook } from "../../input/resolve.ts";
import { type Call, replyWrite } from "../../io/call.ts";
import { type Terminal, talk, untilStopped, withProgress } from "../../io/terminal.ts";
import {
  isAllSame,
  showImport,
  tellConflicts,
  tellKept,
  tellOlder,
  tellSkipped,
} from "../../output/import-report.ts";
import { tellExportedPictures } from "../../output/pictures.ts";
import { inCommands } from "../../output/report.ts";
import type { ROWS } from "../../rows/files.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";
import { inOwnFolder, proposeRead } from "./own-folder.ts";

type SyncOptions = OptionsOf<(typeof ROWS)["sync"]>;

/** Brings a folder and its book in step, in both directions: once, or with `--watch` after every change until stopped. */
export const COMMANDS: CommandsOf<typeof ROWS, "sync"> = {
  sync: async (call, { dir, ...options }) => {
    const folder = placeOf(call, dir, "DIR");
    if (options.exitCode) call.fail(EXIT.usage); // 1 is kept for "something would change"
    const manuscript = await call.open();
    if (options.watch && options.propose)
      throw new BadRequest("--watch would propose the same again and again: leave one of both out.");
    const place = { path: folder, who: "manuscript sync", isDry: call.isDry };
    const run = () =>
      inOwnFolder(call, manuscript, place, () => syncLocked(call, manuscript, folder, options));
    if (!options.watch) return await run();
    if (options.exitCode || call.isDry) {
      throw new BadRequest("--watch goes on until it is stopped: leave --dry-run and --exit-code out.");
    }
    await talk(call.terminal, `Watching ${folder}; stop with Ctrl-C.`);
    const { watchFolder } = await import("../../../files/watch.ts");
    const { lastActSeq } = await import("../../../service/history/acts.ts");
    const version = () => lastActSeq(manuscript);
    await watchFolder({ folder, version }, () => orTell(call, run), untilStopped(call.terminal));
  },
};

async function syncLocked(
  call: Call,
  manuscript: Manuscript,
  folder: string,
  options: SyncOptions,
): Promise<void> {
  const { book, diff = false, exitCode, force, yes = false, delete: isDeleting = false } = options;
  const named = book === undefined ? undefined : resolveBook(manuscript, book).id;
  const read = await readOwnFolder(folder);
  const files = options.adopt
    ? (await import("../../../files/left-out.ts")).withAdopted(
        manuscript,
        read,
        bookOfFolder(manuscript, read, named),
      )
    : read;
  await tellSkipped(call.terminal, files.skipped);
  if (options.propose) {
    const bookId = bookOfFolder(manuscript, files, named);
    return await proposeRead(call, manuscript, files, { bookId, reason: `sync ${basename(folder)}` });
  }
  const answer = await withProgress(call.terminal, "Comparing", (step) =>
    syncFolder(manuscript, files, {
      dryRun: call.isDry,
      diff,
      yes,
      step,
      delete: isDeleting,
      ...(named === undefined ? {} : { bookId: named }),
      force: sideOf(force),
      replacing: { settleMs: call.terminal.settleMs },
    }),
  );
  const isSame = isInStep(answer);
  if (options.watch && isSame) return;
  await replyWrite(call, answer, (done) => show(call.terminal, done, call.isDry));
  await tellExportedPictures(call.terminal, answer.pictures);
  if (exitCode) call.fail(isSame ? EXIT.done : EXIT.failed);
  await tellKept(call.terminal, answer.kept);
  await tellOlder(call.terminal, answer);
  await tellConflicts(call, files.folder, answer);
}

/** A file that cannot be read, or that would lose something, is told of; the next save may mend it. */
async function orTell({ terminal }: Call, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await talk(terminal, inCommands(error));
  }
}

function isInStep(answer: SyncAnswer): boolean {
  const idle = ["same", "gone", "orphaned"];
  return isAllSame(answer) && answer.files.every(({ status }) => idle.includes(status));
}

const SAID = {
  written: "written",
  gone: "gone from the folder; its chapter stays: an export writes the file again, sync --delete deletes the chapter",
  deleted: "gone from the folder; its chapter is deleted, and undo brings it back",
  removed:
    "taken away, because the manuscript has deleted its chapter; undo that, and a sync writes it again",
  busy: "there, and not as it was read: saved meanwhile, or a link or a folder, which are never written through; left for the next time",
} as const;

/** The same of a dry run, where it is another. */
const WOULD_BE: Partial<Record<keyof typeof SAID, string>> = {
  written: "would be written",
  deleted: "gone from the folder; its chapter would be deleted, and undo would bring it back",
  removed:
    "would be taken away, because the manuscript has deleted its chapter; undo that, and a sync writes it again",
};

function show(terminal: Terminal, answer: SyncAnswer, isDry: boolean): string {
  const files = answer.files.flatMap(({ file, chapterId, status }) => {
    if (status === "gone" && chapterId === null)
      return [`${file}: gone from the folder; what was in it stays`];
    const told = status as keyof typeof SAID;
    return status in SAID ? [`${file}: ${(isDry ? WOULD_BE[told] : undefined) ?? SAID[told]}`] : [];
  });
  return [showImport(terminal, answer, isDry), ...files].join("\n");
}
