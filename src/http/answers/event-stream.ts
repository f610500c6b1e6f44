import { EVENTS_TYPE } from "../../contract/enums.ts";
import type { FeedPage, Following, LiveFeed } from "../../service/feed/feed.ts";
import { toProblem } from "./problem.ts";
import { type Answering, sendHead } from "./send.ts";

/** A reader who is up to date and leaves more than this unread is cut off; it comes back for the rest. */
const UNREAD_BYTES = 256 * 1024;
/** One who catches up is given no more than this ahead, and has so long to take any of it. */
const AHEAD_BYTES = 64 * 1024;
const STALL_MS = 30_000;
/** When a browser's EventSource comes back. */
const RETRY_MS = 1000;

const HEADERS = {
  "Content-Type": `${EVENTS_TYPE}; charset=utf-8`,
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no", // nginx would keep events back
  Connection: "close",
};

/**
 * Sends what is followed as server-sent events until the client has left, reads too slowly or is refused, or the server
 * stops. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html.
 */
export async function sendEvents(
  response: Answering,
  { from, follow }: LiveFeed,
  following: Pick<Following, "gone" | "admission">,
): Promise<void> {
  // Until the connection's end, and not in chunks: an event is then one write and not four.
  response.removeHeader("Transfer-Encoding");
  sendHead(response, 200, HEADERS);
  if (response.req.method === "HEAD") {
    response.end();
    return;
  }
  response.write(`retry: ${RETRY_MS}\nid: ${from}\n\n`);
  try {
    const reader = new Reader(response);
    for await (const page of follow({ ...following, beat: () => reader.beat() })) {
      reader.send(framesOf(page));
      if (response.destroyed) return;
      if (page.isBehind && response.writableLength > AHEAD_BYTES) await taken(response, following.gone);
    }
  } catch (error) {
    const { body, bug } = toProblem(error, response.locals.requestId ?? "");
    if (bug !== undefined) throw error;
    response.write(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
  }
  response.end();
}

const BEAT = Buffer.from(":\n\n");
/** Everybody who listens is sent the same bytes. */
const frames = new WeakMap<FeedPage, Buffer>();

function framesOf(page: FeedPage): Buffer {
  let bytes = frames.get(page);
  if (bytes === undefined) {
    const events = page.acts.map((act) => `event: act\nid: ${act.id}\ndata: ${JSON.stringify(act)}\n\n`);
    bytes = Buffer.from(events.join(""));
    frames.set(page, bytes);
  }
  return bytes;
}

/** Who is sent no more once too much is unread. */
class Reader {
  readonly #response: Answering;
  /** What was unread at the last beat, if nothing was sent since. */
  #atBeat = 0;

  constructor(response: Answering) {
    this.#response = response;
  }

  send(bytes: Buffer): void {
    this.#atBeat = 0;
    if (this.#response.writableLength > UNREAD_BYTES) this.#response.destroy();
    else if (!this.#response.destroyed) this.#response.write(bytes);
  }

  /** Sends a sign of life; cuts off who has taken nothing since the last one. */
  beat(): void {
    const unread = this.#response.writableLength;
    if (this.#atBeat > 0 && unread >= this.#atBeat) this.#response.destroy();
    else this.send(BEAT);
    this.#atBeat = unread;
  }
}

/** Resolves when the client has taken what it was sent, or will never do; one that takes nothing is cut off. */
function taken(response: Answering, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), STALL_MS);
    const done = () => {
      clearTimeout(timer);
      response.off("drain", done).off("close", done);
      gone.removeEventListener("abort", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
    gone.addEventListener("abort", done);
    if (gone.aborted) done();
  });
}
