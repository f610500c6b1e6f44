import http, { type IncomingMessage } from "node:http";

/** An event as it came; comments have neither name nor data. */
export interface Event {
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
  comment?: string;
}

/** A client of a stream of events, which is one of its own connection. */
export interface Listening {
  answer: IncomingMessage;
  /** Everything that came. */
  events: Event[];
  /** The ids of the acts that came, in order. */
  ids(): string[];
  /** Resolves with the last event once this holds of it; throws if nothing more comes. */
  until(holds: (event: Event) => boolean): Promise<Event>;
  /** Resolves when nothing more comes. */
  ended: Promise<void>;
  /** Tears the connection down, as a client that is killed does. */
  kill(): void;
}

/** Opens a stream of events. */
export function listen(
  url: string,
  { key, headers = {} }: { key: string; headers?: Record<string, string> },
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const sent = http.get(url, { agent: false, headers: { Authorization: `Bearer ${key}`, ...headers } });
    sent.on("error", reject);
    sent.on("response", (answer) => resolve(listenTo(answer, () => sent.destroy())));
  });
}

function listenTo(answer: IncomingMessage, kill: () => void): Listening {
  const events: Event[] = [];
  const waiting = new Set<(event: Event) => void>();
  let text = "";
  answer.setEncoding("utf8");
  answer.on("error", () => {}); // of a connection that is torn down
  answer.on("data", (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = parse(text.slice(0, end));
      text = text.slice(end + 2);
      events.push(event);
      for (const look of waiting) look(event);
    }
  });
  const ended = new Promise<void>((resolve) => answer.once("close", resolve));
  return {
    answer,
    events,
    ids: () => events.filter(({ event }) => event === "act").map(({ id }) => id ?? ""),
    until: (holds) =>
      new Promise((resolve, reject) => {
        const look = (event: Event) => {
          if (!holds(event)) return;
          waiting.delete(look);
          resolve(event);
        };
        waiting.add(look);
        for (const event of events) look(event);
        ended.then(() => reject(new Error("nothing more comes")));
      }),
    ended,
    kill,
  };
}

function parse(block: string): Event {
  const event: Record<string, string> = {};
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^(\w*): ?(.*)$/.exec(line) ?? [];
    event[name === "" ? "comment" : name] = value;
  }
  return event;
}
