import { doneOf } from "../../../contract/act-words.ts";
import type { holdingOf } from "../../../service/backups/listed.ts";
import { columns, counted, grouped, localTime } from "../../output/columns.ts";
import type { CommandAnswer } from "../../rows/answers.ts";

type Held = Omit<ReturnType<typeof holdingOf>, "format">;

/** Describes what a file holds: "2 books, 81,204 words, last write 2027-01-31 18:30 (wrote)". */
export function heldInWords({ books, words, lastAct }: Held): string {
  const last =
    lastAct === null ? "nothing ever written" : `last write ${localTime(lastAct.at)} (${doneOf(lastAct)})`;
  return `${counted(books, "book")}, ${counted(words, "word")}, ${last}`;
}

/** The copies of a manuscript for a reader, newest first. */
export function showCopies({ file, folder, copies }: CommandAnswer<"backup --list">): string {
  if (copies.length === 0)
    return `No copies of ${file}, neither in ${folder} nor beside it. Make one: manuscript backup`;
  const KIB = 1024;
  const rows = copies.map(({ at, kind, bytes, path }) => [
    localTime(at),
    kind,
    `${grouped(Math.ceil(bytes / KIB))} KiB`,
    path,
  ]);
  return columns(rows, [2]);
}
