import express, { type Request, type Response } from "express";
import type { Body } from "../contract/endpoint.ts";
import { LIMITS } from "../contract/limits.ts";
import { MARKDOWN_TYPE, MARKDOWN_TYPES } from "../contract/media-types.ts";
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../refusals.ts";
import type { SentBody } from "./helpers/asked.ts";

// One reader a limit; `inflate: false` refuses compressed bodies, which could unfold to any size.
const readers = new Map<number, ReturnType<typeof express.raw>>();

/** The body of a request, unread. Throws `UnsupportedMediaType`, `PayloadTooLarge`, and `BadRequest` if it is cut off. */
export async function readBody(request: Request, response: Response, body: Body): Promise<SentBody> {
  const isMarkdown = assertType(request.headers["content-type"], body);
  const limit = isMarkdown ? LIMITS.markdownBytes : body.document ? LIMITS.documentBytes : LIMITS.bodyBytes;
  return { bytes: await readBytes(request, response, limit), isMarkdown };
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
