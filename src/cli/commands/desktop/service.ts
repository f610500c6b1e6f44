import { realpathSync } from "node:fs";
import { type Call, reply } from "../../io/call.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ROWS } from "../../rows/desktop.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import { servedPlaces } from "../files/serve-folders.ts";
import { type AtLogin, readAtLogin, startAtLogin, stopAtLogin } from "./at-login.ts";

/** Has a server start at login. */
export const COMMANDS: CommandsOf<typeof ROWS, "service"> = {
  "service install": async (call, { files: named }) => {
    const { files, folders } = servedPlaces(call, named);
    const places = [...files, ...folders].map((path) => realpathSync(path));
    const done = startAtLogin(call.terminal, places);
    await tell(call, done, `A server starts at login, and now, of ${places.join(", ")}.`);
  },
  "service status": async (call) => {
    const found = readAtLogin(call.terminal);
    const running = found.isRunning
      ? "It runs."
      : 'It does not run now; "manuscript service install" starts it.';
    await tell(
      call,
      found,
      found.isInstalled ? `A server starts at login. ${running}` : "No server starts at login.",
    );
  },
  "service remove": async (call) => {
    const wasThere = readAtLogin(call.terminal).isInstalled;
    const done = stopAtLogin(call.terminal);
    await tell(call, done, wasThere ? "No server starts at login any more." : "No server started at login.");
  },
};

async function tell(call: Call, answer: AtLogin, line: string): Promise<void> {
  const shown: CommandAnswer<"service status"> = answer;
  await reply(call, shown, () => line);
}
