import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { BadRequest, Unavailable } from "../../refusals.ts";
import { canAsk } from "../io/ask.ts";
import type { Terminal } from "../io/terminal.ts";

/** Editors that most machines have one of, the easiest to leave first. */
const USUAL = process.platform === "win32" ? ["notepad"] : ["sensible-editor", "editor", "nano", "vim", "vi"];

/** What makes an editor with a window of its own wait until the file is closed there. */
const WAITS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["code", "code-insiders", "codium", "cursor", "subl", "windsurf", "zed"].map((name) => [name, "--wait"]),
  ),
  ...{ bbedit: "--wait", mate: "--wait", gvim: "-f", mvim: "-f", gedit: "--wait", kate: "--block" },
};

/**
 * The command of the writer's editor: `$VISUAL`, else `$EDITOR`, else on a terminal one that is usual. It may hold options,
 * as a shell reads them. Throws `BadRequest`, saying what to set, if there is none.
 */
export function editorOf(terminal: Terminal): string {
  const { VISUAL, EDITOR, PATH = "" } = terminal.env;
  const named = VISUAL?.trim() || EDITOR?.trim();
  const waits = WAITS[basename(named ?? "")];
  if (named) return waits === undefined ? named : `${named} ${waits}`;
  const found = canAsk(terminal)
    ? USUAL.find((name) => PATH.split(delimiter).some((folder) => isProgram(join(folder, name))))
    : undefined;
  if (found !== undefined) return found;
  throw new BadRequest(
    'No editor is set: export VISUAL=nano, or whichever you write in, and run this again. "manuscript write CHAPTER < FILE" takes a text without one.',
  );
}

function isProgram(path: string): boolean {
  const names = process.platform === "win32" ? [`${path}.exe`] : [path];
  return names.some((name) => {
    try {
      accessSync(name, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs an editor on a file until it is closed. Throws `Unavailable` if it cannot be started, or ends with a failure. */
export async function runEditor({ env, cwd, stdout }: Terminal, editor: string, path: string): Promise<void> {
  // Ctrl-C is for the editor, as long as there is one; this program has to be there when it ends.
  process.on("SIGINT", ignore);
  try {
    await new Promise<void>((resolve, reject) => {
      const isWindows = process.platform === "win32";
      const [program, args] = isWindows
        ? [`${editor} "${path}"`, []]
        : ["/bin/sh", ["-c", `${editor} "$@"`, editor, path]];
      const child = spawn(program, args, {
        cwd,
        env: { ...env },
        shell: isWindows,
        stdio: ["inherit", stdout.isTTY ? "inherit" : 2, "inherit"], // stdout may be read by a program
      });
      child.on("error", (error) => reject(failed(editor, `cannot be started: ${error.message}`)));
      child.on("close", (code, signal) => {
        if (code === 0) resolve();
        else reject(failed(editor, `ended with ${code ?? signal}`));
      });
    });
  } finally {
    process.off("SIGINT", ignore);
  }
}

function ignore(): void {}

function failed(editor: string, what: string): Unavailable {
  return new Unavailable(`The editor ${editor} ${what}. Nothing was written.`);
}
