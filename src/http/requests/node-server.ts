import http, {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Express } from "express";
import { Unavailable } from "../../refusals.ts";
import { refuseMalformed, refuseUnreadable } from "./malformed.ts";

// Node's own HTTP server below Express: what reaches it, and what becomes of its connections.

/** Makes a server of an app; it does not listen yet. */
export function createHttpServer(app: Express): { server: Server; connections: Connections } {
  const server = http.createServer({
    requireHostHeader: false, // access.ts refuses it, as JSON
    // A client that sends its headers by the letter holds nothing up for long.
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 2000,
  });
  const connections = watchConnections(server);
  const answer: RequestListener = (request, response) => {
    connections.begin(response);
    if (!readTarget(request)) refuseUnreadable(response);
    // What Express itself has no answer to, it would give a page of its own.
    else (app as FullListener)(request, response, () => refuseUnreadable(response));
  };
  server.on("request", answer);
  server.on("checkContinue", answer); // leave to send a body is given where the body is wanted
  // An expectation that is not known is none: the request itself can still be answered.
  server.on("checkExpectation", answer);
  server.on("clientError", (error, socket) => refuseMalformed(error, socket as Socket, connections));
  // This is no proxy.
  server.on("connect", (_, socket) => refuseMalformed(undefined, socket as Socket, connections));
  return { server, connections };
}

/**
 * True if a request's target can be read. A whole address is taken apart: its path becomes the target and its host the Host, as
 * they were written, in place of any Host header. Source: RFC 9112, 3.2.2 and 6.1.
 */
function readTarget(request: IncomingMessage): boolean {
  const { url = "", headers } = request;
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") return false;
  if (url.startsWith("/") || url === "*") return true;
  if (!URL.canParse(url)) return false;
  const [, host = "", rest = ""] = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(url) ?? [];
  headers.host = host;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  return true;
}

type FullListener = (request: IncomingMessage, response: ServerResponse, unanswered: () => void) => void;

/** Resolves once the server listens. Throws `Unavailable` if it cannot. */
export function listen(
  server: Server,
  where: { host: string; port: number } | { path: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" && "port" in where) {
        reject(
          new Unavailable(
            `Port ${where.port} is taken by another program; choose one with --port, or --port 0 for any free one.`,
          ),
        );
      } else if (error.code === "EACCES" || error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
        reject(
          new Unavailable(
            `This address cannot be listened on (${error.code}); choose another --host or --port.`,
          ),
        );
      } else reject(error);
    });
    server.listen(where, resolve);
  });
}

/** What is under way on a server's connections. */
export interface Connections {
  /** Notes an answer that is to be given; to be called before anything else sees the request. */
  begin(response: ServerResponse): void;
  /** The answers that a connection still waits for, in the order of their requests. */
  waiting(socket: Socket): ServerResponse[];
  /** Returns for how long nothing has been asked and nothing is being answered, in milliseconds that the machine was awake. */
  quietMs(): number;
  /** Lets answers in flight be given and ends everything else; all is over within a second. */
  close(): Promise<void>;
}

/** A request that is half sent when the server stops may still come whole within this time. */
const GRACE_MS = 400;
/** What is not over by then is cut off. */
const END_MS = 1000;
/** A connection whose last request was in flight is idle only after its answer, and would then be kept for seconds. */
const SWEEP_MS = 20;
/** How often a look is taken at who reads too slowly. */
const LOOK_MS = 5000;
/** An answer has to be taken within 20 s for each MiB of it, or part of one. */
const TAKE_MS = 20_000;

/** A connection over which nothing is asked is ended; blank lines, which Node takes for signs of life, do not count. */
const IDLE_MS = 30_000;

/** Ends a connection unless something has come over it that was not read yet, as while the machine was asleep. */
function endUnread(socket: Socket): void {
  const { bytesRead } = socket;
  // A timer runs before what has arrived is read, this after.
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}

/** Keeps an eye on a server's connections: nobody holds one for ever by not reading, and a stop is quiet and short. */
export function watchConnections(server: Server): Connections {
  /** The answers under way on each connection, in the order of their requests. */
  const underWay = new Map<Socket, Set<ServerResponse>>();
  /** The connections without any, and since when. */
  const idle = new Map<Socket, number>();
  const dueAt = new WeakMap<ServerResponse, number>();
  let isStopping = false;
  /** For how long this process has been awake: however long it was stopped, that is one look. */
  let awakeMs = 0;
  let answeredMs = 0;
  server.keepAliveTimeout = IDLE_MS;
  server.on("timeout", endUnread);
  server.on("connection", (socket: Socket) => {
    underWay.set(socket, new Set());
    idle.set(socket, awakeMs);
    socket.once("close", () => {
      underWay.delete(socket);
      idle.delete(socket);
    });
  });
  const look = setInterval(() => {
    awakeMs += LOOK_MS;
    for (const answers of underWay.values()) dropSlowReaders(answers, { dueAt, now: awakeMs });
    for (const [socket, since] of idle) if (awakeMs - since > IDLE_MS) endUnread(socket);
  }, LOOK_MS).unref();
  const waiting = (socket: Socket) => [...(underWay.get(socket) ?? [])];
  return {
    quietMs: () => ([...underWay.values()].some(({ size }) => size > 0) ? 0 : awakeMs - answeredMs),
    begin: (response) => {
      const { socket } = response.req;
      const answers = underWay.get(socket);
      answers?.add(response);
      idle.delete(socket);
      response.once("close", () => {
        answers?.delete(response);
        answeredMs = awakeMs;
        if (answers?.size === 0 && underWay.has(socket)) idle.set(socket, awakeMs);
      });
      if (isStopping) response.shouldKeepAlive = false;
    },
    waiting,
    close: () => {
      isStopping = true;
      return stop(server, (mayGo) => {
        for (const [socket, answers] of underWay) if (mayGo([...answers])) socket.destroy();
      }).finally(() => clearInterval(look));
    },
  };
}

/** Stops a server; `cut` ends the connections that may go by the answers that are under way on each. */
function stop(server: Server, cut: (mayGo: (answers: ServerResponse[]) => boolean) => void): Promise<void> {
  return new Promise((resolve) => {
    const timers = [
      setInterval(() => server.closeIdleConnections(), SWEEP_MS),
      setTimeout(() => cut((answers) => !answers.some(({ req }) => req.complete)), GRACE_MS),
      setTimeout(() => cut(() => true), END_MS),
    ];
    server.close(() => {
      for (const timer of timers) clearTimeout(timer);
      resolve();
    });
  });
}

/** Ends the connections of those who have left an answer unread for too long. */
function dropSlowReaders(
  answers: ReadonlySet<ServerResponse>,
  { dueAt, now }: { dueAt: WeakMap<ServerResponse, number>; now: number },
): void {
  for (const response of answers) {
    const { socket } = response; // null while an earlier request of the same connection is being answered
    if (!response.writableEnded || socket === null) continue;
    const due = dueAt.get(response);
    if (due === undefined) dueAt.set(response, now + TAKE_MS * Math.ceil(socket.writableLength / 2 ** 20));
    else if (now > due) socket.destroy();
  }
}
