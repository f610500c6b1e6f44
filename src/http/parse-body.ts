import type { Body } from "../contract/endpoint.ts";
import { LIMITS } from "../contract/limits.ts";
import { BadRequest, type Detail, PayloadTooLarge } from "../refusals.ts";
import { grouped } from "../text/counted.ts";
import { decodeUtf8 } from "../text/utf8.ts";
import type { SentBody } from "./worker/messages.ts";

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
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
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
    else if (unit === 0x5d || unit === 0x7d) depth--;
    else if (unit === 0x5b || unit === 0x7b) {
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

const QUOTE = 0x22;
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
