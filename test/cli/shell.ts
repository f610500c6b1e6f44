import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { run } from "../../src/cli/run.ts";
import { once } from "../../src/text/once.ts";

/** What a command line gave. */
export interface Ran {
  exit: number;
  stdout: string;
  stderr: string;
  bytes: Buffer;
  /** stdout as JSON. */
  json<Answer = Record<string, unknown>>(): Answer;
}

export interface Shell {
  (...argv: readonly string[]): Promise<Ran>;
  cwd: string;
  /** The same folder, with these as stdin or environment. */
  with(surroundings: Surroundings): Shell;
}

/** Whatever says when it is over: a test, or a suite's `{ after }`. */
interface Owner {
  after(clean: () => void): void;
}

interface Surroundings {
  stdin?: string | Buffer;
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  stop?: AbortSignal;
  isTTY?: boolean;
  /** How wide stdout is, which then is a terminal. */
  columns?: number;
  /** Somebody sits there: stdin and stderr are terminals, and what stdin holds is typed. */
  isAsked?: boolean;
  /** With one, stderr is a terminal too. */
  clock?: () => number;
}

/** Runs command lines in process, in a folder of their own that is gone with the test. */
export function shell(t: Owner): Shell {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "manuscript-cli-")));
  t.after(() => rmSync(cwd, { recursive: true, force: true }));
  return shellIn(cwd, {});
}

function shellIn(cwd: string, surroundings: Surroundings): Shell {
  const call = (...argv: readonly string[]) => runIn(cwd, surroundings, argv);
  const other = (next: Surroundings) => shellIn(next.cwd ?? cwd, { ...surroundings, ...next });
  return Object.assign(call, { cwd, with: other });
}

/** Reaches this machine alone: no test asks another. */
const fetchHere: typeof fetch = (input, init) => {
  const isHere = /^http:\/\/127\.0\.0\.1:/.test(String(input));
  return isHere ? fetch(input, init) : Promise.reject(new TypeError("fetch failed"));
};

async function runIn(
  cwd: string,
  { stdin = "", env = {}, stop, isTTY, columns, isAsked = false, clock }: Surroundings,
  argv: readonly string[],
) {
  const stdout = collector(isTTY ?? columns !== undefined, columns);
  const stderr = collector(isAsked || clock !== undefined);
  const exit = await run(argv, {
    stdout: stdout.stream,
    stderr: stderr.stream,
    stdin: Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY: isAsked }),
    env: { HOME: cwd, ...env },
    cwd,
    fetch: fetchHere,
    ...(stop === undefined ? {} : { stop }),
    ...(clock === undefined ? {} : { clock }),
  });
  const bytes = stdout.bytes();
  const ran: Ran = {
    exit,
    stdout: bytes.toString(),
    stderr: stderr.bytes().toString(),
    bytes,
    json: () => JSON.parse(bytes.toString()),
  };
  return ran;
}

function collector(isTTY: boolean, columns?: number) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return {
    stream: Object.assign(stream, { isTTY, ...(columns === undefined ? {} : { columns }) }),
    bytes: () => Buffer.concat(chunks),
  };
}

/** A shell in whose folder a manuscript holds the short book of `writeSample`-like chapters, made by the commands alone. */
export async function withBook(t: Owner): Promise<Shell> {
  const sh = shell(t);
  cpSync(await book(), sh.cwd, { recursive: true });
  return sh;
}

/** The folder that every `withBook` copies: it goes with the process. */
const book = once(async (): Promise<string> => {
  const sh = shell({ after: (clean) => process.on("exit", clean) });
  await sh("init", "book.manuscript");
  await sh.with({ stdin: FERRY })("import", "-", "--title", "The Ferry Book");
  await sh.with({ stdin: LAMP })("import", "-", "--book", "1");
  await sh("facts", "add", "Mara", "--kind", "character");
  return sh.cwd;
});

export const FERRY = `# The Ferry

Mara came down to the *ferry* before light, and the bell was already ringing.

“You are late,” said old Tobit.
`;

const LAMP = "# The Lamp\n\nMara lit the lamp. Tobit did not look up.\n";
