import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { BadRequest } from "../../refusals.ts";

/** Runs pandoc with arguments on bytes and returns its output. Throws `BadRequest`, naming the input. */
export type Pandoc = (options: readonly string[], input: Buffer, name: string) => Promise<Buffer>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds pandoc on a PATH; undefined if there is none. */
export function findPandoc(env: Environment): Pandoc | undefined {
  const program = process.platform === "win32" ? "pandoc.exe" : "pandoc";
  const path = (env.PATH ?? "")
    .split(delimiter)
    .filter(isAbsolute) // never one that lies in the folder that is imported
    .map((folder) => join(folder, program))
    .find(isProgram);
  return path === undefined ? undefined : (options, input, name) => run(path, options, input, { env, name });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const MOST_SECONDS = 60;
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_TALK = 300;

/**
 * Runs pandoc in its sandbox, without access to other files or the network. Source: https://pandoc.org/MANUAL.html.
 */
function run(
  path: string,
  options: readonly string[],
  input: Buffer,
  { env, name }: { env: Environment; name: string },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { PATH, HOME, SystemRoot } = env;
    const child = spawn(path, ["--sandbox", ...options], {
      env: { PATH, HOME, SystemRoot, LANG: "C.UTF-8" },
      stdio: "pipe",
      timeout: MOST_SECONDS * 1000,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    const refuse = (why: string) => reject(new BadRequest(`${name}: ${why}; nothing was imported.`));
    const chunks: Buffer[] = [];
    let size = 0;
    let talk = "";
    child.stdout.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_BYTES) child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (talk.length < MOST_TALK) talk += chunk;
    });
    child.stdin.on("error", () => {}); // it may end before it has read all
    child.on("error", (error) => refuse(`${path} could not be run (${error.message})`));
    child.on("close", (status, signal) => {
      if (size > MOST_BYTES) refuse(`pandoc made more than ${MOST_BYTES} bytes of it`);
      else if (signal !== null) refuse(`pandoc was not done within ${MOST_SECONDS} s`);
      else if (status !== 0) refuse(faultOf(talk));
      else resolve(Buffer.concat(chunks));
    });
    child.stdin.end(input);
  });
}

function faultOf(talk: string): string {
  if (talk.includes("--sandbox")) return "the pandoc that was found is too old; 2.15 or later is needed";
  return `pandoc cannot read it (${talk.replace(/\s+/g, " ").trim().slice(0, MOST_TALK) || "it did not say why"})`;
}
