import { type ChildProcess, spawn } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { BadRequest } from "../refusals.ts";
import { counted } from "../text/columns.ts";

// LibreOffice reads what other word processors write. It converts all documents of an import to .docx in one run, with a
// profile of its own in a temporary folder: nothing is fetched from anywhere, no macro runs, and an open LibreOffice is
// not disturbed.

/** A document for LibreOffice. */
export interface OfficeDocument {
  bytes: Buffer;
  /** Ending that names its format: "odt", "html". */
  ending: string;
  /** Name in messages. */
  name: string;
}

/** Converts documents to .docx, in one run. Throws `BadRequest`, naming the first document that cannot be read. */
export type Office = (documents: readonly OfficeDocument[]) => Promise<Buffer[]>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds LibreOffice on a PATH or where it is usually installed; `log` receives a line as it starts. */
export function findOffice(env: Environment, log: (line: string) => void = () => {}): Office | undefined {
  const program = placesOf(env).find(isProgram);
  return program === undefined ? undefined : (documents) => convert(program, documents, { env, log });
}

/** Paths where LibreOffice may lie. */
function placesOf(env: Environment): string[] {
  const isWindows = process.platform === "win32";
  const names = isWindows ? ["soffice.com", "soffice.exe"] : ["soffice", "libreoffice"];
  const folders = (env.PATH ?? "").split(delimiter).filter(isAbsolute); // never one that lies in the imported folder
  const usual = isWindows
    ? [env.ProgramFiles, env["ProgramFiles(x86)"]].flatMap((folder) =>
        folder === undefined ? [] : join(folder, "LibreOffice", "program"),
      )
    : ["/Applications/LibreOffice.app/Contents/MacOS"];
  return [...folders, ...usual].flatMap((folder) => names.map((name) => join(folder, name)));
}

/** True if a path leads to a file that may be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

// The start takes some seconds, each document a fraction of one.
const MOST_SECONDS = 120;
const SECONDS_A_DOCUMENT = 2;
const MOST_BYTES = 256 * 1024 * 1024;
/** Documents in one run, so that Windows takes its command line. */
const MOST_DOCUMENTS = 500;

async function convert(
  program: string,
  documents: readonly OfficeDocument[],
  { env, log }: { env: Environment; log: (line: string) => void },
): Promise<Buffer[]> {
  if (documents.length === 0) return [];
  log(`LibreOffice reads ${counted(documents.length, "document")} …`);
  const folder = mkdtempSync(join(tmpdir(), "manuscript-office-")); // 0700
  try {
    const profile = join(folder, "profile");
    mkdirSync(join(profile, "user"), { recursive: true });
    writeFileSync(join(profile, "user", "registrymodifications.xcu"), PROFILE);
    const files = documents.map(({ ending }, at) => `${at + 1}.${ending}`);
    for (const [at, { bytes }] of documents.entries()) writeFileSync(join(folder, files[at]!), bytes); // one a document
    const pages = files.filter((file) => file.endsWith(".html"));
    const others = files.filter((file) => !file.endsWith(".html"));
    // Without a filter, LibreOffice opens HTML as a web page, of which it makes no .docx.
    for (const [some, filter] of [
      [others, []],
      [pages, ["--infilter=HTML (StarWriter)"]],
    ] as const)
      for (let from = 0; from < some.length; from += MOST_DOCUMENTS) {
        const batch = some.slice(from, from + MOST_DOCUMENTS);
        await run(
          program,
          [...optionsFor(profile), ...filter, "--convert-to", "docx", ...batch],
          folder,
          env,
        );
      }
    return documents.map(({ name }, at) => readConverted(join(folder, `${at + 1}.docx`), name));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function optionsFor(profile: string): string[] {
  return [`-env:UserInstallation=${pathToFileURL(profile)}`, "--headless", "--norestore", "--nolockcheck"];
}

function readConverted(path: string, name: string): Buffer {
  if (!existsSync(path))
    throw new BadRequest(
      `${name}: LibreOffice cannot read it; nothing was imported. Open it in the program that wrote it and save it as .docx.`,
    );
  if (statSync(path).size > MOST_BYTES)
    throw new BadRequest(`${name} is larger than ${MOST_BYTES} bytes as .docx; nothing was imported.`);
  return readFileSync(path);
}

function run(program: string, options: readonly string[], folder: string, env: Environment): Promise<void> {
  return new Promise((resolve, reject) => {
    const { PATH, SystemRoot, ProgramFiles } = env;
    const isGroup = process.platform !== "win32";
    const child = spawn(program, options, {
      cwd: folder,
      // Its home is the temporary folder, too: nothing of the writer's is read.
      env: { PATH, SystemRoot, ProgramFiles, HOME: folder, USERPROFILE: folder, LANG: "C.UTF-8" },
      stdio: "ignore",
      detached: isGroup, // `soffice` starts another process, and both must end
      windowsHide: true,
    });
    const seconds = MOST_SECONDS + SECONDS_A_DOCUMENT * options.length;
    const stop = () => killAll(child, isGroup);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, seconds * 1000);
    process.once("exit", stop);
    const end = (error?: BadRequest) => {
      clearTimeout(timer);
      process.off("exit", stop);
      if (error === undefined) resolve();
      else reject(error);
    };
    child.on("error", ({ message }) =>
      end(new BadRequest(`${program} could not be run (${message}); nothing was imported.`)),
    );
    // What it could not read it leaves out, whatever its exit code.
    child.on("close", () =>
      end(
        isLate
          ? new BadRequest(`LibreOffice was not done within ${seconds} s; nothing was imported.`)
          : undefined,
      ),
    );
  });
}

function killAll(child: ChildProcess, isGroup: boolean): void {
  try {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // it has ended
  }
}

const COMMON = "/org.openoffice.Office.Common/Security/Scripting";
const PROXY = "/org.openoffice.Inet/Settings";
/** Settings that keep LibreOffice from fetching links and running macros; the proxy that nobody serves is a second lock. */
const SETTINGS: readonly (readonly [path: string, name: string, value: string])[] = [
  [COMMON, "BlockUntrustedRefererLinks", "true"],
  [COMMON, "DisableActiveContent", "true"],
  [COMMON, "DisableMacrosExecution", "true"],
  [COMMON, "MacroSecurityLevel", "3"],
  ["/org.openoffice.Office.Writer/Content/Update", "Link", "0"],
  [PROXY, "ooInetProxyType", "2"],
  [PROXY, "ooInetHTTPProxyName", "127.0.0.1"],
  [PROXY, "ooInetHTTPProxyPort", "9"],
  [PROXY, "ooInetHTTPSProxyName", "127.0.0.1"],
  [PROXY, "ooInetHTTPSProxyPort", "9"],
];

const PROFILE = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<oor:items xmlns:oor="http://openoffice.org/2001/registry">',
  ...SETTINGS.map(
    ([path, name, value]) =>
      `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  ),
  "</oor:items>",
].join("\n");
