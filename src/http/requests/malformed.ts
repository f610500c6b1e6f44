import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { BadRequest } from "../../refusals.ts";
import { endWhenRead } from "../answers/send.ts";

const UNREADABLE = "This is not an HTTP request that the server can read.";
const TOO_SLOW = "The request did not come whole in time; send it again.";

/** Refuses a request that cannot be read, in the one error body. */
export function refuseUnreadable(response: ServerResponse): void {
  const { body, headers } = errorBody(UNREADABLE);
  response.writeHead(400, headers);
  endWhenRead(response, Buffer.from(body));
}

/** A refused client may read its answer for this long: a connection that is torn down takes it along. */
const LINGER_MS = 1000;

/**
 * Refuses what comes over a connection and is no request: not HTTP, too long, too late. It gets the same error body as
 * everything else, and then the connection is closed, whether the client closes its side or not.
 */
export function refuseMalformed(
  error: NodeJS.ErrnoException | undefined,
  socket: Socket,
  { waiting }: { waiting(socket: Socket): ServerResponse[] },
): void {
  if (closing.has(socket)) return; // every further byte is told of again
  closing.add(socket);
  if (!socket.writable || error?.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  // What is asked for whole is answered before, and an answer begun before the request was whole is the last.
  const answers = waiting(socket).filter(({ req, headersSent }) => headersSent || req.complete);
  const owed = answers.pop();
  if (owed === undefined) endWith(socket, error);
  else if (!owed.headersSent || owed.writableEnded) owed.once("close", () => endWith(socket, error));
  else whenClosed(answers.pop(), () => linger(socket));
}

function whenClosed(response: ServerResponse | undefined, then: () => void): void {
  if (response === undefined) then();
  else response.once("close", then);
}

function endWith(socket: Socket, error: NodeJS.ErrnoException | undefined): void {
  if (socket.writable) {
    const { body, headers } = errorBody(/TIMEOUT/.test(error?.code ?? "") ? TOO_SLOW : UNREADABLE);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 400 Bad Request\r\n${lines.join("")}\r\n${body}`);
  }
  linger(socket);
}

function linger(socket: Socket): void {
  socket.on("error", () => {}); // of CONNECT nobody else listens to it
  socket.end().resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("end", () => socket.destroySoon()).once("close", () => clearTimeout(timer));
}

const closing = new WeakSet<Socket>();

function errorBody(message: string): { body: string; headers: Record<string, string> } {
  const refusal = new BadRequest(message);
  const body = JSON.stringify({ error: refusal.code, message: refusal.message, ...refusal.extra });
  const headers = {
    "X-Request-Id": randomUUID(),
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
  };
  return { body, headers };
}
