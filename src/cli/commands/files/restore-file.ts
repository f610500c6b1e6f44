import { existsSync, rmSync, statSync } from "node:fs";
import { dirname, extname, isAbsolute, join } from "node:path";
import { BadRequest, NotFound } from "../../../refusals.ts";
import { copiesOf, gapOf, holdingOf, newestOf, type WrittenCopy } from "../../../service/backups/listed.ts";
import { type Restored, restoreCopy } from "../../../service/backups/restore.ts";
import { localTime } from "../../../text/columns.ts";
import { placeOf } from "../../input/arguments.ts";
import { copiedFile } from "../../input/manuscript-file.ts";
import { agree } from "../../io/ask.ts";
import { type Call, DRY, reply, talkUnlessJson } from "../../io/call.ts";
import { shellWord } from "../../output/shell-word.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { OptionsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/writing.ts";
import { gapInWords, heldInWords, listBackups } from "./backup.ts";

/** Puts a copy in the place of the manuscript's file, the newest if none is named; or lists the copies. */
export async function restoreFile(
  call: Call,
  wanted: string | undefined,
  { list, from, yes = false }: OptionsOf<(typeof ROWS)["restore"]>,
): Promise<void> {
  const folder = from === undefined ? undefined : placeOf(call, from, "--from");
  if (list) {
    if (wanted !== undefined) throw new BadRequest("--list shows the copies that there are; name none.");
    return await listBackups(call, folder);
  }
  const file = copiedFile(call);
  const found = wanted === undefined ? newest(file, folder) : undefined;
  const copy = found?.path ?? namedCopy(call, String(wanted), copiesOf(file, folder).folder);
  const { isDry: dryRun } = call;
  if (found !== undefined && !dryRun) await agree(call, question(file, found), yes);
  const restored =
    extname(copy) === ".json" ? await fromBundle(file, copy, dryRun) : restoreFrom(file, copy, dryRun);
  await tell(call, { file, copy }, restored);
}

function restoreFrom(file: string, copy: string, dryRun: boolean): Restored {
  return restoreCopy(file, copy, { at: Date.now(), dryRun });
}

/** The copy with the newest writing. Throws `NotFound` without one. */
function newest(file: string, folder: string | undefined): WrittenCopy {
  const { copies, folder: own } = copiesOf(file, folder);
  const found = newestOf(file, copies);
  if (found !== undefined) return found;
  const beside =
    copies.length === 0
      ? ""
      : '; "manuscript restore --list" shows those made before a restore or an upgrade';
  throw new NotFound(`copy of ${file} in ${own}${beside}`);
}

/** A copy by its path, or by its name in the folder of copies. Throws `NotFound`, and `BadRequest` for what names a chapter. */
function namedCopy(call: Call, wanted: string, folder: string): string {
  const path = placeOf(call, wanted, "FILE");
  const inFolder = join(folder, wanted);
  const isFile = (name: string) => statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
  if (isFile(path)) return path;
  if (!isAbsolute(wanted) && isFile(inFolder)) return inFolder;
  if (/[/\\.]/.test(wanted))
    throw new NotFound(`copy at ${path}; "manuscript restore --list" names those that there are`);
  const chapter = shellWord(wanted);
  throw new BadRequest(
    `"${wanted}" is no file. For a chapter name the revision too: manuscript restore ${chapter} REVISION, as "manuscript history ${chapter}" lists them; for the whole manuscript name a copy: "manuscript restore --list" shows them.`,
  );
}

function question(file: string, { path, at, last, gap }: WrittenCopy): string {
  const time = localTime(new Date(last?.at ?? at).toISOString());
  const words = gapInWords(gapOf(gap));
  return `The whole manuscript ${file} goes back to its newest copy, ${path} of ${time}${words === undefined ? "" : ` (it ${words})`}; the file of today is kept beside it.`;
}

/** Restores what a bundle holds, by way of a manuscript made of it. */
async function fromBundle(file: string, bundle: string, dryRun: boolean): Promise<Restored> {
  const { readBundleFile } = await import("../../../files/bundle.ts");
  const { bundleShape, loadBundle } = await import("../../../service/interchange/bundle.ts");
  const { openManuscript } = await import("../../../service/manuscript.ts");
  const made = join(dirname(existsSync(file) ? file : bundle), `.manuscript-${process.pid}-from-bundle.part`);
  try {
    const manuscript = openManuscript(made, { create: true });
    try {
      loadBundle(manuscript, readBundleFile(bundle, bundleShape(manuscript)), { dryRun: false });
    } finally {
      manuscript.close();
    }
    return restoreFrom(file, made, dryRun);
  } finally {
    for (const ending of ["", "-wal", "-shm"]) rmSync(made + ending, { force: true });
  }
}

const WHY: Record<NonNullable<Restored["without"]>, (file: string) => string> = {
  "another's log": (file) =>
    `The log ${file}-wal was not written for ${file} but for another file, as when a copy was put in its place.`,
  "its log": (file) => `The log ${file}-wal, which held the newest saves, is gone or empty.`,
  "the end of its log": (file) => `The log ${file}-wal, which holds the newest saves, is damaged or cut off.`,
};

async function tell(
  call: Call,
  { file, copy }: { file: string; copy: string },
  { holding, before, gap, aside, without, found }: Restored,
): Promise<void> {
  const { isDry: dryRun } = call;
  const answer: CommandAnswer<"restore FILE"> = {
    file,
    copy,
    written: !dryRun,
    ...holdingOf(holding),
    ...gapOf(gap),
    before: before === undefined ? null : holdingOf(before),
    aside,
  };
  await reply(call, answer, () => {
    if (without !== undefined)
      return `${WHY[without](file)} ${file} ${dryRun ? "would go" : "goes"} on without ${without === "the end of its log" ? "what cannot be read of it" : "it"}, and holds ${heldInWords(answer)}`;
    if (found !== undefined)
      return `The newest saves of ${file} were in ${found}, where it was moved away from. ${file} ${dryRun ? "would have" : "has"} them, and ${dryRun ? "would hold" : "holds"} ${heldInWords(answer)}`;
    const until =
      answer.before === null
        ? ""
        : `\nUntil now it ${dryRun ? "holds" : "held"} ${heldInWords(answer.before)}${gapLine(answer)}`;
    return `${file} ${dryRun ? "would be" : "is"} what ${copy} holds: ${heldInWords(answer)}${until}`;
  });
  const lines = [
    ...(dryRun ? [DRY] : extname(copy) === ".json" ? [NO_KEYS] : []),
    ...(aside === null ? [] : [whereIs(aside, without)]),
  ];
  await talkUnlessJson(call, ...lines);
}

/** How the copy stands to the file of until now, as a line; when that was saved last only if the clocks were sane. */
function gapLine({ lastAct, before, ...gap }: CommandAnswer<"restore FILE">): string {
  const words = gapInWords(gap);
  if (words === undefined) return "";
  const until = before?.lastAct?.at;
  const isSane = until !== undefined && until >= (lastAct?.at ?? "") && until <= new Date().toISOString();
  return `\nThe copy ${words}${isSane && gap.savesBehind !== 0 && gap.savesAhead === 0 ? `, the last at ${localTime(until)}` : ""}`;
}

const NO_KEYS =
  'A bundle has no keys and no credits: make new ones with "manuscript key create" and "manuscript account set".';

/** Says where the file is that was in the copy's place. */
function whereIs(aside: string, without: Restored["without"]): string {
  if (without === undefined)
    return `The file of until now is ${aside}; back to it with: manuscript restore ${shellWord(aside)}`;
  return without === "its log"
    ? `The file as it was found is kept, too: ${aside}`
    : `That log is kept: ${aside}-wal, beside ${aside}, the file as it was found.`;
}
