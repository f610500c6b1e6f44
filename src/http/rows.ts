import type { IncomingMessage } from "node:http";
import { type Endpoint, endpoints, type OwnerEndpoint, ownerEndpoints } from "../contract/index.ts";
import { Gone, MethodNotAllowed } from "../refusals.ts";
import { type BindOptions, bind, type RowHandler } from "./bind.ts";
import { DOCUMENT_PATHS } from "./documents.ts";
import { type Authenticate, type Principal, whoAsks } from "./door/auth.ts";
import type { Failures } from "./door/failures.ts";
import { assertOwnPage } from "./door/guard.ts";
import { Paths } from "./door/paths.ts";
import type { Answering } from "./send.ts";

/** Answers a request for a path of the contract; false, with nothing done, for any other. */
export type AnswerRow = (request: IncomingMessage, response: Answering) => boolean;

/** What rows are answered with. */
export interface RowsOptions extends BindOptions {
  /** Before anything else: false if the request is answered already. */
  begin: (request: IncomingMessage, response: Answering) => boolean;
  authenticate: Authenticate;
  /** Attempts to sign in, in vain. */
  failures: Failures;
  /** Answers with what was thrown. */
  fail: (thrown: unknown, response: Answering) => void;
}

/** A path's rows by their methods; without rows it is a document's. */
type Leaf = ReadonlyMap<string, RowHandler>;

/**
 * Answers every row of the contract, each as `bind` says, and refuses other methods at their paths. Rows have no parameters but
 * ids, so a path leads to them by its segments: Express's router would try some ninety patterns, one after another.
 */
export function rowsAnswerer(options: RowsOptions): AnswerRow {
  const paths = pathsOf(options);
  const { begin, fail } = options;
  return (request, response) => {
    const found = paths.find(request.url ?? "");
    if (found === undefined) return false;
    const { leaf, params } = found;
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
    if (leaf.size === 0 && method === "GET") return false;
    try {
      if (!begin(request, response)) return true;
      const answer = leaf.get(method);
      const done =
        answer === undefined
          ? refuse(request, response, { leaf, options })
          : answer(request, response, params);
      done?.catch((thrown: unknown) => fail(thrown, response));
    } catch (thrown) {
      fail(thrown, response);
    }
    return true;
  };
}

function pathsOf(options: RowsOptions): Paths<Leaf> {
  const byPath = new Map<string, Map<string, RowHandler>>(DOCUMENT_PATHS.map((path) => [path, new Map()]));
  for (const row of [...endpoints, ...ownerEndpoints]) {
    const leaf = byPath.get(row.path) ?? new Map<string, RowHandler>();
    leaf.set(row.method, row.tier === "anyone" ? signIn(row, options) : behindKey(row, options));
    byPath.set(row.path, leaf);
  }
  const paths = new Paths<Leaf>();
  for (const [path, leaf] of byPath) paths.add(path, leaf);
  return paths;
}

function behindKey(row: Endpoint | OwnerEndpoint, options: RowsOptions): RowHandler {
  const answer = bind(row, options);
  return (request, response, params) => {
    const answerAs = (principal: Principal) => {
      response.locals.principal = principal;
      return answer(request, response, params);
    };
    return whoAsks(options.authenticate, request, (principal) => {
      if (!isPipelined(response)) return answerAs(principal);
      principal.manuscript.store.lookAgain();
      return answerAs(options.authenticate(request) as Principal); // it is open by now
    });
  };
}

/** True for a request that was sent before the one ahead of it was answered. */
function isPipelined({ socket }: Answering): boolean {
  return socket === null; // it still has that answer
}

/** A row that anyone may ask, to become somebody: from a page of this very server alone. */
function signIn(row: OwnerEndpoint, options: RowsOptions): RowHandler {
  const { failures } = options;
  const visitor = { keyId: null, allow: [], isOwner: false };
  const answer = bind(row, options);
  return async (request, response, params) => {
    assertOwnPage(request.headers);
    response.locals.principal = visitor; // whose manuscript it is, the sessions find out
    const address = request.socket.remoteAddress;
    if (row.id === "createCode") failures.add(address);
    try {
      await answer(request, response, params);
    } catch (error) {
      if (error instanceof Gone) failures.add(address);
      throw error;
    }
  };
}

/** Refuses with `MethodNotAllowed`; to those without a key it says nothing of what there is. */
function refuse(
  request: IncomingMessage,
  response: Answering,
  { leaf, options }: { leaf: Leaf; options: RowsOptions },
): Promise<void> | undefined {
  const methods = leaf.size === 0 ? ["GET"] : [...leaf.keys()];
  return whoAsks(options.authenticate, request, (principal) => {
    response.locals.principal = principal;
    throw new MethodNotAllowed(
      request.method ?? "",
      methods.includes("GET") ? [...methods, "HEAD"] : methods,
    );
  });
}
