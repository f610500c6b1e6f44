import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** What the fake was asked. */
export interface Request {
  headers: IncomingHttpHeaders;
  /** `synopsis`, `detect` or `check`; undefined where no schema was sent. */
  name: string | undefined;
  system: string;
  /** The message with the manuscript. */
  user: string;
  /** How many messages: 2, or 4 where the answer before was no good. */
  messages: number;
}

/** What it does: says something as a chat completion, or anything at all with the response itself. */
export type Behave = (request: Request, count: number) => string | ((response: ServerResponse) => void);

/** A fake of a language model's server: it obeys its test, and no model is behind it. */
export interface FakeModel {
  url: string;
  requests: Request[];
}

/** Starts a fake on a free port; it ends with the test, whatever hangs on it. */
export async function fakeModel(t: Pick<TestContext, "after">, behave: Behave): Promise<FakeModel> {
  const requests: Request[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { messages, response_format } = JSON.parse(Buffer.concat(chunks).toString());
    const request = {
      headers: incoming.headers,
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
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

/** Answers as an OpenAI-compatible server does. */
export function complete(
  response: ServerResponse,
  content: string,
  choice: object = {},
  usage: object = { prompt_tokens: 0 },
): void {
  const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop", ...choice }];
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ id: "fake", object: "chat.completion", choices, usage }));
}

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
