import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What is under way on a server's connections. */
export interface Connections {
  /** Notes an answer that is to be given; to be called before anything else sees the request. */
  begin(response: ServerResponse): void;
  /** The answers that a connection still waits for, in the order of their requests. */
  waiting(socket: Socket): ServerResponse[];
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

/** Keeps an eye on a server's connections: nobody holds one for ever by not reading, and a stop is quiet and short. */
export function watchConnections(server: Server): Connections {
  /** The answers under way on each connection, in the order of their requests. */
  const underWay = new Map<Socket, Set<ServerResponse>>();
  /** The connections without any, and since when. */
  const idle = new Map<Socket, number>();
  const dueAt = new WeakMap<ServerResponse, number>();
  let isStopping = false;
  server.on("connection", (socket: Socket) => {
    underWay.set(socket, new Set());
    idle.set(socket, performance.now());
    socket.once("close", () => {
      underWay.delete(socket);
      idle.delete(socket);
    });
  });
  const look = setInterval(() => {
    for (const answers of underWay.values()) dropSlowReaders(answers, dueAt);
    dropIdle(idle);
  }, LOOK_MS).unref();
  const cut = (mayGo: (socket: Socket) => boolean) => {
    for (const socket of underWay.keys()) if (mayGo(socket)) socket.destroy();
  };
  const waiting = (socket: Socket) => [...(underWay.get(socket) ?? [])];
  return {
    begin: (response) => {
      const { socket } = response.req;
      const answers = underWay.get(socket);
      answers?.add(response);
      idle.delete(socket);
      response.once("close", () => {
        answers?.delete(response);
        if (answers?.size === 0 && underWay.has(socket)) idle.set(socket, performance.now());
      });
      if (isStopping) response.shouldKeepAlive = false;
    },
    waiting,
    close: () =>
      new Promise((resolve) => {
        isStopping = true;
        const timers = [
          setInterval(() => server.closeIdleConnections(), SWEEP_MS),
          setTimeout(() => cut((socket) => !waiting(socket).some(({ req }) => req.complete)), GRACE_MS),
          setTimeout(() => cut(() => true), END_MS),
        ];
        server.close(() => {
          for (const timer of [...timers, look]) clearTimeout(timer);
          resolve();
        });
      }),
  };
}

/** Ends the connections of those who have left an answer unread for too long. */
function dropSlowReaders(answers: ReadonlySet<ServerResponse>, dueAt: WeakMap<ServerResponse, number>): void {
  const now = performance.now();
  for (const response of answers) {
    const { socket } = response; // null while an earlier request of the same connection is being answered
    if (!response.writableEnded || socket === null) continue;
    const due = dueAt.get(response);
    if (due === undefined) dueAt.set(response, now + TAKE_MS * Math.ceil(socket.writableLength / 2 ** 20));
    else if (now > due) socket.destroy();
  }
}

function dropIdle(idle: ReadonlyMap<Socket, number>): void {
  const now = performance.now();
  for (const [socket, since] of idle) if (now - since > IDLE_MS) socket.destroy();
}
