/**
 * Why a language model gave no answer that can be used: one word or two, safe to show in a header. It holds nothing of
 * the prose, of the server's words or of the key.
 */
export class ModelFailure extends Error {
  /** `timeout`, `unreachable`, `redirect`, `http_STATUS`, `too_large`, `invalid_answer`, `no_quotes`, `short_context`, `not_allowed`. */
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`the language model failed: ${reason}`, options);
    this.name = "ModelFailure";
    this.reason = reason;
  }
}
