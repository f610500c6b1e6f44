import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { endpoints, ownerEndpoints } from "../../src/contract/index.ts";
import { callOnce } from "../../src/http/server.ts";
import { changeAccount } from "../../src/service/account/account.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { firstSaid } from "../../test/support/first-said.ts";
import { PROGRAM } from "../../test/support/program.ts";
import type { TrustPromise } from "./promise.ts";
import { madeBy, type Served, scratch, startServed } from "./served.ts";

const OWNER = { source: "cli" } as const;
const MODEL_KEY = "sk-model-0123456789abcdefghijklmnop";
const fixtures = resolve(import.meta.dirname, "../../fixtures/manuscripts");

/** What must show nowhere, where it was looked for, and what was found. */
interface Watch {
  secrets: string[];
  looked: number;
  faults: string[];
}

export const promise: TrustPromise = {
  number: 14,
  promise: "A key cannot leak",
  bar: "0 hits in logs, file, errors, process list, backups; every file 0600",
  measure: async () => {
    const { folder, drop } = scratch();
    const umask = process.umask(0); // whatever is private is so by its own doing
    try {
      const path = join(folder, "book.manuscript");
      const { known, key } = madeBy(path, (manuscript) => {
        const { id } = createBook(manuscript, { title: "Keys" }, OWNER);
        return createChapter(manuscript, id, { title: "One", markdown: "A line.\n" }, OWNER).id as string;
      });
      const watch: Watch = { secrets: [...formsOf(key), MODEL_KEY], looked: 0, faults: [] };
      const skipped = existsSync("/proc/self/cmdline") ? [] : ["the process list: no /proc here"];
      const list = watchProcesses(watch);
      const asked = await useServer(folder, key, known, watch);
      const ran = await useCommands(folder, key, watch);
      const seen = list.stop();
      await socketIsPrivate(folder, watch);
      const files = lookThroughFiles(folder, key, watch);
      const figures = `${asked} requests, ${ran} commands, ${files} files, ${seen} looks at the process list: ${watch.faults.length} hits in ${watch.looked} places`;
      return { figures, faults: watch.faults, skipped };
    } finally {
      process.umask(umask);
      drop();
    }
  },
};

/** The key, its secret, and both as other programs would write them down. */
function formsOf(key: string): string[] {
  const secret = key.split("_")[2] ?? "";
  return [
    secret.slice(0, 20),
    ...["base64url", "hex"].map((form) =>
      Buffer.from(secret)
        .toString(form as "hex")
        .slice(2, 26),
    ),
  ];
}

function look(watch: Watch, where: string, text: string): void {
  watch.looked++;
  for (const secret of watch.secrets)
    if (text.includes(secret)) watch.faults.push(`${where} shows ${secret.slice(0, 6)}…`);
}

/** Looks at every command line on this machine, again and again. */
function watchProcesses(watch: Watch): { stop: () => number } {
  let looks = 0;
  const once = () => {
    looks++;
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        if (watch.secrets.some((secret) => line.includes(secret)))
          watch.faults.push(`a process: ${line.slice(0, 60)}`);
      } catch {
        // It has ended.
      }
    }
  };
  const timer = existsSync("/proc/self/cmdline") ? setInterval(once, 50) : undefined;
  return {
    stop: () => {
      clearInterval(timer);
      watch.looked += looks;
      return looks;
    },
  };
}

/** Every route with a good key and with bad ones, and keys wherever somebody might put one. */
async function useServer(folder: string, key: string, chapterId: string, watch: Watch): Promise<number> {
  const model = createServer((request, response) => {
    response.writeHead(401).end(`{"error":"bad key ${request.headers.authorization}"}`);
  });
  model.listen(0, "127.0.0.1");
  await once(model, "listening");
  const path = join(folder, "book.manuscript");
  const manuscript = openManuscript(path);
  const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  changeAccount(manuscript, { llm: { url, model: "m" } } as never);
  manuscript.close();
  const server = await startServed(folder, ["--log", "json"], { env: { MANUSCRIPT_LLM_KEY: MODEL_KEY } });
  const session = await signIn(folder, server, watch);
  const asked =
    (await askEverything(server, key, chapterId, watch)) +
    (await askEverything(server, session, chapterId, watch));
  modes(folder, watch); // with -wal, -shm and lock in their places
  for (const suffix of ["", "-wal", "-shm", "-serve.lock"])
    if (existsSync(path + suffix)) look(watch, `the file${suffix}`, readFileSync(path + suffix, "latin1"));
  await server.stop("SIGKILL"); // what is left behind is looked through with the other files
  look(watch, "the log", server.said());
  if (!server.said().includes('"route":"/books/{bookId}"'))
    watch.faults.push("the log is not what was looked at");
  model.close();
  return asked;
}

/** Signs in by the command, whose browser is slow; the session, which is looked for from now on, as its token is. */
async function signIn(folder: string, server: Served, watch: Watch): Promise<string> {
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin", "xdg-open"), "#!/bin/sh\nexec sleep 2\n", { mode: 0o700 });
  const env = { PATH: `${join(folder, "bin")}:${process.env.PATH}`, HOME: folder, DISPLAY: ":0" };
  const opening = spawn(process.execPath, [PROGRAM, "open"], {
    ...{ cwd: folder, env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const said = await firstSaid(opening);
  const token = new URL(said.trim()).hash.slice(1);
  watch.secrets.push(token);
  const led = readdirSync(folder).filter((name) => name.startsWith("manuscript-sign-in-"));
  if (led.length !== 1) watch.faults.push(`${led.length} files lead the browser in`);
  modes(folder, watch);
  await new Promise((resolve) => setTimeout(resolve, 300)); // so that the process list is looked at
  const answer = await fetch(`${server.base}/session`, {
    method: "POST",
    headers: { Origin: server.url, "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const { session } = (await answer.json()) as { session: string };
  watch.secrets.push(...["mss_", ""].map((start) => start + session.slice(4, 28)));
  await once(opening, "exit");
  return session;
}

/** The body of an answer; of one that goes on, what it begins with. */
async function beginningOf(answer: Response): Promise<string> {
  if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) return await answer.text();
  const reader = answer.body?.getReader();
  const begun = await reader?.read();
  await reader?.cancel();
  return Buffer.from(begun?.value ?? []).toString();
}

async function askEverything(server: Served, key: string, chapterId: string, watch: Watch): Promise<number> {
  let asked = 0;
  const wrong = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    asked++;
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    const answer = await fetch(server.base + path, init);
    const told = [...answer.headers].map((pair) => pair.join(": ")).join("\n");
    look(
      watch,
      `the answer ${answer.status} to ${method} ${path.slice(0, 30)}`,
      `${told}\n${await beginningOf(answer)}`,
    );
  };
  const json = { "Content-Type": "application/json" };
  const owners = ownerEndpoints.filter(({ method, path }) => method === "GET" || path === "/owner/keys");
  for (const { method, path, body } of [...endpoints, ...owners]) {
    // What is asked of the chapter later must find it.
    const at = path
      .replace("{chapterId}", method === "DELETE" ? "ch_none" : chapterId)
      .replace(/\{\w+\}/g, "x_none");
    // Without an act it would take back the newest, and the book with it.
    const empty = path === "/acts/undo" ? JSON.stringify({ acts: ["act_none"] }) : "{}";
    for (const used of [key, wrong, key.slice(0, -3), `${key}0`]) {
      const headers = {
        Authorization: `Bearer ${used}`,
        "User-Agent": key,
        Cookie: `key=${key}`,
        Referer: `http://localhost/?${key}`,
      };
      await ask(
        method,
        at,
        { ...headers, ...(body === undefined ? {} : json) },
        body === undefined ? undefined : empty,
      );
    }
  }
  const good = { Authorization: `Bearer ${key}` };
  await ask("GET", `/books?${key}=1`, good);
  await ask("GET", `/books?key=${key}`, good);
  await ask("GET", `/books?${key}=1&${key}=2`, good);
  await ask("GET", `/${key}`, good);
  await ask("GET", `/books/${key}`, good);
  await ask("GET", `/chapters/${key}?format=${key}`, good);
  await ask("GET", `/acts?limit=${key}&after=${key}`, good);
  await ask("GET", "/books", { Authorization: `Basic ${Buffer.from(`x:${key}`).toString("base64")}` });
  await ask("GET", "/books", { Authorization: key });
  await ask("GET", "/books", { "X-Api-Key": key, Origin: `http://${key.toLowerCase()}.test` });
  await ask("POST", "/books", { ...good, ...json }, JSON.stringify({ [key]: key }));
  await ask("POST", "/books", { ...good, ...json }, JSON.stringify({ title: { [key]: 1 } }));
  await ask("POST", "/books", { ...good, "Content-Type": key }, "{}");
  await ask("POST", "/books", { ...good, ...json }, `{"title": ${key}}`);
  await ask("PUT", `/chapters/${chapterId}/status`, { ...good, ...json }, JSON.stringify({ status: key }));
  await ask(
    "PUT",
    `/chapters/${chapterId}/prose`,
    { ...good, ...json, "If-Match": key },
    JSON.stringify({ doc: { type: key } }),
  );
  await ask("POST", "/facts/merge", { ...good, ...json }, JSON.stringify({ keepId: key, dropId: "fa_x" }));
  for (const call of ["synopsis", "detect", "check"])
    await ask("POST", `/chapters/${chapterId}/${call}`, good);
  return asked;
}

/** Commands as they are meant, and with a key where none belongs. */
async function useCommands(folder: string, key: string, watch: Watch): Promise<number> {
  const editor = join(folder, "editor.sh");
  writeFileSync(editor, '#!/bin/sh\nstat -c "%a %n" "$1" >> modes.txt\necho more >> "$1"\nexit 1\n', {
    mode: 0o700,
  });
  for (const name of readdirSync(fixtures).filter((file) => file.endsWith(".manuscript.gz"))) {
    mkdirSync(join(folder, "old"), { recursive: true });
    const bytes = gunzipSync(readFileSync(join(fixtures, name)));
    writeFileSync(join(folder, "old", name.slice(0, -3)), bytes, { mode: 0o600 });
  }
  const lines = [
    ...[
      "books",
      "key list",
      "key list --json",
      "account show --json",
      "doctor",
      "history",
      "search line",
      "detect 1",
      "check 1",
    ],
    ...[
      "export 1 -o out",
      "export -f json -o all.json",
      "sync out",
      "edit 1",
      "completion bash",
      "completion fish",
      "backup",
    ],
    ...[
      "complete key revoke m",
      "complete show --file b",
      "api GET /books --json",
      "key revoke none",
      "nonsense",
    ],
    ...readdirSync(join(folder, "old")).map((name) => `books --file old/${name}`),
  ].map((line) => line.split(" "));
  for (const argv of lines) await run(folder, argv, watch);
  // A command line is its writer's own doing, and stands in the process list: only what is said of it counts.
  const told = { ...watch, secrets: [] };
  for (const argv of [
    ["key", "revoke", key],
    ["show", key],
    ["books", `--${key}`],
    [key],
    ["outline", "--json", key],
  ]) {
    const said = await run(folder, argv, told, [key]);
    look(watch, `what ${argv[0]?.slice(0, 6)} says of a key`, said);
  }
  const drafts = existsSync(join(folder, "modes.txt")) ? readFileSync(join(folder, "modes.txt"), "utf8") : "";
  if (!/^600 /.test(drafts)) watch.faults.push(`a draft is not 0600: ${drafts}`);
  return lines.length + 5;
}

async function run(
  folder: string,
  argv: readonly string[],
  watch: Watch,
  input: readonly string[] = [],
): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    MANUSCRIPT_LLM_KEY: MODEL_KEY,
    EDITOR: join(folder, "editor.sh"),
    MANUSCRIPT_DEBUG: "1",
  };
  // Through stdin a command line is read without being one of the process list.
  const words = input.length === 0 ? [PROGRAM, ...argv] : ["--input-type=module", "-"];
  const child = spawn(process.execPath, words, { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(
    input.length === 0
      ? ""
      : `process.argv.splice(1, Infinity, ${JSON.stringify(PROGRAM)}, ...${JSON.stringify(argv)}); await import(${JSON.stringify(PROGRAM)});`,
  );
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk));
  await once(child, "close");
  const text = Buffer.concat(said).toString();
  look(watch, argv.join(" ").slice(0, 40), text);
  return text;
}

/** The one socket that we make can be opened by its owner alone, as its folder can. */
async function socketIsPrivate(folder: string, watch: Watch): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = join(folder, "tmp");
  mkdirSync(process.env.TMPDIR);
  const manuscript = openManuscript(join(folder, "book.manuscript"));
  let seen = 0;
  const timer = setInterval(() => {
    for (const name of readdirSync(join(folder, "tmp"), { recursive: true, encoding: "utf8" })) {
      const { mode } = statSync(join(folder, "tmp", name), { throwIfNoEntry: false }) ?? { mode: 0 };
      if (name.endsWith(".sock")) seen++;
      if ((mode & 0o077) !== 0) watch.faults.push(`${name} is ${(mode & 0o777).toString(8)}`);
    }
  }, 0);
  for (let count = 0; count < 20 || (seen === 0 && count < 500); count++)
    await callOnce(manuscript, { method: "GET", path: "/books", headers: {} });
  clearInterval(timer);
  manuscript.close();
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  if (seen === 0) watch.faults.push("the socket was never seen");
}

/** All that lies in the folder now, byte for byte; the hash of the key is there, or the file was not looked through. */
function lookThroughFiles(folder: string, key: string, watch: Watch): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  for (const name of files) look(watch, name, readFileSync(join(folder, name), "latin1"));
  const hash = createHash("sha256").update(key).digest();
  const bytes = ["", "-wal"]
    .map((suffix) => join(folder, `book.manuscript${suffix}`))
    .filter((path) => existsSync(path));
  const isHeld = bytes.some((path) => {
    const held = readFileSync(path);
    return held.includes(hash) || held.includes(hash.toString("hex"));
  });
  if (!isHeld) watch.faults.push("the hash of the key is not in the file: nothing was looked through");
  modes(folder, watch);
  return files.length;
}

/** A folder for other programs and what they are told to write are not ours to close. */
const OPEN = /^(?:out|tmp)\b|^modes\.txt$/;

function modes(folder: string, watch: Watch): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const stat = statSync(join(folder, name));
    if (stat.isFile() && !OPEN.test(name) && (stat.mode & 0o077) !== 0)
      watch.faults.push(`${name} is ${(stat.mode & 0o777).toString(8)}`);
  }
}
