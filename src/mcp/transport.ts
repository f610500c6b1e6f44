import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/**
 * The protocol over two streams. When the input ends, the package's transport closes at once and drops every request that has
 * no answer yet. This one first waits for all answers, however long they take, so that a script can write its requests and
 * close the pipe.
 */
export class PatientTransport extends StdioServerTransport {
  /** Resolves once the input has ended and every request is answered or cancelled, or once the transport is closed. */
  readonly finished: Promise<void>;
  #finish = () => {};
  readonly #unanswered: unknown[] = [];
  #hasEnded = false;

  constructor(input: Readable, output: Writable) {
    super(input, output);
    output.setMaxListeners(0); // each answer that waits for a slow reader listens
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      if ("method" in message && "id" in message) this.#unanswered.push(message.id);
      // The package answers no request that was cancelled.
      else if ("method" in message && message.method === "notifications/cancelled")
        this.#settle(message.params?.requestId);
      deliver?.(message);
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    // A subscription is acknowledged by a notification; its answer comes when the server closes.
    this.#settle("method" in message ? message.params?._meta?.[SUBSCRIPTION_ID_META_KEY] : message.id);
  }

  override async close(): Promise<void> {
    await super.close();
    this.#finish();
  }

  override _onstdinclose = (): void => {
    this._ondata(Buffer.from("\n")); // the last line may have no end
    this.#hasEnded = true;
    this.#settle(undefined);
  };

  #settle(id: unknown): void {
    const at = this.#unanswered.indexOf(id);
    if (at >= 0) this.#unanswered.splice(at, 1);
    if (this.#hasEnded && this.#unanswered.length === 0) this.#finish();
  }
}
