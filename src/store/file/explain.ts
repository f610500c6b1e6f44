import { dirname } from "node:path";
import { Busy, Damaged, rescuing, Unavailable } from "../../refusals.ts";
import { isBusy, sqliteCode } from "./driver.ts";

type Explanations = readonly [code: RegExp, sentence: (path: string) => string][];

const DAMAGED = /^SQLITE_(NOTADB|CORRUPT)/;
const damaged = (path: string) =>
  `${path} is damaged: SQLite cannot read it. Go back to a copy ("manuscript restore --list" shows which there are), or get out all that is left of it and of its copies. Run: ${rescuing(path)}.`;

/** Codes of SQLite and of the system, and the sentence for each; the first that fits counts. */
const AT_OPENING: Explanations = [
  [DAMAGED, damaged],
  [
    /^(EACCES|EROFS|EPERM|SQLITE_READONLY|SQLITE_CANTOPEN)/,
    (path) => `${path} cannot be written: its folder ${dirname(path)} or the file is read-only.`,
  ],
  [
    /^EBUSY$/,
    (path) =>
      `${path} is open in another program, and Windows lets nobody else move it; stop that, then try again.`,
  ],
  [
    /^EEXIST$/,
    (path) => `${path} cannot be made: a link to nowhere stands there. Remove it, or name another file.`,
  ],
  [/^ENOENT$/, (path) => `${path} cannot be made: the folder ${dirname(path)} does not exist.`],
  [
    /^(SQLITE_FULL|ENOSPC|EDQUOT)/,
    (path) => `${path} cannot be written: its disk is full. Make room and run this again.`,
  ],
  [/^SQLITE_BUSY/, (path) => `${path} is being written by another program; try again.`],
  [/^SQLITE_IOERR/, (path) => `${path} cannot be used: its disk failed. Check it and try again.`],
];

const LATER: Explanations = [
  [DAMAGED, damaged],
  [/^SQLITE_FULL/, () => "The disk is full. Nothing was written; free some space and try again."],
  [/^SQLITE_(READONLY|CANTOPEN)/, () => "The file or its folder is read-only. Nothing was written."],
  [/^SQLITE_IOERR/, () => "The disk failed. Nothing was written; check it and try again."],
];

/** The refusal that an error at opening a file means, or the error itself. */
export function explainOpening(error: unknown, path: string): unknown {
  return explain(error, path, AT_OPENING);
}

/** The refusal that an error of a statement means, or the error itself. */
export function explainFailure(error: unknown, path: string): unknown {
  const code = sqliteCode(error) ?? "";
  if (isBusy(error) || code === "SQLITE_LOCKED") return new Busy();
  if ((error as Error).message === "malformed JSON") return new Damaged("the history");
  return explain(error, path, LATER);
}

function explain(error: unknown, path: string, explanations: Explanations): unknown {
  const code = codeOf(error);
  const found = explanations.find(([pattern]) => pattern.test(code));
  return found === undefined ? error : new Unavailable(found[1](path));
}

/** The code of SQLite or of the system; "" for any other error. */
export function codeOf(error: unknown): string {
  return sqliteCode(error) ?? (error as NodeJS.ErrnoException).code ?? "";
}
