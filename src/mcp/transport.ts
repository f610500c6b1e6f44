import { PassThrough, type Readable, type Writable } from "node:stream";
import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  type Transport,
} from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { readLines } from "./protocol/lines.ts";
import { cancelledBy, isRequest, type RefusedLine, readMessage } from "./protocol/message.ts";

/** How long what was asked may still be answered once the client has said its last, in milliseconds. */
const LAST_ANSWERS_MS = 2000;

const TOO_LONG = `A line may be ${STDIO_DEFAULT_MAX_BUFFER_SIZE / 2 ** 20} MiB long; send less at once.`;

/**
 * The protocol over two streams. The package's own transport ends with its input and leaves what was asked unanswered, as it
 * does lines that are no message, and ends at one that is too long; this one answers all of them first, so that a script can
 * write its questions and close the pipe.
 */
export class StreamTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** Resolves when it has ended. */
  readonly closed: Promise<void>;
  readonly #input: Readable;
  /** It writes; what is read goes past it, and it ends with this. */
  readonly #inner: StdioServerTransport;
  readonly #held = new PassThrough();
  /** The requests that wait for an answer. */
  readonly #open: unknown[] = [];
  #isEnding = false;
  #stop = () => {};

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#inner = new StdioServerTransport(this.#held, output);
    output.setMaxListeners(0); // each answer that waits for a slow reader listens
    this.closed = new Promise((resolve) => {
      this.#inner.onclose = () => {
        this.#stop();
        this.onclose?.();
        resolve();
      };
    });
  }

  async start(): Promise<void> {
    const failed = (error: Error) => this.onerror?.(error);
    this.#inner.onerror = failed;
    this.#stop = readLines(this.#input, STDIO_DEFAULT_MAX_BUFFER_SIZE, {
      line: (line) => this.#take(line),
      tooLong: () => this.#refuse({ id: null, code: INVALID_REQUEST, message: TOO_LONG }),
      failed,
      ended: () => {
        this.#isEnding = true;
        setTimeout(() => this.#held.end(), LAST_ANSWERS_MS).unref();
        this.#settle();
      },
    });
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#inner.send(message);
    if (!isRequest(message) && "id" in message) this.#close(message.id);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #take(line: string): void {
    const read = readMessage(line);
    if (read === undefined) return;
    if ("refused" in read) this.#refuse(read.refused);
    else {
      if (isRequest(read.message)) this.#open.push(read.message.id);
      else this.#close(cancelledBy(read.message)); // nobody answers it any more
      this.onmessage?.(read.message);
    }
  }

  #refuse({ id, code, message }: RefusedLine): void {
    this.onerror?.(new Error(message));
    // JSON-RPC has null where the id cannot be read; the package's types have no such answer.
    const answer = { jsonrpc: "2.0", id, error: { code, message } } as unknown as JSONRPCMessage;
    this.#inner.send(answer).catch((error) => this.onerror?.(error));
  }

  #close(id: unknown): void {
    const at = this.#open.indexOf(id);
    if (at >= 0) this.#open.splice(at, 1);
    this.#settle();
  }

  #settle(): void {
    if (this.#isEnding && this.#open.length === 0) this.#held.end();
  }
}
