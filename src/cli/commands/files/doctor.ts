import { EXIT } from "../../../contract/problems.ts";
import { withMissingPictures } from "../../../files/pictures.ts";
import { rescuing } from "../../../refusals.ts";
import { type Check, type Diagnosis, diagnose, lookInto } from "../../../service/health/doctor.ts";
import { mend } from "../../../service/health/mend.ts";
import { alignedLines } from "../../../text/columns.ts";
import { theManuscriptFile } from "../../input/manuscript-file.ts";
import { reply } from "../../io/call.ts";
import { bytesOf, styled, type Terminal, withProgress } from "../../io/terminal.ts";
import type { ROWS } from "../../rows/files.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** Looks at the manuscript's file, changes nothing unless it is to mend, and says what is wrong and what to do. */
export const COMMANDS: CommandsOf<typeof ROWS, "doctor"> = {
  doctor: async (call, { mend: mends }) => {
    const path = theManuscriptFile(call);
    const mended = mends ? mend(path) : undefined;
    const found = await withProgress(
      call.terminal,
      "Checking",
      async (step) => diagnose(path, Date.now, step),
      bytesOf(path),
    );
    const all =
      found.status === "fail"
        ? found
        : (lookInto(path, (manuscript) => withMissingPictures(found, manuscript)) ?? found);
    const diagnosis: Diagnosis = { ...all, ...(mended === undefined ? {} : { mended }) };
    await reply(call, diagnosis, (answer) => show(call.terminal, answer));
    if (diagnosis.status === "fail") call.fail(EXIT.failed);
  },
};

const STYLE: Readonly<Record<Check["status"], "green" | "bold" | "red">> = {
  ok: "green",
  warn: "bold",
  fail: "red",
};

function show(terminal: Terminal, { file, checks, mended }: Diagnosis): string {
  return [...(mended === undefined ? [] : [showMended(file, mended)]), showChecks(terminal, checks)].join(
    "\n",
  );
}

function showMended(
  file: string,
  { keptAs, schema, mended, left }: NonNullable<Diagnosis["mended"]>,
): string {
  if (keptAs === null) return "There was nothing to mend.";
  return [
    `Kept the file as it was: ${keptAs}`,
    ...schema.map((what) => `Mended the schema: ${what}.`),
    ...mended.map(({ what, from }) => `Mended ${what}, by ${from}.`),
    ...left.map(
      (what) =>
        `Not mended: ${what}. Nothing in this file or beside it proves what stood there. Run: ${rescuing(file)}.`,
    ),
  ].join("\n");
}

function showChecks(terminal: Terminal, checks: Diagnosis["checks"]): string {
  const lines = alignedLines(checks.map(({ status, name, found }) => [status, name, found]));
  return checks
    .flatMap(({ status, remedy }, index) => {
      const line = lines[index] ?? "";
      const marked = styled(terminal, STYLE[status], line.slice(0, 4)) + line.slice(4);
      return remedy === null ? [marked] : [marked, `      ${remedy}`];
    })
    .join("\n");
}
