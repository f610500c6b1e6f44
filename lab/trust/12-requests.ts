import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { createBook } from "../../src/service/books/books.ts";
import { MALFORMED } from "../../test/http/malformed.ts";
import { exchange } from "../../test/http/raw.ts";
import { type Lab, serve } from "../../test/support/client.ts";
import { suite } from "../../test/support/sandbox.ts";
import { anyRequest, documented, type GeneratedRequest } from "./generated-requests.ts";
import type { TrustPromise } from "./promise.ts";
import { madeBy, scratch, startServed } from "./served.ts";

const REQUESTS = 50_000;
/** Requests of one manuscript: what is deleted in it is there again in the next. */
const BATCH = 1000;
const AT_ONCE = 8;
const MIB = 2 ** 20;
const seed = Number(process.env.MANUSCRIPT_SEED ?? 1);

export const promise: TrustPromise = {
  number: 12,
  isNightly: true,
  promise: "Every request gets JSON",
  bar: "60 raw malformations, 50,000 generated requests: each answer valid against its schema, 0 × 5xx, 0 hangs, memory flat",
  measure: async () => {
    const faults: string[] = [];
    const missed: string[] = [];
    const [raw, generated] = await Promise.all([malformed(faults), generate(faults, missed)]);
    return { figures: `${raw}; ${generated}`, faults, missed };
  },
};

/** Every malformation, some of them many times over, and then connections that nobody uses or ends. */
async function malformed(faults: string[]): Promise<string> {
  const { folder, drop } = scratch();
  const { key } = madeBy(join(folder, "book.manuscript"), (own) =>
    createBook(own, { title: "Raw" }, { source: "cli" }),
  );
  const server = await startServed(folder, ["--quiet"]);
  try {
    const { port } = new URL(server.url);
    const before = server.descriptors() ?? 0;
    const idle = Array.from({ length: 300 }, (_, at) =>
      idler(Number(port), ["hello\r\n\r\n", "", "GET / HT"][at % 3] ?? ""),
    );
    const start = performance.now();
    const fill = (text: string) => text.replaceAll("{key}", key).replaceAll("{port}", port);
    for (const { what, sent, statuses } of [...MALFORMED, ...MALFORMED]) {
      const told = await exchange(server.url, typeof sent === "string" ? fill(sent) : sent.map(fill), {
        patienceMs: 20_000,
      });
      const got = told.answers.map(({ status }) => status);
      if (got.join() !== statuses.join())
        faults.push(`${what}: ${got.join() || "no answer"} instead of ${statuses.join()}`);
      if (told.end !== "closed") faults.push(`${what}: the connection is ${told.end}`);
      if (told.rest !== "") faults.push(`${what}: bytes that are no answer: ${told.rest.slice(0, 60)}`);
      for (const { status, headers, body } of told.answers.filter((answer) => answer.status >= 400))
        if (headers["x-request-id"] === undefined || !/^\{"error":"\w+","message":"./.test(body))
          faults.push(`${what}: ${status} is not the error body: ${body.slice(0, 60)}`);
    }
    while (idle.some(({ destroyed }) => !destroyed) && performance.now() - start < 40_000) await wait(100);
    const held = idle.filter(({ destroyed }) => !destroyed).length;
    if (held > 0)
      faults.push(`${held} of 300 half-open, silent and half-sent connections are held after 40 s`);
    for (const socket of idle) socket.destroy();
    await wait(1500);
    const left = (server.descriptors() ?? 0) - before;
    if (left > 3) faults.push(`${left} descriptors are left`);
    const { exit } = await server.stop("SIGTERM");
    if (exit !== 0) faults.push(`the server ended with ${exit}: ${server.said().slice(0, 300)}`);
    return `${MALFORMED.length} malformations twice, 300 idle connections closed, ${Math.max(left, 0)} descriptors left`;
  } finally {
    server.process.kill("SIGKILL");
    drop();
  }
}

/** Says this and no more, and leaves its side open. */
function idler(port: number, said: string): Socket {
  const socket = connect(
    { port, host: "127.0.0.1", allowHalfOpen: true },
    () => void (said && socket.write(said)),
  );
  // Only what the server has cut, not merely closed on its side, is gone: writing tells.
  const probe = setInterval(() => {
    if (socket.readableEnded && socket.writable) socket.write("\r\n");
  }, 500);
  return socket
    .on("error", () => {})
    .once("close", () => clearInterval(probe))
    .resume();
}

async function generate(faults: string[], missed: string[]): Promise<string> {
  const collect = collector();
  const statuses = new Map<number, number>();
  const levels: { heap: number; rss: number }[] = [];
  for (let done = 0; done < REQUESTS; done += BATCH) {
    await batch(seed * 1000 + done / BATCH, statuses, faults);
    if (faults.length > 50) break;
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    levels.push({ heap: heapUsed / MIB, rss: rss / MIB });
  }
  const middle = levels[Math.floor(levels.length / 2)] ?? { heap: 0, rss: 0 };
  const last = levels.at(-1) ?? middle;
  for (const what of ["heap", "rss"] as const)
    if (last[what] > middle[what] * 1.1 + 5)
      missed.push(
        `${what}: ${Math.round(middle[what])} MB in the middle, ${Math.round(last[what])} at the end`,
      );
  const sum = [...statuses.values()].reduce((all, count) => all + count, 0);
  const fine = [...statuses].reduce((all, [status, count]) => all + (status < 300 ? count : 0), 0);
  const failed = [...statuses].reduce((all, [status, count]) => all + (status >= 500 ? count : 0), 0);
  return `${sum} generated requests of seed ${seed} (${fine} answered 2xx), ${failed} × 5xx, heap ${Math.round(middle.heap)} to ${Math.round(last.heap)} MB`;
}

async function batch(from: number, statuses: Map<number, number>, faults: string[]): Promise<void> {
  const scope = suite();
  const bugs: string[] = [];
  const lab = await serve(scope, { write: (line) => bugs.push(line) });
  const requests = fc.sample(anyRequest(lab.sample), { numRuns: BATCH, seed: from });
  const next = async (): Promise<void> => {
    for (let one = requests.pop(); one !== undefined; one = requests.pop()) {
      const status = await send(lab, one, faults);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  if ((await lab.ask("GET", "/books")).status !== 200)
    faults.push(`batch ${from}: the server is not what it was`);
  for (const bug of bugs) faults.push(`batch ${from}: ${bug.slice(0, 400)}`);
  await scope.end();
}

async function send(
  lab: Lab,
  { method, path, template, asked }: GeneratedRequest,
  faults: string[],
): Promise<number> {
  const named = `${method} ${path.slice(0, 80)} ${String(asked.body ?? "").slice(0, 120)}`;
  try {
    // The client holds every answer against the contract.
    const { status } = await lab.ask(method, path, asked);
    const known = documented(template, method);
    if (status >= 500) faults.push(`${status}: ${named}`);
    else if (known !== undefined && !known.includes(status))
      faults.push(`${status} is not in openapi.json: ${named}`);
    return status;
  } catch (error) {
    faults.push(`${named}: ${error instanceof Error ? error.message.slice(0, 200) : error}`);
    return 0;
  }
}

function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
