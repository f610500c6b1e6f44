import { EXIT } from "../../../contract/problems.ts";
import { type Check, type Diagnosis, diagnose } from "../../../service/health/doctor.ts";
import { theManuscriptFile } from "../../input/manuscript-file.ts";
import { type Call, reply } from "../../io/call.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import { alignedLines } from "../../output/columns.ts";

/** Looks at the manuscript's file, changes nothing, and says what is wrong and what to do. */
export async function doctor(call: Call): Promise<void> {
  const diagnosis = diagnose(theManuscriptFile(call));
  await reply(call, diagnosis, (answer) => show(call.terminal, answer));
  if (diagnosis.status === "fail") call.fail(EXIT.failed);
}

const STYLE: Readonly<Record<Check["status"], "green" | "bold" | "red">> = {
  ok: "green",
  warn: "bold",
  fail: "red",
};

function show(terminal: Terminal, { checks }: Diagnosis): string {
  const lines = alignedLines(checks.map(({ status, name, found }) => [status, name, found]));
  return checks
    .flatMap(({ status, remedy }, index) => {
      const line = lines[index] ?? "";
      const marked = styled(terminal, STYLE[status], line.slice(0, 4)) + line.slice(4);
      return remedy === null ? [marked] : [marked, `      ${remedy}`];
    })
    .join("\n");
}
