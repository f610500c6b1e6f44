import { failureIn } from "./complaint.ts";
import { type Fields, fieldsOf } from "./fields.ts";
import { parseJson } from "./parse-json.ts";

/** A model's answer. */
export interface ModelAnswer {
  text: string;
  /** Its reasoning, where the server reports it separately; some put the answer itself there. */
  thoughts: string;
  /** True if the server cut it off at its limit. */
  isCut: boolean;
  /** How many tokens the server counted of the prompt; undefined if it does not tell. */
  promptTokens: number | undefined;
}

/**
 * The answer of `/chat/completions`, as one object or as a stream of events, whatever was asked for; undefined if it is
 * none. Throws `ModelFailure` if it is an error that calls itself an answer.
 */
export function readCompletion(body: string): ModelAnswer | undefined {
  const pieces = piecesOf(body);
  const error = pieces.map((piece) => piece.error).find((found) => found !== undefined && found !== null);
  if (error !== undefined) throw failureIn(error);
  const choices = pieces.flatMap(({ choices: all }) =>
    Array.isArray(all) ? all.slice(0, 1).map(fieldsOf) : [],
  );
  if (choices.length === 0) return undefined;
  const messages = choices.map(({ message, delta }) => fieldsOf(message ?? delta));
  const joined = (read: (message: Fields) => string) => messages.map(read).join("");
  return {
    text: joined(({ content }) => textOf(content)),
    thoughts: joined(({ reasoning_content, reasoning }) => textOf(reasoning_content) || textOf(reasoning)),
    isCut: choices.some(({ finish_reason }) => finish_reason === "length"),
    promptTokens: pieces
      .map(({ usage }) => fieldsOf(usage).prompt_tokens)
      .find((count) => typeof count === "number"),
  };
}

/** The objects of a body: itself, or those of its events. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html. */
function piecesOf(body: string): Fields[] {
  const whole = parseJson(body);
  if (whole !== undefined) return [fieldsOf(whole)];
  return body
    .split(/\r\n|\n|\r/)
    .flatMap((line) => (line.startsWith("data:") ? [fieldsOf(parseJson(line.slice("data:".length)))] : []));
}

/** Content is a text, or parts of which some have one. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (typeof part === "string" ? part : textOf(fieldsOf(part).text))).join("");
}
