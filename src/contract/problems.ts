import type { RefusalCode } from "../refusals.ts";

/** How a refusal is told: by HTTP's status and by the command's exit code. */
interface Problem {
  status: number;
  exit: number;
  when: string;
  /** True for codes that go beyond the specification. */
  beyond?: boolean;
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

/** Every code of an error body, in the order in which a request is checked. */
export const PROBLEMS: Readonly<Record<RefusalCode, Problem>> = {
  forbidden_origin: {
    status: 403,
    exit: EXIT.failed,
    beyond: true,
    when: "the Host is not this machine's, or another site's page asks",
  },
  rate_limited: {
    status: 429,
    exit: EXIT.failed,
    beyond: true,
    when: "more than 10 failed keys a minute from one address",
  },
  unauthorized: {
    status: 401,
    exit: EXIT.account,
    when: "no key, or one that is unknown, malformed, revoked or expired",
  },
  method_not_allowed: {
    status: 405,
    exit: EXIT.usage,
    beyond: true,
    when: "the path is there, the method is not; see Allow",
  },
  category_disabled: {
    status: 403,
    exit: EXIT.account,
    when: "this tier is switched off for this key or this server",
  },
  subscription_required: { status: 403, exit: EXIT.account, when: "a write without an active subscription" },
  unsupported_media_type: {
    status: 415,
    exit: EXIT.usage,
    beyond: true,
    when: "a body type that the route does not take",
  },
  payload_too_large: {
    status: 413,
    exit: EXIT.usage,
    beyond: true,
    when: "Markdown over 4 MiB, a document over 16 MiB, any other body over 1 MiB",
  },
  bad_request: {
    status: 400,
    exit: EXIT.usage,
    when: "malformed JSON, a wrong type, an unknown key, blank text; see details",
  },
  not_found: { status: 404, exit: EXIT.notFound, when: "missing, or not yours" },
  insufficient_credits: {
    status: 402,
    exit: EXIT.account,
    when: "an AI call when allowance and credits are out",
  },
  revision_conflict: {
    status: 412,
    exit: EXIT.conflict,
    beyond: true,
    when: "If-Match or ifRevision is not the current revision",
  },
  conflict: {
    status: 409,
    exit: EXIT.conflict,
    beyond: true,
    when: "an undo or an anchor whose ground has moved",
  },
  would_lose: {
    status: 409,
    exit: EXIT.wouldLose,
    beyond: true,
    when: "the command line only: files would be overwritten",
  },
  unavailable: {
    status: 503,
    exit: EXIT.failed,
    beyond: true,
    when: "disk full, read-only or busy file, no engine; nothing was written",
  },
};

/** A bug of ours; the answer shows the request's id and nothing else. */
export const INTERNAL: Problem & { code: "internal" } = {
  code: "internal",
  status: 500,
  exit: EXIT.failed,
  beyond: true,
  when: "a bug",
};
