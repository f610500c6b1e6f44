import { doneOf } from "../../../contract/act-words.ts";
import { BadRequest } from "../../../refusals.ts";
import { backUp } from "../../../service/backups/backup.ts";
import { copiesOf, holdingOf, listed } from "../../../service/backups/listed.ts";
import { columns, counted, grouped, localTime } from "../../../text/columns.ts";
import { placeOf } from "../../input/arguments.ts";
import { copiedFile, theManuscriptFile } from "../../input/manuscript-file.ts";
import { type Call, reply, talkUnlessJson } from "../../io/call.ts";
import { bytesOf, withProgress } from "../../io/terminal.ts";
import { shellWord } from "../../output/shell-word.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ROWS } from "../../rows/files.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** Makes a whole, verified copy of the manuscript's file, or lists those that there are. */
export const COMMANDS: CommandsOf<typeof ROWS, "backup"> = {
  backup: async (call, { to, rotate, list }) => {
    const folder = to === undefined ? undefined : placeOf(call, to, "--to");
    if (list) {
      if (rotate) throw new BadRequest("--list makes no copy; leave out --rotate.");
      return await listBackups(call, folder);
    }
    const file = theManuscriptFile(call);
    const options = { folder, rotates: rotate ?? false, at: Date.now() };
    const { path, bytes, holding, isNew } = await withProgress(
      call.terminal,
      "Copying",
      async (step) => backUp(file, { ...options, step }),
      bytesOf(file),
    );
    const answer: CommandAnswer<"backup"> = { file, copy: path, bytes, isNew, ...holdingOf(holding) };
    await reply(call, answer, ({ copy }) =>
      isNew ? `${copy}: ${heldInWords(answer)}` : `${copy} holds everything already.`,
    );
    if (isNew) await talkUnlessJson(call, `Back to it with: manuscript restore ${shellWord(path)}`);
  },
};

/** Lists the copies of a manuscript, which need not be there itself. */
export async function listBackups(call: Call, folder: string | undefined): Promise<void> {
  const file = copiedFile(call);
  const found = copiesOf(file, folder);
  await reply(call, listed(file, found.folder, found.copies), showCopies);
}

type Held = Omit<ReturnType<typeof holdingOf>, "format">;

/** Describes what a file holds: "2 books, 81,204 words, last write 2027-01-31 18:30 (wrote)". */
export function heldInWords({ books, words, lastAct }: Held): string {
  const last =
    lastAct === null ? "nothing ever written" : `last write ${localTime(lastAct.at)} (${doneOf(lastAct)})`;
  return `${counted(books, "book")}, ${counted(words, "word")}, ${last}`;
}

type Gap = Pick<CommandAnswer<"restore FILE">, "savesBehind" | "savesAhead">;

/** Describes how a copy's history stands to the file's: "is 12 saves older than the file"; undefined if that is not known. */
export function gapInWords({ savesBehind: behind, savesAhead: ahead }: Gap): string | undefined {
  if (behind === null || ahead === null) return undefined;
  if (behind > 0 && ahead > 0)
    return `has another history: it lacks ${counted(behind, "save")} of the file, and the file lacks ${ahead} of its own`;
  if (behind > 0) return `is ${counted(behind, "save")} older than the file`;
  return ahead > 0 ? `is ${counted(ahead, "save")} newer than the file` : "has every save of the file";
}

function standingOf({ lastAct, ...gap }: CommandAnswer<"backup --list">["copies"][number]): string {
  const words = gapInWords(gap)?.replace(/^\w+ |:.*| (than|of) the file/g, "");
  return (
    words ??
    (lastAct === null ? "cannot be read (see restore --dry-run)" : `last write ${localTime(lastAct.at)}`)
  );
}

/** The copies of a manuscript for a reader, newest first. */
export function showCopies({ file, folder, copies }: CommandAnswer<"backup --list">): string {
  if (copies.length === 0)
    return `No copies of ${file}, neither in ${folder} nor beside it. Make one: manuscript backup`;
  const KIB = 1024;
  const rows = copies.map((copy) => [
    localTime(copy.at),
    copy.kind,
    `${grouped(Math.ceil(copy.bytes / KIB))} KiB`,
    standingOf(copy),
    copy.path,
  ]);
  return columns(rows, [2]);
}
