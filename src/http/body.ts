import type { IncomingMessage } from "node:http";
import { type Body, mayBeLeftOut } from "../contract/endpoint.ts";
import { LIMITS } from "../contract/limits.ts";
import { MARKDOWN_TYPE, MARKDOWN_TYPES } from "../contract/media-types.ts";
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../refusals.ts";
import { type Answering, awaitsLeave } from "./send.ts";
import type { SentBody } from "./worker/messages.ts";

/** The body of a request, unread. Throws `UnsupportedMediaType`, `PayloadTooLarge`, and `BadRequest` if it is cut off. */
export async function readBody(request: IncomingMessage, response: Answering, body: Body): Promise<SentBody> {
  if (isBodiless(request) && mayBeLeftOut(body)) return { bytes: Buffer.from("{}"), isMarkdown: false };
  const isMarkdown = assertType(request.headers["content-type"], body);
  assertWhole(request);
  const limit = isMarkdown ? LIMITS.markdownBytes : limitOf(body);
  return { bytes: await readBytes(request, response, limit), isMarkdown };
}

function isBodiless({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
}

/** Throws `PayloadTooLarge` if a body that was read for another row is over this one's limit. */
export function assertFits({ bytes }: SentBody, body: Body): void {
  if (bytes.byteLength > limitOf(body)) throw tooLarge(limitOf(body));
}

function limitOf({ limitBytes, document }: Body): number {
  return limitBytes ?? (document ? LIMITS.documentBytes : LIMITS.bodyBytes);
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

// Compressed bodies could unfold to any size. Source for parts of a whole: RFC 9110, 14.5.
function assertWhole({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"]?.toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity")
    throw new UnsupportedMediaType("Send the body without Content-Encoding.");
  if (headers["content-range"] !== undefined)
    throw new BadRequest("A part of a body cannot be written; send the whole, without Content-Range.");
}

/** The bytes of the body. One over the limit is refused before it is read, or as soon as it is. */
function readBytes(request: IncomingMessage, response: Answering, limit: number): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  if (awaitsLeave(request)) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const take = (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes <= limit) {
        chunks.push(chunk);
        return;
      }
      request.off("data", take);
      reject(tooLarge(limit));
    };
    const breakOff = () => reject(new BadRequest("The body ended before its Content-Length; send it whole."));
    request.on("data", take).once("error", breakOff).once("close", breakOff);
    request.once("end", () => {
      request.off("close", breakOff); // a refusal that nobody gets takes as long to make as reading the body
      resolve(Buffer.concat(chunks, sizeBytes));
    });
  });
}

function tooLarge(limit: number): PayloadTooLarge {
  return new PayloadTooLarge(
    `The body is over the limit of ${limit} bytes (${limit / 1024 / 1024} MiB) of this route.`,
  );
}
