import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { Unavailable } from "../../../refusals.ts";
import { copiesOf } from "../../../service/backups/listed.ts";
import { stateFolder } from "../../input/manuscript-file.ts";
import { recentFiles } from "../../input/recent-files.ts";
import { reply } from "../../io/call.ts";
import { shellWord } from "../../output/shell-word.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ROWS } from "../../rows/desktop.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import { readAtLogin, stopAtLogin } from "./at-login.ts";

/** Says what of this program is where, and removes it. */
export const COMMANDS: CommandsOf<typeof ROWS, "uninstall"> = {
  uninstall: async (call, { yes = false }) => {
    const { terminal } = call;
    const [, program = ""] = process.argv;
    const root = dirname(dirname(realpathSync(program)));
    const way = wayToRemove(root);
    const state = stateFolder(terminal);
    const manuscripts = recentFiles(terminal);
    const copies = manuscripts
      .map((path) => copiesOf(path, undefined).folder)
      .filter((path) => existsSync(path));
    const drafts = listed(join(state, "drafts")).map((name) => join(state, "drafts", name));
    const { entry, isInstalled } = readAtLogin(terminal);
    const login = isInstalled ? entry : null;
    const answer: CommandAnswer<"uninstall"> = {
      ...{
        program: root,
        remove: yes && way.run !== undefined ? null : way.words,
        login,
        state,
        drafts,
        manuscripts,
        copies,
        removed: yes,
      },
    };
    if (yes) {
      stopAtLogin(terminal);
      for (const name of listed(state))
        if (name !== "drafts") rmSync(join(state, name), { recursive: true, force: true });
      if (drafts.length === 0) rmSync(state, { recursive: true, force: true });
      way.run?.();
    }
    await reply(call, answer, inWords);
  },
};

/** How the program in this folder is removed: in words, and by itself where it came as a bundle that was installed. */
function wayToRemove(lib: string): { words: string; run?: () => void } {
  const root = dirname(lib);
  const isWindows = process.platform === "win32";
  const script = join(root, isWindows ? "Uninstall.vbs" : "uninstall.sh");
  const isInstalled = isWindows ? /\\Programs\\Manuscript$/i.test(root) : existsSync(join(root, "made"));
  if (isInstalled && existsSync(script)) {
    const runner = isWindows ? "wscript" : "sh";
    const run = () => {
      const words = isWindows ? [script, "/quiet"] : [script];
      const { status, stderr } = spawnSync(runner, words, { encoding: "utf8" });
      if (status !== 0) throw new Unavailable(`${script} ended with ${status}: ${stderr.trim()}`);
    };
    return { words: `${runner} ${shellWord(script)}`, run };
  }
  if (root.includes(".app/Contents/")) return { words: "Move Manuscript.app to the bin" };
  if (lib.startsWith("/usr/") && !lib.includes("node_modules"))
    return { words: "sudo apt remove manuscript" };
  if (lib.includes(`${sep}node_modules${sep}`)) return { words: "npm uninstall -g manuscript" };
  return { words: `Delete ${existsSync(script) ? root : lib}` };
}

function listed(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function inWords(answer: CommandAnswer<"uninstall">): string {
  const { drafts, manuscripts, copies, removed } = answer;
  return [
    ...(removed ? doneOf(answer) : planOf(answer)),
    ...list("Texts that are being edited stay:", drafts),
    ...list("Manuscripts stay, those opened by a double click among them:", manuscripts),
    ...list("So do their copies:", copies),
  ].join("\n");
}

function planOf({ program, remove, login, state }: CommandAnswer<"uninstall">): string[] {
  return [
    `Program: ${program}`,
    ...(login === null ? [] : [`Started at login by: ${login}`]),
    `Kept for itself: ${state}`,
    `"manuscript uninstall --yes" removes all of these. By hand: ${remove}`,
  ];
}

function doneOf({ remove, login, state }: CommandAnswer<"uninstall">): string[] {
  return [
    `Removed what the program kept for itself in ${state}.`,
    ...(login === null ? [] : ["No server starts at login any more."]),
    remove === null ? "The program is removed." : `Now remove the program itself: ${remove}`,
  ];
}

function list(heading: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [heading, ...paths.map((path) => `  ${path}`)];
}
