import { connect } from "node:net";

/** One answer as it came over a connection. */
export interface RawAnswer {
  status: number;
  /** Names in small letters. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface RawExchange {
  answers: RawAnswer[];
  /** What came and is no answer. */
  rest: string;
  /** What ended the exchange: the server, or nothing until the time was up. */
  end: "closed" | "reset" | "open";
}

/** How long a server may take to close or answer before the exchange is told of as open, in milliseconds. */
const PATIENCE_MS = 5000;

/** Among what is written: the client closes its side. */
export const END = "END";

/**
 * Writes these bytes, a letter each, to a server and reads until it closes the connection, or until `enough` answers have come. The client's
 * side stays open unless it is said: a server must not count on its closing.
 */
export function exchange(
  url: string,
  sent: string | readonly string[],
  { enough = Number.POSITIVE_INFINITY, patienceMs = PATIENCE_MS } = {},
): Promise<RawExchange> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finish = (end: RawExchange["end"]) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...readAnswers(Buffer.concat(chunks).toString("latin1")), end });
    };
    const timer = setTimeout(() => finish("open"), patienceMs);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => {
      for (const chunk of typeof sent === "string" ? [sent] : sent) {
        if (chunk === END) socket.end();
        else socket.write(chunk, "latin1");
      }
    });
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (enough < Number.POSITIVE_INFINITY) {
        const { answers, rest } = readAnswers(Buffer.concat(chunks).toString("latin1"));
        if (answers.length >= enough && rest === "") finish("open");
      }
    });
    socket.on("end", () => finish("closed"));
    socket.on("error", () => finish("reset"));
  });
}

/** The answers in what was read, each with the body that its Content-Length says; of 100 and 304 there is none. */
function readAnswers(text: string): Pick<RawExchange, "answers" | "rest"> {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const head = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(rest);
    if (head === null) return { answers, rest };
    const [whole, status = "", lines = ""] = head;
    const headers = Object.fromEntries(
      lines
        .split("\r\n")
        .filter(Boolean)
        .map((line) => [
          line.slice(0, line.indexOf(":")).toLowerCase(),
          line.slice(line.indexOf(":") + 1).trim(),
        ]),
    );
    const length = Number(headers["content-length"] ?? 0);
    if (rest.length < whole.length + length) return { answers, rest };
    answers.push({ status: Number(status), headers, body: rest.slice(whole.length, whole.length + length) });
    rest = rest.slice(whole.length + length);
  }
}
