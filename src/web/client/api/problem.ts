/** A request that was refused or never arrived. `status` is 0 where the server was not reached. */
export class Problem extends Error {
  override name = "Problem";

  readonly status: number;
  readonly code: string;
  /** The other fields of the answer, by the contract. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }

  /** The server was not reached: it was stopped, or the computer sleeps. */
  get isOffline(): boolean {
    return this.status === 0;
  }
}

/** Returns anything thrown as a problem that can be shown. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem(-1, "bug", thrown instanceof Error ? thrown.message : String(thrown));
}
