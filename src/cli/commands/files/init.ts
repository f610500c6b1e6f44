import { existsSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { WouldLose } from "../../../refusals.ts";
import { openManuscript } from "../../../service/manuscript.ts";
import { placeOf } from "../../input/arguments.ts";
import { ENDING, namedFile } from "../../input/manuscript-file.ts";
import { type Call, reply } from "../../io/call.ts";
import type { CommandAnswer } from "../../rows/answers.ts";

/** Makes a manuscript without a book, and the folders above it. Throws `WouldLose` if anything is there already. */
export async function init(call: Call, [wanted]: [string?]): Promise<void> {
  const { cwd } = call.terminal;
  const path =
    wanted === undefined
      ? (namedFile(call) ?? join(cwd, `${basename(cwd) || "manuscript"}${ENDING}`))
      : placeOf(call, wanted, "FILE");
  if (existsSync(path))
    throw new WouldLose(`${path} is there already; it was left as it is. Name another file.`);
  mkdirSync(dirname(path), { recursive: true });
  const manuscript = openManuscript(path, { create: true });
  const answer: CommandAnswer<"init"> = { file: path, writer: manuscript.writer };
  manuscript.close();
  await reply(call, answer, ({ file }) => `Made ${file}`);
}
