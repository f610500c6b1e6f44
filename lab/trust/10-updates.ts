import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { endpoints, siblings } from "../../src/contract/index.ts";
import { startServer } from "../../src/http/server.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { countActsAfter } from "../../src/store/journal/acts.ts";
import { type Answer, type Ask, askedOf, type Lab, serve } from "../../test/support/client.ts";
import { suite } from "../../test/support/sandbox.ts";
import { type Measured, PART, type TrustPromise } from "./promise.ts";

const CLIENTS = 4;
const TIMES = Math.ceil(100 * PART);
const EDITS = 8;

/** Something that is read, changed and written back: where, and how a token is put to what was read. */
interface Target {
  name: string;
  read: string;
  headers?: Record<string, string>;
  write(answer: Answer, token: string): { method: string; path: string; body: object };
  /** What the answer of a read holds, as one text. */
  text(answer: Answer): string;
}

/** The promise that no update is lost, nor made twice. */
export const promise: TrustPromise = {
  number: 10,
  promise: "No update is lost, and none is made twice",
  bar: `${CLIENTS} × ${TIMES} read-modify-writes of a chapter, a paragraph, a fact, a snippet and a book each, \`edit\` and \`facts edit\` beside them: 0 lost; every POST under an \`Idempotency-Key\`, twice at once, again, and after a restart: made once`,
  async measure(): Promise<Measured> {
    const scope = suite();
    try {
      const lab = await serve(scope);
      const updates = await updateAll(lab);
      const repeats = await repeatAll();
      const figures = [updates.figures, repeats.figures].join("; ");
      return { figures, faults: [...updates.faults, ...repeats.faults] };
    } finally {
      await scope.end();
    }
  },
};

async function updateAll(lab: Lab): Promise<Measured> {
  const targets = await targetsOf(lab);
  let retries = 0;
  const client = async ({ read, headers = {}, write }: Target, name: string) => {
    for (let time = 0; time < TIMES; ) {
      const seen = await lab.ask("GET", read, { headers });
      const { method, path, body } = write(seen, `${name}n${time}.`);
      const etag = seen.headers.get("etag") ?? "";
      const { status, text } = await lab.ask(method, path, { body, headers: { "If-Match": etag } });
      if (status === 412) retries++;
      else if (status === 200) time++;
      else throw new Error(`${method} ${path}: ${status} ${text}`);
    }
  };
  const names = Array.from({ length: CLIENTS }, (_, index) => `c${index}`);
  const clients = targets.flatMap((target) => names.map((name) => client(target, name)));
  const [beside] = await Promise.all([editBeside(lab), ...clients]);
  const faults: string[] = [];
  for (const { name, read, headers = {}, text } of targets) {
    const held = text(await lab.ask("GET", read, { headers }));
    const lost = names.flatMap((client) =>
      Array.from({ length: TIMES }, (_, time) => `${client}n${time}.`).filter(
        (token) => !held.includes(token),
      ),
    );
    const isCount = name === "book";
    if (isCount && Number(held) !== CLIENTS * TIMES)
      faults.push(`book: counted ${held} of ${CLIENTS * TIMES}`);
    if (!isCount && lost.length > 0) faults.push(`${name}: ${lost.length} lost, such as ${lost[0]}`);
  }
  const made = targets.length * CLIENTS * TIMES;
  const lost = faults.length === 0 ? "0 lost" : "some lost";
  return {
    figures: `${made} updates of ${targets.length} records by ${CLIENTS} clients each (${retries} tried again after 412) and ${beside.done} by commands beside them: ${lost}`,
    faults: [...faults, ...beside.faults],
  };
}

async function targetsOf(lab: Lab): Promise<Target[]> {
  const { bookId, chapterId, factId, snippetId } = lab.sample;
  const made = (path: string, body: object) => lab.ask("POST", `/books/${bookId}/${path}`, { body });
  const chapter = (await made("chapters", { title: "Own", markdown: "Begun.\n" })).body.id;
  const second = await lab.ask("GET", `/chapters/${chapterId}?format=doc`);
  const { blockId } = second.body.doc.content.find(
    ({ type }: { type: string }) => type === "paragraph",
  ).attrs;
  const paragraph = ({ body }: Answer): string =>
    body.doc.content
      .find(({ attrs }: { attrs: { blockId: string } }) => attrs.blockId === blockId)
      .content.map(({ text = "" }: { text?: string }) => text)
      .join("");
  await lab.ask("PATCH", `/books/${bookId}`, { body: { title: "0" } });
  const patch = (path: string, body: object) => ({ method: "PATCH", path, body });
  return [
    {
      name: "chapter",
      read: `/chapters/${chapter}`,
      headers: { Accept: "text/markdown" },
      text: ({ text }) => text,
      write: ({ text }, token) => {
        const body = { markdown: `${text}\n${token}\n` };
        return { method: "PUT", path: `/chapters/${chapter}/prose`, body };
      },
    },
    {
      name: "paragraph",
      read: `/chapters/${chapterId}?format=doc`,
      text: paragraph,
      write: (seen, token) =>
        patch(`/chapters/${chapterId}/paragraphs/${blockId}`, { markdown: `${paragraph(seen)} ${token}` }),
    },
    {
      name: "fact",
      read: `/facts/${factId}`,
      text: ({ body }) => body.fact.summary,
      write: ({ body }, token) => patch(`/facts/${factId}`, { summary: `${body.fact.summary} ${token}` }),
    },
    {
      name: "snippet",
      read: `/snippets/${snippetId}`,
      text: ({ body }) => body.snippet.text,
      write: ({ body }, token) =>
        patch(`/snippets/${snippetId}`, { kind: "note", text: `${body.snippet.text} ${token}` }),
    },
    {
      name: "book",
      read: `/books/${bookId}`,
      text: ({ body }) => body.title,
      write: ({ body }) => patch(`/books/${bookId}`, { title: String(Number(body.title) + 1) }),
    },
  ];
}

/** Commands of another process that edit the chapter and the fact that the clients edit, each to its end. */
async function editBeside(lab: Lab): Promise<{ done: number; faults: string[] }> {
  const { path } = lab.manuscript.store;
  const { otherChapterId, factId } = lab.sample;
  const script = join(dirname(path), "editor.mjs");
  writeFileSync(
    script,
    `import { readFileSync, writeFileSync } from "node:fs";
     const [path] = process.argv.slice(2);
     const text = readFileSync(path, "utf8");
     await new Promise((done) => setTimeout(done, 300));
     writeFileSync(path, text + "\\nEdited " + process.env.TOKEN + "\\n");`,
  );
  const shown = () => lab.ask("GET", `/chapters/${otherChapterId}`);
  let isOver = false;
  // Another hand at the chapter's first paragraph, at its own pace, while the editor is open.
  const hand = (async () => {
    let count = 0;
    for (; !isOver; await wait(50)) {
      const { headers } = await shown();
      const body = { after: null, markdown: `Hand h${count}.` };
      const held = { "If-Match": headers.get("etag") ?? "" };
      const { status } = await lab.ask("POST", `/chapters/${otherChapterId}/paragraphs`, {
        body,
        headers: held,
      });
      if (status === 201) count++;
    }
    return count;
  })();
  const faults: string[] = [];
  for (let time = 0; time < EDITS; time++) {
    const run = (...argv: string[]) =>
      command(path, argv, { EDITOR: `${process.execPath} ${script}`, TOKEN: `e${time}.` });
    const ends = await Promise.all([
      run("edit", otherChapterId, "--json"),
      run("facts", "edit", factId, "--attribute", `e${time}=${time}`, "--json"),
    ]);
    for (const { code, told } of ends)
      if (code !== 0) faults.push(`a command beside ended with ${code}: ${told}`);
  }
  isOver = true;
  const hands = await hand;
  const { text } = (await shown()).body;
  const { attributes } = (await lab.ask("GET", `/facts/${factId}`)).body.fact;
  const keys = new Set(attributes.map(({ key }: { key: string }) => key));
  for (let time = 0; time < EDITS; time++) {
    if (!text.includes(`e${time}.`)) faults.push(`edit: e${time} is lost`);
    if (!keys.has(`e${time}`)) faults.push(`facts edit: e${time} is lost`);
  }
  for (let count = 0; count < hands; count++)
    if (!text.includes(`h${count}.`)) faults.push(`the hand beside edit: h${count} is lost`);
  return { done: 2 * EDITS + hands, faults };
}

const MAIN = join(import.meta.dirname, "../../src/cli/main.ts");

async function command(file: string, argv: readonly string[], env: Record<string, string>) {
  const args = ["--import", import.meta.resolve("tsx"), MAIN, "--file", file, ...argv];
  const cwd = dirname(file);
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, HOME: cwd, XDG_STATE_HOME: join(cwd, "state"), ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  child.stderr.on("data", (chunk) => {
    told += chunk;
  });
  const [code] = await once(child, "close");
  return { code: code as number, told };
}

async function repeatAll(): Promise<Measured> {
  const faults: string[] = [];
  const rows = [...endpoints, ...siblings].filter(({ method }) => method === "POST");
  for (const row of rows) {
    const scope = suite();
    try {
      faults.push(...(await repeat(await serve(scope), row, scope)));
    } finally {
      await scope.end();
    }
  }
  const made = faults.length === 0 ? "made once, answered alike" : "not each made once";
  return {
    figures: `${rows.length} kinds of POST, each twice at once, again, and after a restart: ${made}`,
    faults,
  };
}

/** What goes wrong when a POST is repeated under one key. */
async function repeat(
  lab: Lab,
  row: (typeof endpoints)[number],
  scope: ReturnType<typeof suite>,
): Promise<string[]> {
  const { path, ...asked } = askedOf(lab, row);
  const keyed: Ask = { ...asked, headers: { "Idempotency-Key": "once" } };
  const count = countActsAfter(lab.manuscript.store, 0);
  const send = () => lab.ask("POST", path, keyed);
  const answers = [...(await Promise.all([send(), send()])), await send()].map(({ status, text }) => ({
    status,
    text,
  }));
  lab.manuscript.close();
  const own = openManuscript(lab.manuscript.store.path, { clock: lab.manuscript.store.clock });
  scope.after(() => own.close());
  const server = await startServer({ host: "127.0.0.1", port: 0, manuscripts: [own] });
  scope.after(() => server.close());
  const again = await fetch(`${server.url}/api/v1${path}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${lab.key}`,
      "Content-Type": "application/json",
      "Idempotency-Key": "once",
    },
    ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
  });
  answers.push({ status: again.status, text: await again.text() });
  const [first] = answers;
  const others = answers.filter(({ status, text }) => status !== first?.status || text !== first.text);
  const acts = countActsAfter(own.store, 0) - count;
  const settled = own.store.list<number>("SELECT count(*) FROM ledger WHERE kind = 'settle'")[0];
  const isOnce = row.tier !== "ai" ? acts === 1 : acts === 0 && settled === 1;
  return [
    ...(first === undefined || first.status >= 300 ? [`${row.id}: ${first?.status} ${first?.text}`] : []),
    ...others.map(({ status, text }) => `${row.id}: a repeat answered ${status} ${text.slice(0, 200)}`),
    ...(isOnce ? [] : [`${row.id}: ${acts} acts, ${settled} charges`]),
  ];
}
