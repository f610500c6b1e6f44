import type { RefusalCode } from "../refusals.ts";

/** How a refusal is told: by HTTP's status and by the command's exit code. */
interface Problem {
  status: number;
  exit: number;
  when: string;
}

/** The exit codes of the command line. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  account: 4,
  conflict: 5,
  wouldLose: 6,
} as const;

/** What each exit code means, for the help and the README. */
export const EXIT_MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done",
  failed: "failed",
  usage: "wrong usage",
  notFound: "not found",
  account: "key, subscription or credits",
  conflict: "conflict: something has changed since",
  wouldLose: "refused, because something would be lost",
};

/** Every code of an error body, in the order in which a request is checked: its status, its exit code, and when. */
const TABLE = {
  headers_too_large: [431, "usage", "address and headers over 16 KiB"],
  forbidden_origin: [403, "failed", "the Host is not this machine's, or another site's page asks"],
  rate_limited: [429, "failed", "more than 10 failed keys a minute from one address"],
  unauthorized: [401, "account", "no key, or one that is unknown, revoked or expired"],
  method_not_allowed: [405, "usage", "the path is there, the method is not; see Allow"],
  category_disabled: [403, "account", "this tier is switched off for this key or this server"],
  subscription_required: [403, "account", "a write without an active subscription"],
  unsupported_media_type: [415, "usage", "a body type that the route does not take"],
  payload_too_large: [
    413,
    "usage",
    "Markdown over 4 MiB, a document over 16 MiB, any other body over 1 MiB, a chapter of over 10,000 paragraphs",
  ],
  bad_request: [400, "usage", "malformed JSON, a wrong type, an unknown key, blank text; see details"],
  not_found: [404, "notFound", "missing, or not yours"],
  insufficient_credits: [402, "account", "an AI call when allowance and credits are out"],
  revision_conflict: [412, "conflict", "If-Match or ifRevision is not what is there now"],
  conflict: [
    409,
    "conflict",
    "an undo or an anchor whose ground has moved, an Idempotency-Key of another request",
  ],
  gone: [
    410,
    "notFound",
    "the owner's page only: a link or a code of signing in that is used up or has expired",
  ],
  would_lose: [409, "wouldLose", "the command line only: files would be overwritten"],
  unavailable: [503, "failed", "disk full, read-only or busy file, no engine; nothing was written"],
} as const satisfies Readonly<Record<RefusalCode, readonly [number, keyof typeof EXIT, string]>>;

/** How each code is told, in the same order. */
export const PROBLEMS = Object.fromEntries(
  Object.entries(TABLE).map(([code, [status, exit, when]]) => [code, { status, exit: EXIT[exit], when }]),
) as Readonly<Record<RefusalCode, Problem>>; // the table's own keys

/** Codes that no endpoint of the documents answers with: the command line's own, and the owner's page's. */
export const BESIDE_API = ["would_lose", "gone"] as const satisfies readonly RefusalCode[];

/** A bug of ours; the answer shows the request's id and nothing else. */
export const INTERNAL = { code: "internal", status: 500, exit: EXIT.failed, when: "a bug" } as const;
