import type { Body } from "../contract/endpoint.ts";
import { LIMITS } from "../contract/limits.ts";
import { BadRequest } from "../refusals.ts";
import { decodeUtf8 } from "../text/utf8.ts";
import type { SentBody } from "./helpers/asked.ts";

/**
 * A body as the row takes it: the JSON value, or `{markdown: TEXT}` for bare Markdown. Throws `BadRequest`; never
 * answers with a character that was not sent.
 */
export function parseBody({ bytes, isMarkdown }: SentBody, body: Body): unknown {
  const text = decode(bytes);
  if (!isMarkdown) return parseJson(text);
  if (text.trim() === "") throw new BadRequest(`The body is blank; ${body.blank ?? "send the Markdown"}.`);
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
