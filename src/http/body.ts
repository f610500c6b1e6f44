import express, { type Request, type Response } from "express";
import type { Body } from "../contract/endpoint.ts";
import { LIMITS } from "../contract/limits.ts";
import { MARKDOWN_TYPE, MARKDOWN_TYPES } from "../contract/media-types.ts";
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../refusals.ts";
import { decodeUtf8 } from "../text/utf8.ts";

// One reader a limit; `inflate: false` refuses compressed bodies, which could unfold to any size.
const readers = new Map<number, ReturnType<typeof express.raw>>();

/**
 * The body of a request as the row takes it: the JSON value, or `{markdown: TEXT}` for bare Markdown. Throws
 * `UnsupportedMediaType`, `PayloadTooLarge` and `BadRequest`; never answers with a character that was not sent.
 */
export async function readBody(request: Request, response: Response, body: Body): Promise<unknown> {
  const isMarkdown = assertType(request.headers["content-type"], body);
  const limit = isMarkdown ? LIMITS.markdownBytes : body.document ? LIMITS.documentBytes : LIMITS.bodyBytes;
  const text = decode(await readBytes(request, response, limit));
  if (!isMarkdown) return parseJson(text);
  // Whether blank lines are what is there already, the operation knows.
  if (text === "") throw new BadRequest(`The body is empty; ${body.blank ?? "send the Markdown"}.`);
  return { markdown: text };
}

/** True for bare Markdown, false for JSON. */
function assertType(header: string | undefined, { markdown }: Body): boolean {
  const [type = "", ...parameters] = (header ?? "").toLowerCase().split(";");
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
    .find(Boolean);
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8" && charset !== "us-ascii") {
    throw new UnsupportedMediaType("Bodies are read as UTF-8 only; send charset=utf-8 or none.");
  }
  if (type.trim() === "application/json") return false;
  if (markdown && (type.trim() === "" || MARKDOWN_TYPES.includes(type.trim()))) return true;
  const taken = markdown ? [MARKDOWN_TYPE, "application/json"] : ["application/json"];
  throw new UnsupportedMediaType(`This route takes ${taken.join(" or ")}; send Content-Type: ${taken[0]}.`);
}

async function readBytes(request: Request, response: Response, limit: number): Promise<Buffer> {
  let reader = readers.get(limit);
  if (reader === undefined) {
    reader = express.raw({ limit, type: () => true, inflate: false });
    readers.set(limit, reader);
  }
  const read = reader;
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(explain(error, limit)),
    );
  });
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function explain(error: unknown, limit: number): unknown {
  const type = typeof error === "object" && error !== null && "type" in error ? error.type : undefined;
  if (type === "entity.too.large") {
    return new PayloadTooLarge(
      `The body is over the limit of ${limit} bytes (${limit / 1024 / 1024} MiB) of this route.`,
    );
  }
  if (type === "encoding.unsupported")
    return new UnsupportedMediaType("Send the body without Content-Encoding.");
  if (type === "request.size.invalid" || type === "request.aborted") {
    return new BadRequest("The body ended before its Content-Length; send it whole.");
  }
  return error;
}

function decode(bytes: Buffer): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  throw new BadRequest(
    "The body is not valid UTF-8; nothing was changed. Save it as UTF-8 and send it again.",
  );
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    // The parser's own message may quote the body, which is the writer's prose.
    const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    throw new BadRequest(
      `The body is not valid JSON${position === undefined ? "" : `: it breaks at character ${position}`}.`,
    );
  }
  assertShallow(value);
  return value;
}

// Iterative: what this guards would exhaust the stack. A document holds up to four JSON levels for each of its own.
const JSON_DEPTH = LIMITS.depth * 4;

function assertShallow(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > JSON_DEPTH) throw new BadRequest(`The body is nested more than ${JSON_DEPTH} levels deep.`);
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
}
