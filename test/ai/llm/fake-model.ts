import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** What the fake was asked. */
export interface Request {
  headers: IncomingHttpHeaders;
  /** The whole body as it came. */
  body: Readonly<Record<string, unknown>>;
  /** What is asked, schema or not: `synopsis`, `detect`, `check` or `judge`. */
  asked: string;
  /** `synopsis`, `detect`, `check` or `judge`; undefined where no schema was sent. */
  name: string | undefined;
  system: string;
  /** The message with the manuscript. */
  user: string;
  /** How many messages: 2, or 4 where the answer before was no good. */
  messages: number;
}

/** What it does: says something as a chat completion, or anything at all with the response itself. */
export type Behave = (request: Request, count: number) => string | ((response: ServerResponse) => void);

/** What the server says of itself, by path: JSON. Other paths that are read are not found. */
export type About = Readonly<Record<string, object>>;

/** A fake of a language model's server: it obeys its test, and no model is behind it. */
export interface FakeModel {
  url: string;
  requests: Request[];
  /** Questions that hold no manuscript. */
  probes: Pick<Request, "headers" | "body">[];
}

/** Starts a fake on a free port; it ends with the test, whatever hangs on it. */
export async function fakeModel(
  t: Pick<TestContext, "after">,
  behave: Behave,
  about: About = {},
  probed: (response: ServerResponse) => void = (response) => complete(response, '{"ok": true}'),
): Promise<FakeModel> {
  const requests: Request[] = [];
  const probes: FakeModel["probes"] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { url = "" } = incoming;
    if (!url.endsWith("/chat/completions")) {
      response.writeHead(about[url] === undefined ? 404 : 200, { "Content-Type": "application/json" });
      response.end(JSON.stringify(about[url] ?? { error: "not found" }));
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const { messages, response_format } = body;
    if (messages.length === 1) {
      probes.push({ headers: incoming.headers, body });
      probed(response);
      return;
    }
    const asked = /"verdicts"/.test(messages[0].content)
      ? "judge"
      : /"findings"/.test(messages[0].content)
        ? "check"
        : /"items"/.test(messages[0].content)
          ? "detect"
          : "synopsis";
    const request = {
      headers: incoming.headers,
      ...{ body, asked },
      name: response_format?.json_schema.name,
      system: messages[0].content,
      user: messages[1].content,
      messages: messages.length,
    };
    requests.push(request);
    const said = behave(request, requests.length);
    if (typeof said === "string") complete(response, said);
    else said(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, probes };
}

/** Answers as an OpenAI-compatible server does. */
export function complete(
  response: ServerResponse,
  content: string,
  choice: object = {},
  usage: object = { prompt_tokens: 0 },
): void {
  const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop", ...choice }];
  json(200, { id: "fake", object: "chat.completion", choices, usage })(response);
}

/** Answers with a status and an object. */
export const json =
  (code: number, body: unknown) =>
  (response: ServerResponse): void => {
    response.writeHead(code, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  };

/** Answers with a status and nothing else. */
export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(code, headers).end();
  };

/** The number that a paragraph has in a request; 0 where it is not in it. */
export function numberOf({ user }: Request, words: string): number {
  const line = user.split("\n").find((candidate) => candidate.startsWith("[") && candidate.includes(words));
  return Number(/^\[(\d+)\]/.exec(line ?? "")?.[1] ?? 0);
}

/** The ref that a fact has in a request; "" where it is not in it. */
export function refOf({ user }: Request, name: string): string {
  return new RegExp(`^(f\\d+): ${name} \\(`, "m").exec(user)?.[1] ?? "";
}
