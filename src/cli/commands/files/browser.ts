import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, win32 } from "node:path";
import { pathToFileURL } from "node:url";
import { isProgram } from "../../../files/office.ts";
import { TOKEN_MS } from "../../../service/account/sign-in.ts";
import { homeFolder } from "../../input/manuscript-file.ts";
import { findProgram } from "../../input/programs.ts";
import { type Terminal, talk } from "../../io/terminal.ts";

/** How a page was shown, and what ends it. */
export interface ShownPage {
  /** Null if no browser could be started from here. */
  opened: "browser" | "app" | null;
  /** Removes the file that led the browser there; it may be called again. */
  drop(): void;
}

/** Shows a file to its user: a program and its words, or, on Windows, a line for the shell. */
type Opening = (file: string) => { program: string; argv: readonly string[]; shell?: boolean };

const CHROMIUMS = [
  ...["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "brave-browser"],
  ...["microsoft-edge", "microsoft-edge-stable", "chrome", "msedge"],
];
const MAC_CHROMIUMS = ["Google Chrome", "Chromium", "Brave Browser", "Microsoft Edge"].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);
const WINDOWS_CHROMIUMS = [
  "Google\\Chrome\\Application\\chrome.exe",
  "Chromium\\Application\\chrome.exe",
  "BraveSoftware\\Brave-Browser\\Application\\brave.exe",
  "Microsoft\\Edge\\Application\\msedge.exe",
];

/**
 * Opens a link in a browser, by way of a file of its owner's alone that leads there: a command line is seen by everyone. The
 * file is in the home and not hidden, for some browsers may read no other. It goes by `drop`, and after two minutes.
 */
export function showPage(terminal: Terminal, link: string, { app }: { app: boolean }): ShownPage {
  return showFile(terminal, redirectTo(link), { app });
}

/** Shows a message in a browser, to whom no terminal can show it. */
export function showMessage(terminal: Terminal, message: string): ShownPage {
  return showFile(terminal, messagePage(message), { app: true });
}

function showFile(terminal: Terminal, html: string, { app }: { app: boolean }): ShownPage {
  const none: ShownPage = { opened: null, drop: () => {} };
  if (!hasScreen(terminal)) return none;
  const chromium = app ? chromiumOf(terminal) : undefined;
  const opening = chromium === undefined ? openingOf(terminal) : inWindow(chromium);
  if (opening === undefined) return none;
  const file = writeOwn(terminal, html);
  if (file === undefined) return none;
  const drop = () => rmSync(file, { force: true });
  const timer = setTimeout(drop, TOKEN_MS).unref();
  start(terminal, opening(file)).on("error", drop);
  return {
    opened: chromium === undefined ? "browser" : "app",
    drop: () => {
      clearTimeout(timer);
      drop();
    },
  };
}

// Over ssh and in a container there is no screen; within WSL a browser cannot read our files.
function hasScreen({ env }: Terminal): boolean {
  if (process.platform !== "linux") return true;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY) && !env.WSL_DISTRO_NAME;
}

function openingOf(terminal: Terminal): Opening | undefined {
  // In quotes, for the home's name may hold a blank or `&`.
  if (process.platform === "win32")
    return (file) => ({ program: `start "" "${file}"`, argv: [], shell: true });
  const program = findProgram(terminal, [process.platform === "darwin" ? "open" : "xdg-open"]);
  return program === undefined ? undefined : (file) => ({ program, argv: [file] });
}

function inWindow(program: string): Opening {
  return (file) => ({ program, argv: [`--app=${pathToFileURL(file).href}`] });
}

/** Finds a browser of Chromium's family; undefined if there is none. */
export function chromiumOf(terminal: Terminal): string | undefined {
  if (process.platform === "darwin") return MAC_CHROMIUMS.find(isProgram);
  const onPath = findProgram(terminal, CHROMIUMS);
  return process.platform === "win32" ? (onPath ?? placesOnWindows(terminal.env).find(isProgram)) : onPath;
}

/** Places where Windows has browsers of Chromium's family, which are on no PATH: for all users or for this one. Edge is on every Windows. */
export function placesOnWindows(env: Terminal["env"]): string[] {
  const folders = [env.ProgramFiles, env["ProgramFiles(x86)"], env.LOCALAPPDATA].flatMap(
    (folder) => folder || [],
  );
  return WINDOWS_CHROMIUMS.flatMap((program) => folders.map((folder) => win32.join(folder, program)));
}

const NAME = /^manuscript-sign-in-[0-9a-f]{8}\.html$/;

/** The file, in the home if that can be written, else in the folder of temporary files; undefined where neither can. */
function writeOwn(terminal: Terminal, html: string): string | undefined {
  const name = `manuscript-sign-in-${randomBytes(4).toString("hex")}.html`;
  for (const folder of [homeFolder(terminal), tmpdir()]) {
    try {
      dropOld(folder);
      const file = join(folder, name);
      writeFileSync(file, html, { mode: 0o600, flag: "wx" });
      return file;
    } catch {} // on to the next
  }
  return undefined;
}

/** Removes what killed commands have left. */
function dropOld(home: string): void {
  for (const name of readdirSync(home).filter((entry) => NAME.test(entry))) {
    const path = join(home, name);
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - made > TOKEN_MS) rmSync(path, { force: true });
  }
}

// The link is an address of ours and a token in hexadecimal: nothing in it needs escaping.
function redirectTo(link: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${link}">
<title>Manuscript</title>
<a href="${link}">Open the manuscript</a>
`;
}

function messagePage(message: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<title>Manuscript</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34em;margin:20vh auto;padding:0 2em;color-scheme:light dark}</style>
<p>${message.replace(/[&<]/g, (sign) => (sign === "&" ? "&amp;" : "&lt;"))}</p>
`;
}

function start({ env, cwd }: Terminal, { program, argv, shell = false }: ReturnType<Opening>): ChildProcess {
  const child = spawn(program, argv, { cwd, env: { ...env }, shell, stdio: "ignore", detached: true });
  child.unref();
  return child;
}

/** Says where the page was opened, or what to do instead. */
export async function tellHow(
  terminal: Terminal,
  opened: ShownPage["opened"],
  { app }: { app: boolean },
): Promise<void> {
  if (opened === null)
    await talk(
      terminal,
      'No browser could be started from here. Open the link yourself, within two minutes; or open the page anywhere and run "manuscript open --code CODE" with the code that it shows.',
    );
  else if (app && opened !== "app")
    await talk(terminal, "No Chromium was found for a window of its own; the page opens in the browser.");
  else
    await talk(
      terminal,
      "The page opens, signed in. If it does not, open the link: once, within two minutes.",
    );
}
