import { type Complaint, type ModelFailure, Refused, ShortContext } from "./failure.ts";

const CONTEXT =
  /exceed_context|context[_ ](?:length|size|window)|maximum context|longer than the context|prompt is too long|too many tokens|n_ctx|n_keep/i;
const SIZES = [
  /"n_ctx"\s*:\s*(\d+)/,
  /maximum context length (?:is|of) (\d+)/i,
  /context (?:size|length|window) (?:is |of |\()?(\d+)/i,
];

// In this order: an error about one often names those before it in what it would have instead.
const COMPLAINTS: readonly (readonly [Complaint, RegExp])[] = [
  ["temperature", /temperature|\btop_p\b/i],
  ["length", /max_(?:completion_|output_)?tokens/i],
  ["schema", /response_format|json_?schema|json_object|structured output|grammar|\bschema\b/i],
  [
    "model",
    /model_not_found|\bmodel\b[^.]*\b(?:not found|not exist|not loaded|unknown)|(?:unknown|invalid) model|no models? loaded/i,
  ],
];

/**
 * The failure that an error's words tell of. They are read for what they are about and go no further: a server may have
 * put the prose or the key into them.
 */
export function failureOf(status: number, words: string, pauseMs?: number): ModelFailure {
  if (status !== 401 && status !== 403 && status !== 429 && CONTEXT.test(words)) {
    const size = SIZES.map((pattern) => pattern.exec(words)?.[1]).find((found) => found !== undefined);
    return new ShortContext(size === undefined ? undefined : Number(size));
  }
  const about = COMPLAINTS.find(([, pattern]) => pattern.test(words))?.[0];
  return new Refused(status, { pauseMs, about });
}

/** The failure that an `error` in an answer of status 200 tells of; its `code` may be the status that was meant. */
export function failureIn(error: unknown): ModelFailure {
  const words = JSON.stringify(error);
  const code =
    typeof error === "object" && error !== null && "code" in error ? Number(error.code) : Number.NaN;
  return failureOf(Number.isInteger(code) && code >= 400 && code < 600 ? code : 200, words);
}
