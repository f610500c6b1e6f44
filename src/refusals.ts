/**
 * Every stable error code of the API. Status and exit code of each: `contract/problems.ts`. Source: llms.txt, Errors.
 */
export type RefusalCode =
  | "bad_request"
  | "unauthorized"
  | "insufficient_credits"
  | "subscription_required"
  | "category_disabled"
  | "forbidden_origin"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "revision_conflict"
  | "headers_too_large"
  | "payload_too_large"
  | "unsupported_media_type"
  | "rate_limited"
  | "would_lose"
  | "gone"
  | "unavailable";

/** One fault of a request body or query; `path` is a JSON Pointer into it ("" is the whole body). */
export interface Detail {
  path: string;
  message: string;
}

/** Calls that help after a refusal, by their names in the contract, and what each does about it. */
const HELP = {
  listBooks: "lists them all",
  readOutline: "lists them all",
  readChapter: "lists them all",
  listRevisions: "lists them all",
  listFacts: "lists them all",
  listSnippets: "lists them all",
  listProposals: "lists them all",
  listMilestones: "lists them all",
  listActs: "lists them all",
  listKeys: "lists them all",
  listSessions: "lists them all",
  listCopies: "lists them all",
  readProposal: "shows each",
  acceptProposal: "accepts the others",
  deleteParagraph: "takes it out",
  insertParagraphs: "puts others behind it",
  replaceProse: "writes the whole chapter",
} as const;

/** The name of a call that helps. */
export type HelpfulCall = keyof typeof HELP;

/** A call that helps, and with what: which proposal, and which of its edits. */
export interface Remedy {
  call: HelpfulCall;
  proposalId?: string;
  edits?: readonly number[];
}

/** How a face words a refusal. */
export interface Face {
  /** The name of a call there: an endpoint, a command, a tool. Undefined if the face has none. */
  nameOf: (remedy: Remedy) => string | undefined;
  /** Its own words for what was not found. */
  nouns?: Readonly<Record<string, string>>;
}

/**
 * An answer that the caller can act on; everything else that is thrown is a bug. The message says what
 * was asked, what is wrong and what to do, and holds neither prose nor a key. `extra` holds the keys that the
 * error body carries besides `error` and `message`, `headers` those of the answer.
 */
export abstract class Refusal extends Error {
  abstract readonly code: RefusalCode;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The calls that help. No message names one: every face has another name for it. */
  remedies: readonly Remedy[] = [];

  constructor(message: string, extra: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
    super(message);
    this.name = new.target.name;
    this.extra = extra;
    this.headers = headers;
  }

  /** This refusal, with the calls that help. */
  helpedBy(...remedies: readonly Remedy[]): this {
    this.remedies = remedies;
    return this;
  }

  /** The message and what helps: "No such act; GET /acts lists them all." */
  wordedFor(face: Face): string {
    const does = new Map<string, string[]>();
    for (const remedy of this.remedies) {
      const name = face.nameOf(remedy);
      if (name !== undefined) does.set(name, [...(does.get(name) ?? []), HELP[remedy.call]]);
    }
    const fault = this.faultFor(face);
    if (does.size === 0) return fault;
    const help = [...does].map(([name, each]) => `${name} ${each.join(" and ")}`).join(", ");
    return `${fault.slice(0, fault.endsWith(".") ? -1 : undefined)}; ${help}.`;
  }

  protected faultFor(_face: Face): string {
    return this.message;
  }
}

/** The request itself is wrong; `details` names each fault. */
export class BadRequest extends Refusal {
  readonly code = "bad_request";
  constructor(message: string, details: readonly Detail[] = [{ path: "", message }]) {
    super(message, { details });
  }
}

/** No key, or one that opens nothing: unknown, malformed, revoked, expired. */
export class Unauthorized extends Refusal {
  readonly code = "unauthorized";
  constructor(message: string) {
    super(message, {}, { "WWW-Authenticate": "Bearer" });
  }
}

/** The AI call costs more credits than allowance and balance hold together. */
export class InsufficientCredits extends Refusal {
  readonly code = "insufficient_credits";
  constructor(required: number, available: number) {
    const left = `${available} ${available === 1 ? "is" : "are"} left`;
    const message = `This call costs ${required} credit${required === 1 ? "" : "s"} and ${left}; add credits with "manuscript account set --credits N".`;
    super(message, { required, available });
  }
}

/** A write without an active subscription. */
export class SubscriptionRequired extends Refusal {
  readonly code = "subscription_required";
  constructor() {
    super(
      'Writing needs an active subscription; switch it on with "manuscript account set --subscription on".',
    );
  }
}

/** The tier is switched off for this key or for the whole server. */
export class CategoryDisabled extends Refusal {
  readonly code = "category_disabled";
}

/** The Host is not this machine's, or another site's page sent the request. */
export class ForbiddenOrigin extends Refusal {
  readonly code = "forbidden_origin";
}

/** The call that lists the ids of each kind. */
const LISTED_BY: Readonly<Record<string, HelpfulCall>> = {
  book: "listBooks",
  part: "readOutline",
  "part in this book": "readOutline",
  chapter: "readOutline",
  "chapter in this book": "readOutline",
  "paragraph in this chapter": "readChapter",
  fact: "listFacts",
  "fact in this book": "listFacts",
  snippet: "listSnippets",
  proposal: "listProposals",
  milestone: "listMilestones",
  act: "listActs",
  "living key": "listKeys",
  session: "listSessions",
  copy: "listCopies",
};

/** Missing and not-owned alike: the same words, so that nobody learns what exists. Built here and nowhere else. */
export class NotFound extends Refusal {
  readonly code = "not_found";
  readonly #what: string;
  constructor(what: string) {
    super(`No such ${what}.`);
    this.#what = what;
    const call = LISTED_BY[what];
    if (call !== undefined) this.helpedBy({ call });
  }

  protected override faultFor({ nouns }: Face): string {
    const noun = nouns?.[this.#what];
    return noun === undefined ? this.message : `No such ${noun}.`;
  }
}

/** The path exists, the method does not; `allow` lists those that do. */
export class MethodNotAllowed extends Refusal {
  readonly code = "method_not_allowed";
  constructor(method: string, allow: readonly string[]) {
    super(`${method} is not answered here; use ${allow.join(" or ")}.`, {}, { Allow: allow.join(", ") });
  }
}

/** An undo or an apply whose target has changed since; `standing` names the rows in the way. */
export class Conflict extends Refusal {
  readonly code = "conflict";
}

/** `If-Match` or `ifRevision` is not the current revision. For a chapter the current one is given. */
export class RevisionConflict extends Refusal {
  readonly code = "revision_conflict";
  constructor(what: string, currentRevision?: number) {
    const now = currentRevision === undefined ? "" : `: it is at revision ${currentRevision}`;
    super(
      `The ${what} has changed since you read it${now}. Read it again and redo your change.`,
      currentRevision === undefined ? {} : { currentRevision },
    );
  }
}

/** `If-None-Match: *` was sent for something that exists. */
export class AlreadyThere extends Refusal {
  readonly code = "revision_conflict";
  constructor(what: string, currentRevision?: number) {
    super(
      `The ${what} is there already, and If-None-Match: * writes only what is not. Leave the header out to replace it.`,
      currentRevision === undefined ? {} : { currentRevision },
    );
  }
}

/** The target and headers of a request are over the limit. */
export class HeadersTooLarge extends Refusal {
  readonly code = "headers_too_large";
  constructor() {
    super("The request's address and headers are over the limit of 16 KiB; send fewer or shorter ones.");
  }
}

/** The body is over the limit of its route. */
export class PayloadTooLarge extends Refusal {
  readonly code = "payload_too_large";
}

/** The route does not take this `Content-Type`. */
export class UnsupportedMediaType extends Refusal {
  readonly code = "unsupported_media_type";
}

/** Too many failed keys from one address. */
export class RateLimited extends Refusal {
  readonly code = "rate_limited";
  constructor(retryAfterSeconds: number, what = "failed keys", remedy = "send a valid key") {
    super(
      `Too many ${what} from this address; wait ${retryAfterSeconds} second${retryAfterSeconds === 1 ? "" : "s"} and ${remedy}.`,
      {},
      { "Retry-After": String(retryAfterSeconds) },
    );
  }
}

/** A sign-in link or code was used, has expired or never existed; the caller can get another. */
export class Gone extends Refusal {
  readonly code = "gone";
}

/** The command line declines to overwrite what the writer made. */
export class WouldLose extends Refusal {
  readonly code = "would_lose";
  /** The sentences that say what would go; a question can be made of them. */
  readonly loss: string;
  constructor(loss: string, remedy = "") {
    super(`${loss} ${remedy}`.trimEnd());
    this.loss = loss;
  }
}

/** The file cannot be written or read now; nothing was written. */
export class Unavailable extends Refusal {
  readonly code = "unavailable";
}

/** The command that gets out of a damaged file whatever is left of it, and of copies beside it. */
export function rescuing(path?: string): string {
  return `manuscript rescue ${path === undefined ? "FILE" : `"${path}"`} -o rescued`;
}

/** A file whose format is newer than this program's. Nothing is wrong with it: the program is to be updated. */
export class NewerFormat extends Unavailable {
  constructor(path: string, { format, known }: { format: number; known: number }) {
    super(
      `${path} was written by a newer version of manuscript: its format is ${format}, and this one reads up to ${known}. Nothing is wrong with it, and it was left as it is; update this program to open it.`,
    );
  }
}

/** A stored record is not what was written. The message names the damaged record and shows nothing of it. */
export class Damaged extends Unavailable {
  constructor(what: string) {
    super(
      `What is stored of ${what} is damaged: it is not what was written. Nothing was changed. "manuscript doctor --mend" brings back what can be proved; for all else run: ${rescuing()}. Until then it takes no write: text that you have elsewhere goes into a new chapter.`,
    );
  }
}

/** Another program is writing the file at this moment: the server tries again before it answers 503. */
export class Busy extends Unavailable {
  constructor() {
    super(
      "The manuscript is busy: another program is writing it. Nothing was written; try again in a moment.",
    );
  }
}
