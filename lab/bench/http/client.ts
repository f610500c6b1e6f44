import { connect, type Socket } from "node:net";

const END_OF_HEAD = Buffer.from("\r\n\r\n");

/** An answer: its status, its headers as text, its body. */
export interface Answered {
  status: number;
  head: string;
  body: Buffer;
}

/** A GET as it goes over the wire, made once for any number of times that it is sent. */
export function requestOf(path: string, headers: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries({ Host: "localhost", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
}

/**
 * Connections that stay open, each with one request under way at a time; what they cost is little, for nothing of an answer is
 * looked at but its length.
 */
export class Client {
  readonly #sockets: Socket[] = [];

  /** Opens `count` connections to a port of this machine. */
  static async to(port: number, count: number): Promise<Client> {
    const client = new Client();
    for (let at = 0; at < count; at++) {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      client.#sockets.push(socket);
      await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    }
    return client;
  }

  /** One answer, read whole. */
  async ask(request: Buffer): Promise<Answered> {
    const chunks: Buffer[] = [];
    await drive(
      this.#sockets[0]!,
      request,
      () => false,
      (chunk) => chunks.push(chunk),
    ); // one at least
    const all = Buffer.concat(chunks);
    const end = all.indexOf(END_OF_HEAD);
    const head = all.toString("latin1", 0, end);
    return { status: Number(head.slice(9, 12)), head, body: all.subarray(end + END_OF_HEAD.length) };
  }

  /** Sends a request so many times, over all connections at once. */
  async load(request: Buffer, count: number): Promise<void> {
    let left = count - this.#sockets.length;
    await Promise.all(this.#sockets.map((socket) => drive(socket, request, () => left-- > 0)));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Sends a request over a connection, and again after each answer as long as there is `more`. */
function drive(
  socket: Socket,
  request: Buffer,
  more: () => boolean,
  see: (chunk: Buffer) => void = () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    let due = -1; // bytes of this answer that are still to come; -1 while its head is
    let begun: Buffer | undefined;
    const over = (finish: () => void) => {
      socket.off("data", take).off("error", fail);
      finish();
    };
    const fail = (error: Error) => over(() => reject(error));
    const take = (chunk: Buffer) => {
      see(chunk);
      if (due >= 0) due -= chunk.length;
      else {
        const seen = begun === undefined ? chunk : Buffer.concat([begun, chunk]);
        const end = seen.indexOf(END_OF_HEAD);
        begun = end < 0 ? seen : undefined;
        if (end < 0) return;
        due = lengthIn(seen.toString("latin1", 0, end)) - (seen.length - end - END_OF_HEAD.length);
      }
      if (due < 0) fail(new Error("an answer was longer than it said"));
      else if (due === 0) {
        due = -1;
        if (more()) socket.write(request);
        else over(resolve);
      }
    };
    socket.on("data", take).on("error", fail);
    socket.write(request);
  });
}

function lengthIn(head: string): number {
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
  if (length !== undefined) return Number(length);
  if (head.startsWith("HTTP/1.1 304")) return 0;
  throw new Error(`an answer without a length: ${head}`);
}
