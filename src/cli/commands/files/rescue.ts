import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { EXIT } from "../../../contract/problems.ts";
import { exportFolder } from "../../../files/export.ts";
import { nameFolder } from "../../../files/file-names.ts";
import { BadRequest, WouldLose } from "../../../refusals.ts";
import { rescue } from "../../../service/health/rescue.ts";
import { reportOf } from "../../../service/health/rescue-report.ts";
import { listBooks } from "../../../service/list-books.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { placeOf } from "../../input/arguments.ts";
import { completed, ENDING, withEnding } from "../../input/manuscript-file.ts";
import { reply, talkUnlessJson } from "../../io/call.ts";
import { withProgress } from "../../io/terminal.ts";
import { shellWord } from "../../output/shell-word.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ROWS } from "../../rows/files.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** Gets what is left out of a damaged file, into a new folder, and tells what is missing. */
export const COMMANDS: CommandsOf<typeof ROWS, "rescue"> = {
  rescue: async (call, { file: wanted, output }) => {
    const file = completed(placeOf(call, wanted, "FILE"));
    if (output === undefined)
      throw new BadRequest(
        `Name a new folder for what comes back: manuscript rescue ${shellWord(wanted)} -o rescued.`,
      );
    const folder = placeOf(call, output, "--output");
    assertEmpty(folder);
    const path = join(folder, withEnding(basename(file, ENDING)));
    const rescued = await withProgress(call.terminal, "Rescuing", async () =>
      rescue(file, path, () => mkdirSync(folder, { recursive: true, mode: 0o700 })),
    );
    const { manuscript } = rescued;
    let folders: string[];
    try {
      folders = await exportBooks(manuscript, folder);
    } finally {
      manuscript.close();
    }
    const names = folders.map((each) => relative(folder, each));
    const { text, ...sum } = reportOf(rescued, { name: basename(path), folders: names });
    const report = join(folder, "REPORT.md");
    writeFileSync(report, text, { mode: 0o600 });
    const answer: CommandAnswer<"rescue"> = { file, manuscript: path, report, folders, ...sum };
    await reply(call, answer, () => `${text.slice(2, text.indexOf("\n"))}.\n${path}`);
    await talkUnlessJson(call, `What came back and what did not, chapter by chapter: ${report}`);
    if (!sum.isWhole) call.fail(EXIT.failed);
  },
};

function assertEmpty(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory())
    throw new BadRequest(`${folder} is a file; name a new folder with -o.`);
  if (readdirSync(folder).length > 0)
    throw new WouldLose(`${folder} holds files, and a rescue writes into a new folder. Name one with -o.`);
}

async function exportBooks(manuscript: Manuscript, folder: string): Promise<string[]> {
  const folders: string[] = [];
  for (const { id, title } of listBooks(manuscript).books) {
    const name = join(folder, nameFolder(title));
    const path = folders.includes(name) ? `${name}-${folders.length + 1}` : name;
    await exportFolder(manuscript, id, path);
    folders.push(path);
  }
  return folders;
}
