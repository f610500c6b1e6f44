import { setMaxListeners } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { EVENTS_TYPE, TIERS } from "../contract/enums.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { Sessions, type Whose } from "../web/sessions.ts";
import { BASE_PATH } from "./answers/answer.ts";
import { type AppOptions, createApp, wholeShelf } from "./app.ts";
import { close, createHttpServer, listen } from "./requests/node-server.ts";

/** The app's options and where it listens. */
export interface ServerOptions extends Omit<AppOptions, "authenticate" | "stopping" | "sessions"> {
  host: string;
  /** 0 takes any free port. */
  port: number;
}

/** A server that listens; `url` is its address without a path. */
export interface RunningServer {
  url: string;
  /** The same for programs of this machine, also where every one of its addresses is listened on. */
  local: string;
  /** A link that signs its reader in as the owner of this manuscript, once, within two minutes; `used` is called when it was. */
  linkTo(whose: Whose, used?: () => void): string;
  /** True while any program has a connection to the server: an open page always has. */
  isConnected(): Promise<boolean>;
  /** Stops listening, lets answers under way finish for a second at most, and ends the worker. The manuscripts stay open. */
  close(): Promise<void>;
}

/** Serves manuscripts over HTTP. Throws `Unavailable` if the port is taken. */
export async function startServer({ host, port, ...options }: ServerOptions): Promise<RunningServer> {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // every answer that waits listens
  const sessions = new Sessions({ ...options, shelf: wholeShelf(options) });
  const app = createApp({ ...options, sessions, stopping: stopping.signal });
  const server = createHttpServer(app);
  await listen(server, { host, port });
  const address = server.address();
  const listening = typeof address === "object" && address !== null ? address.port : port;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${listening}`;
  const local = reachable(url);
  return {
    ...{ url, local },
    linkTo: (whose, used) => `${local}/open#${sessions.issue(whose, used)}`,
    isConnected: async () => (await promisify(server.getConnections.bind(server))()) > 0,
    close: () => {
      stopping.abort();
      return close(server).finally(() => options.worker?.close());
    },
  };
}

/** The address to ask by from this machine, also where every one of its addresses is listened on. */
function reachable(url: string): string {
  return url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, "//127.0.0.1");
}

/** A request of the owner's own command. */
export interface OneRequest {
  method: string;
  /** Relative to the base path, or with it; may hold a query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: Buffer;
}

/** Its answer; header names in lower case. */
export interface OneAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/**
 * One request through the very app that `serve` runs, over a socket that only this user can open; no key, every tier.
 * Without a socket Express 5 answers with an empty body. `read` is given the events of an answer that goes on, and ends it
 * when it resolves; without it that is ended at once.
 */
export async function callOnce(
  manuscript: Manuscript,
  wanted: OneRequest,
  read: (events: Readable) => Promise<void> = async () => {},
): Promise<OneAnswer> {
  const authenticate = () => ({ manuscript, keyId: null, allow: TIERS, isOwner: true });
  const server = createHttpServer(createApp({ manuscripts: [manuscript], authenticate }));
  const folder = mkdtempSync(join(tmpdir(), "manuscript-"));
  const socketPath =
    process.platform === "win32" ? `\\\\.\\pipe\\manuscript-${process.pid}` : join(folder, "api.sock");
  try {
    await listen(server, { path: socketPath });
    if (process.platform !== "win32") chmodSync(socketPath, 0o600);
    return await request(socketPath, wanted, read);
  } finally {
    await close(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

function request(
  socketPath: string,
  { method, path: wanted, headers, body }: OneRequest,
  read: (events: Readable) => Promise<void>,
): Promise<OneAnswer> {
  const path = wanted.startsWith(BASE_PATH) ? wanted : BASE_PATH + wanted;
  return new Promise((resolve, reject) => {
    const sent = http.request(
      { socketPath, method, path, headers: { Host: "localhost", ...headers }, agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        const flat = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
        const head = { status: answer.statusCode ?? 0, headers: Object.fromEntries(flat) };
        if (answer.headers["content-type"]?.startsWith(EVENTS_TYPE) && method !== "HEAD") {
          answer.on("error", () => {}); // whoever reads it is told by its end
          read(answer)
            .then(() => resolve({ ...head, body: Buffer.alloc(0) }), reject)
            .finally(() => sent.destroy());
          return;
        }
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () => resolve({ ...head, body: Buffer.concat(chunks) }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
