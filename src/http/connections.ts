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
const LOOK_MS = 2000;
/** An answer has to be taken within 20 s for each MiB of it, or part of one. */
const TAKE_MS = 20_000;

/** A connection over which nothing is asked is ended; blank lines, which Node takes for signs of life, do not count. */
const IDLE_MS = 30_000;

/** Keeps an eye on a server's connections: nobody holds one for ever by not reading, and a stop is quiet and short. */
export function watchConnections(server: Server): Connections {
  const sockets = new Set<Socket>();
  const underWay = new Set<ServerResponse>();
  const dueAt = new WeakMap<ServerResponse | Socket, number>();
  let isStopping = false;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const look = setInterval(() => {
    dropSlowReaders(underWay, dueAt);
    dropIdle(sockets, new Set([...underWay].map(({ req }) => req.socket)), dueAt);
  }, LOOK_MS).unref();
  const cut = (mayGo: (socket: Socket) => boolean) => {
    for (const socket of sockets) if (mayGo(socket)) socket.destroy();
  };
  const waiting = (socket: Socket) => [...underWay].filter(({ req }) => req.socket === socket);
  return {
    begin: (response) => {
      underWay.add(response);
      dueAt.delete(response.req.socket);
      response.once("close", () => underWay.delete(response));
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
function dropSlowReaders(
  underWay: ReadonlySet<ServerResponse>,
  dueAt: WeakMap<ServerResponse | Socket, number>,
): void {
  const now = performance.now();
  for (const response of underWay) {
    const { socket } = response; // null while an earlier request of the same connection is being answered
    if (!response.writableEnded || socket === null) continue;
    const due = dueAt.get(response);
    if (due === undefined) dueAt.set(response, now + TAKE_MS * Math.ceil(socket.writableLength / 2 ** 20));
    else if (now > due) socket.destroy();
  }
}

function dropIdle(
  sockets: ReadonlySet<Socket>,
  busy: ReadonlySet<Socket>,
  dueAt: WeakMap<ServerResponse | Socket, number>,
): void {
  const now = performance.now();
  for (const socket of sockets) {
    const due = dueAt.get(socket);
    if (busy.has(socket)) dueAt.delete(socket);
    else if (due === undefined) dueAt.set(socket, now + IDLE_MS);
    else if (now > due) socket.destroy();
  }
}
