import type { IncomingMessage } from "node:http";
import * as z from "zod";
import { type Body, type Endpoint, mayBeLeftOut } from "../../contract/endpoint.ts";
import { MARKDOWN_TYPE, MARKDOWN_TYPES } from "../../contract/enums.ts";
import { LIMITS } from "../../contract/limits.ts";
import { beginningOf, pointer, validate } from "../../contract/validate.ts";
import { BadRequest, type Detail, PayloadTooLarge, UnsupportedMediaType } from "../../refusals.ts";
import { grouped } from "../../text/columns.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import { type Answering, awaitsLeave } from "../answers/send.ts";
import type { SentBody } from "../worker/messages.ts";

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

/**
 * A body as the row takes it: the JSON value, or `{markdown: TEXT}` for bare Markdown. Throws `BadRequest` and
 * `PayloadTooLarge`; never answers with a character that was not sent.
 */
export function parseBody({ bytes, isMarkdown }: SentBody, body: Body): unknown {
  const text = decode(bytes);
  if (!isMarkdown) {
    const value = parseJson(text);
    if (body.document) assertNodes(value);
    return value;
  }
  // Whether blank lines are what is there already, the operation knows.
  if (text === "") throw new BadRequest(`The body is empty; ${body.blank ?? "send the Markdown"}.`);
  return { markdown: text };
}

function decode(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  throw new BadRequest(
    "The body is not valid UTF-8; nothing was changed. Save it as UTF-8 and send it again.",
  );
}

function parseJson(text: string): unknown {
  assertModest(text);
  try {
    const value = JSON.parse(text.replace(/^\ufeff/, ""));
    assertOnce(text);
    return value;
  } catch (error) {
    if (error instanceof BadRequest) throw error;
    // The parser's own message may quote the body, which is the writer's prose.
    const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    throw new BadRequest(
      `The body is not valid JSON${position === undefined ? "" : `: it breaks at character ${position}`}.`,
    );
  }
}

// A document holds up to four JSON levels for each of its own, and some six objects and lists for each of its nodes.
const JSON_DEPTH = LIMITS.depth * 4;
const JSON_PARTS = LIMITS.chapterNodes * 8;

/**
 * Refuses what would be too deep, or too many objects and lists, once it is parsed: the text of 16 MiB of empty lists
 * becomes gigabytes. O(text), with no stack; a text that is no JSON is left to the parser.
 */
function assertModest(text: string): void {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === LIST_END || unit === OBJECT_END) depth--;
    else if (unit === LIST || unit === OBJECT) {
      depth++;
      parts++;
      if (depth > JSON_DEPTH + 1)
        throw new BadRequest(`The body is nested more than ${JSON_DEPTH} levels deep.`);
      if (parts > JSON_PARTS)
        throw new PayloadTooLarge(
          `The body holds more than ${grouped(JSON_PARTS)} objects and lists; send less at once.`,
        );
    }
  }
}

/**
 * Refuses a key that an object has twice, of which the parser keeps the last value alone. The text must be JSON.
 * O(text): 16 MiB take 30 ms.
 */
function assertOnce(text: string): void {
  /** Objects and lists around a place in the text: an object's keys so far, and the key or index of its last value. */
  const levels: { keys?: Set<string | number>; last: string | number }[] = [];
  let string = "";
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const level = levels.at(-1);
    if (unit === QUOTE) {
      const end = endOfString(text, at);
      string = text.slice(at, end + 1);
      at = end;
    } else if (unit === OBJECT) levels.push({ keys: new Set(), last: "" });
    else if (unit === LIST) levels.push({ last: 0 });
    else if (unit === OBJECT_END || unit === LIST_END) levels.pop();
    else if (unit === COMMA && typeof level?.last === "number") level.last++;
    else if (unit === COLON && level?.keys !== undefined) {
      level.last = string.includes("\\") ? JSON.parse(string) : string.slice(1, -1);
      if (level.keys.has(level.last)) throw givenTwice(levels.map(({ last }) => last));
      level.keys.add(level.last);
    }
  }
}

function givenTwice(path: (string | number)[]): BadRequest {
  const shown = pointer(path.map((key) => beginningOf(String(key))));
  return new BadRequest(`The body gives ${shown} twice; send it once.`, [
    { path: shown, message: "given twice" },
  ]);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const BACKSLASH = 0x5c;

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

const MOST_FAULTS = 20;

/**
 * Refuses a document whose blocks are no nodes: the shapes of the contract would name every one of them, and take seconds
 * and gigabytes for it. What is in a node is `prose/`'s to check.
 */
function assertNodes(value: unknown): void {
  const content = fieldOf(fieldOf(value, "doc"), "content");
  if (!Array.isArray(content)) return;
  const details: Detail[] = [];
  for (let at = 0; at < content.length && details.length < MOST_FAULTS; at++) {
    if (typeof fieldOf(content[at], "type") === "string") continue;
    details.push({ path: `/doc/content/${at}`, message: "must be a node: an object with a type" });
  }
  const [first] = details;
  if (first !== undefined)
    throw new BadRequest(`The body is not valid: ${first.path} ${first.message}.`, details);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

type QueryReader = (url: string) => Record<string, unknown>;

const readers = new Map<Endpoint["query"], QueryReader>();

/**
 * A reader of a row's query: digits become numbers if the row wants one. It throws `BadRequest` for a parameter
 * that is unknown, given twice or not UTF-8: a misspelt `dryRun` must not write. Made once a row, for zod compiles a
 * schema at its first use.
 */
export function queryReader(query: Endpoint["query"]): QueryReader {
  const reader = readers.get(query) ?? makeReader(query);
  readers.set(query, reader);
  return reader;
}

function makeReader({ shape }: Endpoint["query"]): QueryReader {
  const schema = z.strictObject(shape);
  const { data: none } = schema.safeParse({});
  return (url) => {
    const start = url.indexOf("?");
    if (start < 0 && none !== undefined) return { ...none };
    const given: Record<string, unknown> = Object.create(null);
    if (start >= 0) {
      for (const pair of url.slice(start + 1).split("&")) {
        if (pair !== "") addParameter(given, pair, schema);
      }
    }
    return validate(schema, given, "The query");
  };
}

function addParameter(given: Record<string, unknown>, pair: string, schema: Endpoint["query"]): void {
  const split = pair.indexOf("=");
  const name = decodePart(split < 0 ? pair : pair.slice(0, split));
  if (Object.hasOwn(given, name)) {
    const shown = beginningOf(name);
    throw new BadRequest(`The query gives ${shown} twice; send it once.`, [
      { path: `/${shown}`, message: "given twice" },
    ]);
  }
  const value = decodePart(split < 0 ? "" : pair.slice(split + 1));
  given[name] = isNumber(schema.shape[name]) && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch {
    throw new BadRequest("The query is not valid percent-encoded UTF-8.");
  }
}

function isNumber(field: z.core.$ZodType | undefined): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) return isNumber(field.unwrap());
  if (field instanceof z.ZodUnion) return field.options.some((option) => isNumber(option as z.core.$ZodType));
  return field instanceof z.ZodNumber;
}
