import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { cpuMsOf } from "../processes.ts";
import { startOurs } from "../servers/ours.ts";
import { Client, requestOf } from "./client.ts";
import type { Library } from "./library.ts";

/** What answers: ours as it is built and started by users, the same with no answer kept, or a reference beside it. */
export type ServerName = "ours" | "anew" | "floor" | "fastify" | "express";

/** What is asked, by the name under which it is told. */
export const READS = ["/books", "outline", "text", "doc"] as const;

/** The same, by who has it already. */
export const UNCHANGED = ["304 text", "304 doc"] as const;

const CONNECTIONS = 10;
const WARM_UP = 2000;
const ROUNDS = 4;

/** How often everything is asked, and every body as the first server sent it. */
interface Wanted {
  requests: number;
  bodies: Record<string, Buffer>;
}

/**
 * Starts a server afresh, asks it for everything in turns, and ends it: CPU a request in µs. Throws if it answers otherwise than
 * the first did.
 */
export async function tryServer(
  name: ServerName,
  library: Library,
  { requests, bodies }: Wanted,
): Promise<Record<string, number>> {
  const { child, port } = await start(name, library);
  const client = await Client.to(port, CONNECTIONS);
  try {
    const hasTags = name === "ours" || name === "anew" || name === "express";
    const asked = await prepare(client, library, { hasTags, bodies });
    const cost: Record<string, number> = Object.fromEntries(asked.map(([what]) => [what, 0]));
    for (const [, request] of asked) await client.load(request, WARM_UP);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [what, request] of asked) {
        const before = cpuMsOf(child.pid!); // it has spoken
        await client.load(request, requests / ROUNDS);
        cost[what]! += (1000 * (cpuMsOf(child.pid!) - before)) / requests; // all are there
      }
    }
    return cost;
  } finally {
    client.close();
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

async function prepare(
  client: Client,
  { key, bookId, textId, docId }: Library,
  { hasTags, bodies }: { hasTags: boolean; bodies: Wanted["bodies"] },
): Promise<[string, Buffer][]> {
  const chapters = [`/api/v1/chapters/${textId}`, `/api/v1/chapters/${docId}?format=doc`];
  const paths = ["/api/v1/books", `/api/v1/books/${bookId}`, ...chapters];
  const asked: [string, Buffer][] = [];
  const unchanged: [string, Buffer][] = [];
  for (const [at, what] of READS.entries()) {
    const path = paths[at]!; // as many
    const headers = { Authorization: `Bearer ${key}`, Accept: "application/json" };
    const request = requestOf(path, headers);
    const { status, head, body } = await client.ask(request);
    if (status !== 200) throw new Error(`${path} was answered ${head}`);
    asked.push([what, request]);
    bodies[what] ??= body;
    if (!body.equals(bodies[what]))
      throw new Error(`${what} is not the same here:\n${body}\n${bodies[what]}`);
    const known = UNCHANGED.find((name) => name === `304 ${what}`);
    if (known === undefined || !hasTags) continue;
    const [, etag = ""] = /\r\netag: (.*)/i.exec(head) ?? [];
    const again = requestOf(path, { ...headers, "If-None-Match": etag });
    if ((await client.ask(again)).status !== 304) throw new Error(`${path} was sent again`);
    unchanged.push([known, again]);
  }
  return [...asked, ...unchanged];
}

async function start(name: ServerName, library: Library): Promise<{ child: ChildProcess; port: number }> {
  const { file, key, bookId } = library;
  if (name === "ours") return startOurs(file);
  if (name === "anew") return startOurs(file, ["--cache", "0"]);
  const script = join(import.meta.dirname, `../servers/${name}.ts`);
  const child = fork(script, [file, key, bookId], { execArgv: ["--import", "tsx"] });
  const [port] = (await once(child, "message")) as [number];
  return { child, port };
}
