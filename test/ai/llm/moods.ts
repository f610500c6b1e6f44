import type { ServerResponse } from "node:http";
import { goodAnswer, inventedAnswer } from "./answers.ts";
import { type Behave, complete, json, type Request, status } from "./fake-model.ts";

/** Who answers in the end: the model, or the embedded engine for this reason. */
type Outcome = string;

/** A way in which a server of language models answers, well or badly, and what a writer gets then. */
export interface Mood {
  name: string;
  /** `count` is how often this mood was asked this question before, and one. */
  behave: Behave;
  /** `model`, or why the embedded engine answers; for all three questions or by question. */
  outcome: Outcome | Readonly<Record<string, Outcome>>;
  /** The question, counted from one, that only its deadline ends. */
  hangsAt?: number;
}

/** What the caller's key is: some servers repeat it. */
export const KEY = "sk-very-secret-0123456789";

const good = (request: Request) => JSON.stringify(goodAnswer(request));
const lists = (request: Request) => Object.values(goodAnswer(request))[0] as Record<string, unknown>[];
const listName = (request: Request) => Object.keys(goodAnswer(request))[0] ?? "";
/** The good answer with its items changed. */
const altered = (change: (item: Record<string, unknown>, index: number) => unknown) => (request: Request) =>
  JSON.stringify({ [listName(request)]: lists(request).map(change) });
/** Says something at first, then what is good. */
const first =
  (times: number, bad: (response: ServerResponse) => void): Behave =>
  (request, count) =>
    count <= times ? bad : good(request);
const message = (fields: (request: Request) => object): Behave => {
  return (request) => (response) =>
    complete(response, "", { message: { role: "assistant", ...fields(request) } });
};
/** A body of this type, as it is. */
const body = (type: string, text: string | Buffer, headers: Record<string, string> = {}) => {
  return (response: ServerResponse) =>
    void response.writeHead(200, { "Content-Type": type, ...headers }).end(text);
};
const event = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}`;
/** The text in events of some characters each. */
const events = (text: string, key = "content") =>
  (text.match(/[\s\S]{1,40}/g) ?? []).map((piece) => event({ [key]: piece }));
const stream = "text/event-stream";
const refuses = (part: string, code: number, words: unknown): Behave => {
  return (request) => (request.body[part] === undefined ? good(request) : json(code, words));
};
/** Begins to answer, and then goes on like this for ever. */
const drips = (begin: string, drop: string) => (): ((response: ServerResponse) => void) => (response) => {
  response.writeHead(200, { "Content-Type": stream });
  response.write(begin);
  const timer = setInterval(() => response.write(drop), 20).unref();
  response.on("close", () => clearInterval(timer));
};
const hang = () => {};

const WELL: readonly Mood[] = [
  { name: "plain JSON", behave: good, outcome: "model" },
  {
    name: "a fence and talk around it",
    behave: (r) => `Here you are:\n\`\`\`json\n${good(r)}\n\`\`\`\nDone.`,
    outcome: "model",
  },
  {
    name: "thoughts before it, with braces",
    behave: (r) => `<think>Is {"items": []} it? }</think>\n${good(r)}`,
    outcome: "model",
  },
  { name: "thoughts that never end", behave: (r) => `<think>Let me see.\n${good(r)}`, outcome: "model" },
  {
    name: "the answer in reasoning_content",
    behave: message((r) => ({ content: "", reasoning_content: good(r) })),
    outcome: "model",
  },
  {
    name: "the answer in reasoning",
    behave: message((r) => ({ content: null, reasoning: good(r) })),
    outcome: "model",
  },
  {
    name: "thoughts beside it",
    behave: message((r) => ({ content: good(r), reasoning_content: '{"items": [' })),
    outcome: "model",
  },
  {
    name: "content in parts",
    behave: message((r) => ({
      content: [{ type: "text", text: good(r).slice(0, 30) }, { type: "image" }, good(r).slice(30)],
    })),
    outcome: "model",
  },
  {
    name: "a stream although none was asked for",
    behave: (r) =>
      body(stream, `${[...events(good(r)), event({}, "stop"), "data: [DONE]"].join("\n\n")}\n\n`),
    outcome: "model",
  },
  {
    name: "a stream with comments, CRLF and thoughts",
    behave: (r) => {
      const lines = [
        ": ping",
        "event: message",
        ...events('{"x": ', "reasoning_content"),
        ...events(good(r)),
      ];
      return body(stream, lines.join("\r\n\r\n"));
    },
    outcome: "model",
  },
  {
    name: "a stream left open behind its end",
    behave: (r) => (response) => {
      response.writeHead(200, { "Content-Type": stream });
      response.write(`${[...events(good(r)), "data: [DONE]"].join("\n\n")}\n\n`);
    },
    outcome: "model",
  },
  { name: "the bare list", behave: (r) => JSON.stringify(lists(r)), outcome: "model" },
  {
    name: "numbers as text",
    behave: altered((item) => ({ ...item, paragraph: `[${item.paragraph}]` })),
    outcome: "model",
  },
  {
    name: "null and nothing for empty texts",
    behave: altered(({ kind: _, ...item }) => ({ ...item, fact: item.fact === "" ? null : item.fact })),
    outcome: "model",
  },
  { name: "keys nobody asked for", behave: altered((item) => ({ sure: 0.9, ...item })), outcome: "model" },
  {
    name: "one broken item among good ones",
    behave: (r) => JSON.stringify({ [listName(r)]: [{ paragraph: "?" }, ...lists(r), 7, null] }),
    outcome: "model",
  },
  {
    name: "commas behind the last",
    behave: (r) => good(r).replace(/\]\}$/, ",]}"),
    outcome: "model",
  },
  {
    name: "cut off behind some items",
    behave: (r) => (response) =>
      complete(response, good(r).replace(/\]\}$/, ', {"type": "ment'), { finish_reason: "length" }),
    outcome: "model",
  },
  {
    name: "control characters in what it says",
    behave: (r) =>
      good(r)
        .replace(/early/g, "\\u001b[31mearly\\u0000")
        .replace(/\\u001b\[31m/g, "\\u001b"),
    outcome: "model",
  },
  {
    name: "no count of tokens",
    behave: (r) => (response) => complete(response, good(r), {}, {}),
    outcome: "model",
  },
  { name: "its key in what it says", behave: altered((item) => ({ ...item, kind: KEY })), outcome: "model" },
  {
    name: "wrong shape at first",
    behave: (r, count) => (count === 1 ? '{"items": "none", "findings": 3}' : good(r)),
    outcome: "model",
  },
  {
    name: "rubbish at first",
    behave: (r, count) => (count === 1 ? "I'd rather not." : good(r)),
    outcome: "model",
  },
];

const REFUSING: readonly Mood[] = [
  {
    name: "no temperature, and says so",
    behave: refuses("temperature", 400, {
      error: {
        message: "Unsupported value: 'temperature' does not support 0 with this model.",
        param: "temperature",
      },
    }),
    outcome: "model",
  },
  {
    name: "no temperature, without a word",
    behave: refuses("temperature", 400, undefined),
    outcome: "model",
  },
  {
    name: "no schema, and says so",
    behave: refuses("response_format", 400, {
      error: "'response_format.type' must be 'text'; json_schema is not supported",
    }),
    outcome: "model",
  },
  { name: "no schema, 422 without a word", behave: refuses("response_format", 422, {}), outcome: "model" },
  {
    name: "no max_tokens",
    behave: refuses("max_tokens", 400, {
      error: { message: "Use 'max_completion_tokens' instead of 'max_tokens'.", param: "max_tokens" },
    }),
    outcome: "model",
  },
  {
    name: "none of the three, without a word",
    behave: (r) =>
      "temperature" in r.body || "response_format" in r.body || "max_tokens" in r.body
        ? status(400)
        : good(r),
    outcome: "model",
  },
  {
    name: "thinks until it is cut off",
    behave: (r) => (response) =>
      "max_tokens" in r.body
        ? complete(response, "", {
            message: { content: "", reasoning: "Hmm, let me" },
            finish_reason: "length",
          })
        : complete(response, good(r)),
    outcome: "model",
  },
  {
    name: "context too short: llama.cpp",
    behave: () =>
      json(400, {
        error: {
          code: 400,
          message: "the request exceeds the available context size",
          type: "exceed_context_size_error",
          n_ctx: 256,
        },
      }),
    outcome: "short_context",
  },
  {
    name: "context too short: LM Studio",
    behave: () =>
      json(400, {
        error:
          "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 900 >= n_ctx: 256)",
      }),
    outcome: "short_context",
  },
  {
    name: "context too short: cut off without a word",
    behave: (r) => (response) => complete(response, good(r), {}, { prompt_tokens: 5 }),
    outcome: "short_context",
  },
  { name: "no reason for its 400", behave: () => status(400), outcome: "http_400" },
];

const FAILING: readonly Mood[] = [
  {
    name: "401 with the key in it",
    behave: () => json(401, { error: `Incorrect API key: ${KEY}` }),
    outcome: "http_401",
  },
  { name: "403", behave: () => status(403), outcome: "http_403" },
  {
    name: "404, no such model",
    behave: () => json(404, { error: { message: 'model "x" not found, try pulling it first' } }),
    outcome: "http_404",
  },
  {
    name: "400, no such model",
    behave: () => json(400, { error: { message: "The model `x` does not exist", code: "model_not_found" } }),
    outcome: "http_400",
  },
  { name: "418", behave: () => status(418), outcome: "http_418" },
  {
    name: "429 with seconds, then well",
    behave: first(1, status(429, { "Retry-After": "0" })),
    outcome: "model",
  },
  {
    name: "429 with a date, then well",
    behave: first(1, status(429, { "Retry-After": new Date(Date.now()).toUTCString() })),
    outcome: "model",
  },
  { name: "429 until tomorrow", behave: () => status(429, { "Retry-After": "86400" }), outcome: "http_429" },
  { name: "500 twice, then well", behave: first(2, status(500)), outcome: "model" },
  { name: "500 for ever", behave: () => status(500), outcome: "http_500" },
  { name: "503 for ever", behave: () => json(503, { error: "loading model" }), outcome: "http_503" },
  {
    name: "a redirect",
    behave: () => status(307, { Location: "http://127.0.0.1:9/v1" }),
    outcome: "redirect",
  },
  { name: "the line cut", behave: () => (response) => void response.destroy(), outcome: "unreachable" },
  {
    name: "the line cut in the answer",
    behave: () => (response) => {
      response.writeHead(200, { "Content-Length": "1000" });
      response.write("{", () => response.destroy());
    },
    outcome: "unreachable",
  },
  {
    name: "gzip that is none",
    behave: () => body("application/json", "{}", { "Content-Encoding": "gzip" }),
    outcome: "unreachable",
  },
  {
    name: "an error that calls itself 200",
    behave: () => json(200, { error: { message: "runner has stopped" } }),
    outcome: "server_error",
  },
  {
    name: "429 that calls itself 200, then well",
    behave: first(1, json(200, { error: { code: 429, message: "slow down" } })),
    outcome: "model",
  },
  {
    name: "an error in a stream",
    behave: () => body(stream, `${event({ content: "{" })}\n\ndata: {"error": "out of memory"}\n\n`),
    outcome: "server_error",
  },
  { name: "too much", behave: (r) => good(r) + " ".repeat(1024 * 1024), outcome: "too_large" },
  { name: "nothing at all", behave: () => body("application/json", ""), outcome: "invalid_answer" },
  {
    name: "a web page",
    behave: () => body("text/html", "<html><body>Sign in</body></html>"),
    outcome: "invalid_answer",
  },
  { name: "JSON of another kind", behave: () => json(200, []), outcome: "invalid_answer" },
  { name: "no choices", behave: () => json(200, { choices: [] }), outcome: "invalid_answer" },
  {
    name: "bytes that are no text",
    behave: () => body("application/json", Buffer.from([0xff, 0xfe, 0])),
    outcome: "invalid_answer",
  },
  { name: "an empty text", behave: () => "", outcome: "invalid_answer" },
  {
    name: "rubbish for ever",
    behave: () => "As a language model I cannot read novels.",
    outcome: "invalid_answer",
  },
  {
    name: "the wrong shape for ever",
    behave: () => '{"items": "none", "findings": 3, "sentences": [{}]}',
    outcome: "invalid_answer",
  },
  { name: "an answer cut in its first item", behave: (r) => good(r).slice(0, 40), outcome: "invalid_answer" },
  { name: "invented quotes", behave: (r) => JSON.stringify(inventedAnswer(r)), outcome: "no_quotes" },
  {
    name: "paragraphs that are not there",
    behave: altered((item) => ({ ...item, paragraph: 999 })),
    outcome: "no_quotes",
  },
  {
    name: "a story of its own",
    behave: altered((item) =>
      "text" in item ? { ...item, text: "Everyone dies and the aliens win." } : item,
    ),
    outcome: { synopsis: "unsupported", detect: "model", check: "model" },
  },
];

const HANGING: readonly Mood[] = [
  { name: "never answers", behave: () => hang, outcome: "timeout" },
  {
    name: "hangs behind its headers",
    behave: () => (response) => void response.writeHead(200).flushHeaders(),
    outcome: "timeout",
  },
  {
    name: "hangs in its answer",
    behave: () => (response) => void response.writeHead(200).write('{"choices": ['),
    outcome: "timeout",
  },
  {
    name: "hangs in an error",
    behave: () => (response) => void response.writeHead(400).write('{"error": "'),
    outcome: "timeout",
  },
  { name: "sends blanks for ever", behave: drips("", " "), outcome: "timeout" },
  { name: "sends comments for ever", behave: drips("", ": ping\n\n"), outcome: "timeout" },
  { name: "writes for ever", behave: drips("", `${event({ content: "word " })}\n\n`), outcome: "timeout" },
  {
    name: "hangs the second time",
    behave: (_request, count) => (count === 1 ? "I cannot." : hang),
    outcome: "timeout",
    hangsAt: 2,
  },
  {
    name: "asks to be tried again for ever",
    behave: (_request, count) => (count < 3 ? status(503, { "Retry-After": "0" }) : hang),
    outcome: "timeout",
    hangsAt: 3,
  },
  {
    name: "answers too late",
    behave: (r) => (response) => void setTimeout(() => complete(response, good(r)), 5000).unref(),
    outcome: "timeout",
  },
];

/** Every mood; each has its own name. */
export const MOODS: readonly Mood[] = [
  ...WELL,
  ...REFUSING,
  ...FAILING,
  ...HANGING.map((mood) => ({ hangsAt: 1, ...mood })),
];
