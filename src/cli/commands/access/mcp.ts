import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ClientName, PACKAGE, settingsOf } from "../../../mcp/client-settings.ts";
import { BadRequest } from "../../../refusals.ts";
import { checkText, TEXTS } from "../../../service/field-rules.ts";
import { networkOf, theManuscriptFile } from "../../input/manuscript-file.ts";
import { type Call, reply, talkUnlessJson } from "../../io/call.ts";
import { talk, untilStopped } from "../../io/terminal.ts";
import type { ROWS } from "../../rows/access.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";

type McpOptions = OptionsOf<(typeof ROWS)["mcp"]>;

/** For somebody who types it, to whom it would seem to hang. */
const HINT =
  'This talks to an agent\'s client, which starts it itself: "manuscript mcp --print-config claude" prints what goes into its settings. Ctrl-C ends it.';

/** Answers an agent over stdin and stdout until it goes; nothing else is ever written to stdout. */
export const COMMANDS: CommandsOf<typeof ROWS, "mcp"> = {
  mcp: async (call, options) => {
    const { allowWrite, readOnly, printConfig } = options;
    if (allowWrite && readOnly) throw new BadRequest("Give --allow-write or --read-only, not both.");
    const name = options.name === undefined ? undefined : checkText("--name", options.name, TEXTS.name);
    const path = realpathSync(theManuscriptFile(call));
    if (printConfig !== undefined) return await showSettings(call, printConfig, { ...options, path });
    const { terminal } = call;
    const log = (line: string) => void talk(terminal, `manuscript mcp: ${line}`);
    const [{ serveMcp }, { PatientTransport }, { keepOpen }] = await Promise.all([
      import("../../../mcp/server.ts"),
      import("../../../mcp/transport.ts"),
      import("../../../mcp/kept-open.ts"),
    ]);
    const kept = keepOpen(path, { network: networkOf(terminal), warn: log });
    try {
      kept.current(); // what hinders it is told before anything is asked
      if (terminal.stdin.isTTY) await talk(terminal, HINT);
      const transport = new PatientTransport(terminal.stdin, terminal.stdout);
      const allowed = readOnly ? "read" : allowWrite ? "write" : "propose";
      const server = serveMcp({ open: kept.current, allowed, name, version: version(), log }, transport);
      await Promise.race([transport.finished, untilStopped(terminal)]);
      await server.close();
    } finally {
      kept.close();
    }
  },
};

async function showSettings(
  call: Call,
  client: ClientName,
  { path, allowWrite, readOnly, name }: McpOptions & { path: string },
): Promise<void> {
  const program = fileURLToPath(new URL("bin/manuscript.js", PACKAGE));
  const args = [
    ...[program, "mcp", "--file", path],
    ...(allowWrite ? ["--allow-write"] : []),
    ...(readOnly ? ["--read-only"] : []),
    ...(name === undefined ? [] : ["--name", name]),
  ];
  const { settings, where } = settingsOf(client, { command: process.execPath, args });
  await reply(call, settings, (answer) => JSON.stringify(answer, null, 2));
  await talkUnlessJson(call, `Put this into ${where}.`);
}

function version(): string {
  return JSON.parse(readFileSync(new URL("package.json", PACKAGE), "utf8")).version;
}
