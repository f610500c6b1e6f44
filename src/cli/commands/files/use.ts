import { statSync } from "node:fs";
import { relative } from "node:path";
import { NotFound } from "../../../refusals.ts";
import { openManuscript } from "../../../service/manuscript.ts";
import { placeOf } from "../../input/arguments.ts";
import { chooseFile, completed, namedFile, theManuscriptFile } from "../../input/manuscript-file.ts";
import { type Call, reply } from "../../io/call.ts";
import { talk } from "../../io/terminal.ts";
import type { CommandAnswer } from "../../rows/answers.ts";

/** Makes commands in this folder mean a manuscript; without one says which they mean. Throws `NotFound`. */
export async function use(call: Call, [wanted]: [string?]): Promise<void> {
  const { cwd, env } = call.terminal;
  if (wanted !== undefined) {
    const path = completed(placeOf(call, wanted, "FILE"));
    if (statSync(path, { throwIfNoEntry: false }) === undefined)
      throw new NotFound(`manuscript at ${path}; run "manuscript init" to make it`);
    openManuscript(path).close(); // another kind of file is refused
    chooseFile(cwd, path);
  }
  const file = theManuscriptFile(call);
  const answer: CommandAnswer<"use"> = { file };
  await reply(
    call,
    answer,
    () => `Commands in this folder mean ${relative(cwd, file).startsWith("..") ? file : relative(cwd, file)}`,
  );
  if (!call.json && wanted !== undefined && namedFile({ ...call, file: undefined }) !== undefined)
    await talk(
      call.terminal,
      `$MANUSCRIPT_FILE goes before what a folder means: it is ${env.MANUSCRIPT_FILE}`,
    );
}
