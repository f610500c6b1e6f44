import { existsSync, mkdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { WouldLose } from "../../../refusals.ts";
import { assertNotMissing, listMissing, openManuscript } from "../../../service/manuscript.ts";
import { listManuscripts } from "../../../service/shelf/list-manuscripts.ts";
import { placeOf } from "../../input/arguments.ts";
import {
  chooseFile,
  completed,
  ENDING,
  findManuscriptFile,
  hasChoice,
  missing,
  namedFile,
  theManuscriptFile,
  withEnding,
} from "../../input/manuscript-file.ts";
import { type Call, reply, talkUnlessJson } from "../../io/call.ts";
import { shellWord } from "../../output/shell-word.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ROWS } from "../../rows/files.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** Makes a manuscript, and chooses one for a folder. */
export const COMMANDS: CommandsOf<typeof ROWS, "init" | "use"> = {
  init: async (call, { file: wanted }) => {
    const { cwd } = call.terminal;
    const asked =
      wanted === undefined
        ? (namedFile(call) ?? join(cwd, `${basename(cwd) || "manuscript"}${ENDING}`))
        : placeOf(call, wanted, "FILE");
    const path = withEnding(asked);
    assertFree(asked);
    assertFree(path);
    for (const other of wanted === undefined ? listMissing(cwd) : []) assertNotMissing(other, true);
    const before = findManuscriptFile(call);
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true });
    const manuscript = openManuscript(path, { create: true });
    const answer: CommandAnswer<"init"> = { file: path, writer: manuscript.writer };
    manuscript.close();
    if (wanted !== undefined || namedFile(call) === undefined) chooseAmongOthers(folder, path);
    await reply(call, answer, ({ file }) => `Made ${file}`);
    await talkUnlessJson(call, ...meaningOf(call, path, before));
  },

  use: async (call, { file: wanted }) => {
    const { cwd, env } = call.terminal;
    if (wanted !== undefined) {
      const path = completed(placeOf(call, wanted, "FILE"));
      if (statSync(path, { throwIfNoEntry: false }) === undefined) throw missing(path);
      openManuscript(path).close(); // another kind of file is refused
      chooseFile(cwd, path);
    }
    const file = theManuscriptFile(call);
    const answer: CommandAnswer<"use"> = { file };
    const shown = relative(cwd, file).startsWith("..") ? file : relative(cwd, file);
    await reply(call, answer, () => `Commands in this folder mean ${shown}`);
    if (wanted !== undefined && namedFile({ ...call, file: undefined }) !== undefined)
      await talkUnlessJson(
        call,
        `$MANUSCRIPT_FILE goes before what a folder means: it is ${env.MANUSCRIPT_FILE}`,
      );
  },
};

function assertFree(path: string): void {
  if (!existsSync(path)) return;
  const remedy = statSync(path).isDirectory()
    ? `It is a folder: make one in it with "manuscript init ${shellWord(join(path, basename(path)))}".`
    : `Name another file; if it is a manuscript, "manuscript use ${shellWord(path)}" makes commands here mean it.`;
  throw new WouldLose(`${path} is there already; it was left as it is. ${remedy}`);
}

/** Alone in its folder a file is meant without a word. */
function chooseAmongOthers(folder: string, path: string): void {
  const isAlone = listManuscripts(folder).every((other) => other === path);
  if (!isAlone || hasChoice(folder)) chooseFile(folder, path);
}

/** What the next commands mean, where that is not plain: this file, or still the one that they meant before. */
function meaningOf(call: Call, path: string, before: string | undefined): string[] {
  const meant = findManuscriptFile(call);
  const { cwd } = call.terminal;
  if (meant === path)
    return before === undefined || before === path
      ? []
      : [
          `Commands in this folder mean it from now on; back to the one before: manuscript use ${shellWord(shortest(cwd, before))}`,
        ];
  const still = meant === undefined ? "" : `, and here they still mean ${meant}`;
  return [
    `Commands in ${dirname(path)} mean it${still}; from elsewhere name it with --file ${shellWord(path)}`,
  ];
}

/** The path from a folder, or the whole path where that is no longer. */
function shortest(folder: string, path: string): string {
  const short = relative(folder, path);
  return short.length < path.length ? short : path;
}
