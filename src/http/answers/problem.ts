import { existsSync } from "node:fs";
import { HTTP } from "../../contract/index.ts";
import { INTERNAL, PROBLEMS } from "../../contract/problems.ts";
import { BadRequest, Refusal, Unavailable } from "../../refusals.ts";
import { withoutKeys } from "../../text/without-keys.ts";
import type { ProblemAnswer } from "../worker/messages.ts";
import { WorkerProblem } from "../worker.ts";

/** The answer to whatever was thrown: a refusal as it says, anything else 500 with the request's id and nothing more. */
export function toProblem(thrown: unknown, requestId: string): ProblemAnswer {
  if (thrown instanceof WorkerProblem) return thrown.problem;
  const error = refusalFor(thrown);
  if (error instanceof Refusal) {
    const { status } = PROBLEMS[error.code];
    return {
      status,
      headers: error.headers,
      body: withoutAnyKey({ error: error.code, message: error.wordedFor(HTTP), ...error.extra }),
    };
  }
  const message = `Something went wrong here; nothing was written. Please report it with the request id ${requestId}.`;
  return {
    status: INTERNAL.status,
    headers: {},
    body: { error: INTERNAL.code, message, requestId },
    bug: error,
  };
}

const PROGRAM_GONE =
  "The program was moved, removed or replaced while it ran, and this needs a part of it that had not been read yet. Nothing was written now; every save before is in the manuscript. Close its windows, or stop it, and start it again.";

/** Whether an error is of the program's own files, of which many are read only once they are needed. */
function isProgramGone(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || thrown instanceof Refusal) return false;
  const isModule = "code" in thrown && thrown.code === "ERR_MODULE_NOT_FOUND";
  return isModule || !existsSync(import.meta.filename);
}

// A key that was sent as a parameter's name, say, is not told of again.
function withoutAnyKey<Body extends object>(body: Body): Body {
  const text = JSON.stringify(body);
  return /ms[ks]_/.test(text) ? JSON.parse(withoutKeys(text)) : body;
}

/** The refusal that an error of others means, or what was thrown itself. */
function refusalFor(thrown: unknown): unknown {
  // Express's router throws URIError-like errors of its own for a path that does not decode.
  if (
    thrown instanceof URIError ||
    (thrown instanceof Error && "status" in thrown && thrown.status === 400)
  ) {
    return new BadRequest("The path is not valid percent-encoded UTF-8.");
  }
  return isProgramGone(thrown) ? new Unavailable(PROGRAM_GONE) : thrown;
}
