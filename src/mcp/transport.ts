import { PassThrough, type Readable, type Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/** How long what was asked may still be answered once the client has said its last, in milliseconds. */
const LAST_ANSWERS_MS = 2000;

/**
 * The protocol over two streams. The package's own transport ends with its input and leaves what was asked unanswered; this
 * one answers first, so that a script can write its questions and close the pipe. `closed` resolves when it has ended.
 */
export function overStreams(
  input: Readable,
  output: Writable,
): { transport: Transport; closed: Promise<void> } {
  const held = new PassThrough();
  const inner = new StdioServerTransport(held, output);
  const open = new Set<unknown>();
  let isEnding = false;
  const settle = () => {
    if (isEnding && open.size === 0) held.end();
  };
  const take = (chunk: Buffer | string) => void held.write(chunk);
  const end = () => {
    isEnding = true;
    setTimeout(() => held.end(), LAST_ANSWERS_MS).unref();
    setImmediate(settle); // by then the last line has been read
  };
  const { promise: closed, resolve } = withResolvers();
  const transport: Transport = {
    start: () => {
      inner.onmessage = (message) => {
        if (isRequest(message)) open.add(message.id);
        transport.onmessage?.(message);
      };
      inner.onerror = (error) => transport.onerror?.(error);
      inner.onclose = () => {
        input.off("data", take).off("end", end).off("close", end).pause();
        transport.onclose?.();
        resolve();
      };
      input.on("data", take).once("end", end).once("close", end);
      return inner.start();
    },
    send: async (message) => {
      await inner.send(message);
      if (!isRequest(message) && "id" in message) open.delete(message.id);
      settle();
    },
    close: () => inner.close(),
  };
  return { transport, closed };
}

function isRequest(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { id: string | number; method: string } {
  return "id" in message && "method" in message;
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
