import * as refusals from "../../refusals.ts";
import type { Endpoint } from "../endpoint.ts";
import { HTTP } from "../index.ts";
import type { BESIDE_API } from "../problems.ts";
import { jsonSchema } from "./llms-schemas.ts";

/** A native document with the nodes that novels are made of; ids are examples. */
export const DOCUMENT = {
  type: "doc",
  content: [
    {
      type: "heading",
      attrs: { blockId: "b_1", level: 1 },
      content: [{ type: "text", text: "The Late Ferry" }],
    },
    {
      type: "paragraph",
      attrs: { blockId: "b_2" },
      content: [
        {
          type: "text",
          marks: [{ type: "mention", attrs: { mentionId: "me_1", factId: "fa_1" } }],
          text: "Edda",
        },
        { type: "text", text: " was " },
        { type: "text", marks: [{ type: "em" }], text: "very" },
        { type: "text", text: " late." },
      ],
    },
    { type: "scene_break", attrs: { blockId: "b_3", markup: "***" } },
    { type: "paragraph", attrs: { blockId: null }, content: [{ type: "text", text: "A new paragraph." }] },
  ],
} as const;

/** JSON bodies that a row takes, by a word for each; none if it takes no body. */
export function bodies({ body, example }: Endpoint): Record<string, unknown> {
  if (body === undefined) return {};
  if (example.markdown === undefined) return { example: example.body };
  const takesDocument = jsonSchema(body.json, "input").anyOf?.some(
    ({ properties }) => "doc" in (properties ?? {}),
  );
  return { markdown: { markdown: example.markdown }, ...(takesDocument ? { doc: { doc: DOCUMENT } } : {}) };
}

/** The codes that the API answers with: all but the command line's own, and `internal` for our bugs. */
export type ProblemCode = Exclude<refusals.RefusalCode, (typeof BESIDE_API)[number]> | "internal";

const REFUSALS: Readonly<Record<Exclude<ProblemCode, "internal">, refusals.Refusal>> = {
  headers_too_large: new refusals.HeadersTooLarge(),
  forbidden_origin: new refusals.ForbiddenOrigin(
    "Pages of other sites may not reach this server; call it from a program instead.",
  ),
  rate_limited: new refusals.RateLimited(42),
  unauthorized: new refusals.Unauthorized('Send your API key as "Authorization: Bearer <API_KEY>".'),
  method_not_allowed: new refusals.MethodNotAllowed("POST", ["GET", "HEAD"]),
  category_disabled: new refusals.CategoryDisabled("This key allows read, not write."),
  subscription_required: new refusals.SubscriptionRequired(),
  unsupported_media_type: new refusals.UnsupportedMediaType(
    "This route takes application/json; send Content-Type: application/json.",
  ),
  payload_too_large: new refusals.PayloadTooLarge(
    "The body is over the limit of 1048576 bytes (1 MiB) of this route.",
  ),
  bad_request: new refusals.BadRequest(
    'The body is not valid: /titel is not a key that is known here; did you mean "title"?',
    [{ path: "/titel", message: 'is not a key that is known here; did you mean "title"?' }],
  ),
  not_found: new refusals.NotFound("chapter"),
  insufficient_credits: new refusals.InsufficientCredits(4, 1),
  revision_conflict: new refusals.RevisionConflict("chapter", 8),
  conflict: new refusals.Conflict("It cannot be undone any more: chapters ch_1 (changed) changed since.", {
    standing: [{ table: "chapters", id: "ch_1", reason: "changed" }],
  }),
  unavailable: new refusals.Unavailable(
    "The manuscript is busy: another program is writing it. Nothing was written; try again in a moment.",
  ),
};

/** An error as the API sends it: its body, and the headers that come with it. */
export function problemExample(code: ProblemCode): {
  body: Record<string, unknown>;
  headers: readonly string[];
} {
  if (code === "internal") {
    const message =
      "Something went wrong here; nothing was written. Please report it with the request id 7f3a-1.";
    return { body: { error: code, message, requestId: "7f3a-1" }, headers: [] };
  }
  const refusal = REFUSALS[code];
  const body = { error: code, message: refusal.wordedFor(HTTP), ...refusal.extra };
  return { body, headers: Object.keys(refusal.headers) };
}
