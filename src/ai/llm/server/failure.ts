/**
 * Why a language model gave no answer that can be used: one word or two, safe to show in a header. It holds nothing of
 * the prose, of the server's words or of the key.
 */
export class ModelFailure extends Error {
  /**
   * `timeout`, `unreachable`, `redirect`, `http_STATUS`, `server_error`, `too_large`, `invalid_answer`, `no_quotes`,
   * `unsupported`, `short_context`, `not_allowed`.
   */
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`the language model failed: ${reason}`, options);
    this.name = "ModelFailure";
    this.reason = reason;
  }
}

/** The request is longer than the server's context. */
export class ShortContext extends ModelFailure {
  /** How many tokens it reads, if it has said so. */
  readonly contextTokens: number | undefined;

  constructor(contextTokens?: number) {
    super("short_context");
    this.contextTokens = contextTokens;
  }
}

/** An answer other than 2xx, or an error in one that calls itself well. */
export class Refused extends ModelFailure {
  readonly status: number;
  /** Pause that its `Retry-After` asks for. */
  readonly pauseMs: number | undefined;
  readonly about: Complaint | undefined;

  constructor(
    status: number,
    { pauseMs, about }: { pauseMs?: number | undefined; about?: Complaint | undefined },
  ) {
    super(status < 300 ? "server_error" : `http_${status}`);
    this.status = status;
    this.pauseMs = pauseMs;
    this.about = about;
  }

  /** True if it is the request itself that the server takes issue with. */
  get isOfRequest(): boolean {
    return this.status < 300 || this.status === 400 || this.status === 422;
  }
}

/** A part of a request that some models refuse. */
export type Wish = "temperature" | "length" | "schema";

/** The parameter that a server's error is about. */
export type Complaint = Wish | "model";
