import { realpathSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { BadRequest, NotFound, Unavailable } from "../../../refusals.ts";
import {
  approveCode,
  dropApproval,
  dropToken,
  isApprovalWaiting,
  issueToken,
  isTokenWaiting,
  plainCode,
  readServer,
  shownCode,
  TOKEN_MS,
} from "../../../service/account/sign-in.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { folderServerOf, openNamed, serverOf, theManuscriptFile } from "../../input/manuscript-file.ts";
import { type Call, reply } from "../../io/call.ts";
import { talk, untilStopped } from "../../io/terminal.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ROWS } from "../../rows/files.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import { showPage, tellHow } from "./browser.ts";

/** Opens the page of the manuscript's owner, or lets the page in that shows a code. Without a server it becomes one. */
export const COMMANDS: CommandsOf<typeof ROWS, "open"> = {
  open: async (call, { code, app = false, port }) => {
    const file = realpathSync(theManuscriptFile(call));
    const server = await serverOf(file);
    if (code !== undefined) return await letIn(call, file, { code, isServed: server !== undefined });
    if (server === undefined) {
      const { serveUntilStopped } = await import("./serve.ts");
      return await serveUntilStopped(call, [file], { port, quiet: true, open: true, app });
    }
    await showServed(call, file, { app });
  },
};

/** Shows the page of a manuscript that a server has, and waits until the browser has come in. */
export async function showServed(call: Call, file: string, { app }: { app: boolean }): Promise<void> {
  const manuscript = openNamed({ ...call, file });
  try {
    const url = await addressOf(manuscript, file);
    const token = issueToken(manuscript);
    const link = `${url}/open#${token}`;
    const page = showPage(call.terminal, link, { app });
    const answer: CommandAnswer<"open"> = { file, link, opened: page.opened };
    await reply(call, answer, () => link);
    if (!call.json) await tellHow(call.terminal, page.opened, { app });
    if (page.opened !== null) await untilUsed(call, manuscript, token).finally(page.drop);
  } finally {
    manuscript.close();
  }
}

const LOOK_MS = 100;
const STARTING_MS = 15_000; // on a slow machine that is starting up

/** Where the file is served. A server that has just taken its lock says so a moment later. */
async function addressOf(manuscript: Manuscript, file: string): Promise<string> {
  for (const end = Date.now() + STARTING_MS; Date.now() < end; await wait(LOOK_MS)) {
    const pid = await serverOf(file); // its number, too, is there only a moment after its lock
    const at = readServer(manuscript);
    if (at !== undefined && at.pid === pid) return at.url;
    const ofFolder = await folderServerOf(file);
    if (ofFolder?.url !== undefined && ofFolder.pid === pid) return ofFolder.url;
  }
  throw new Unavailable(
    `${file} is served by another process, which has not said where; open the link that it printed at its start, or stop it and run this again.`,
  );
}

/** Waits until the browser has come in, the link has expired, or the user stops. */
async function untilUsed({ terminal }: Call, manuscript: Manuscript, token: string): Promise<void> {
  const stopped = untilStopped(terminal).then(() => true);
  const end = Date.now() + TOKEN_MS;
  while (isTokenWaiting(manuscript, token)) {
    const isOver = Date.now() >= end || (await Promise.race([stopped, wait(LOOK_MS, false)]));
    if (!isOver) continue;
    dropToken(manuscript, token);
    await talk(terminal, "The link was not used, and opens nothing any more.");
    return;
  }
}

const ANSWER_MS = 3000;

/** Lets the page in that shows this code. Throws `BadRequest`, `Unavailable` without a server, `NotFound` if no page shows it. */
async function letIn(
  call: Call,
  file: string,
  { code: typed, isServed }: { code: string; isServed: boolean },
): Promise<void> {
  const code = plainCode(typed);
  if (code === undefined)
    throw new BadRequest(`A code is eight letters and digits such as 4F7K-9Q2M, got "${typed}".`);
  if (!isServed)
    throw new Unavailable(
      `No server of ${file} runs, so no page of it shows a code; start one with "manuscript serve", and load the page again.`,
    );
  const manuscript = await call.open();
  approveCode(manuscript, code);
  for (const end = Date.now() + ANSWER_MS; Date.now() < end && isApprovalWaiting(manuscript, code); )
    await wait(LOOK_MS);
  // What is there no more, the server has taken.
  if (isApprovalWaiting(manuscript, code) && dropApproval(manuscript, code))
    throw new NotFound(
      `code: no page of ${file} shows ${shownCode(code)} now. Look at it again; a code is good for five minutes`,
    );
  const answer: CommandAnswer<"open --code"> = { file, code: shownCode(code) };
  await reply(call, answer, () => `The page that shows ${answer.code} is signed in.`);
}
