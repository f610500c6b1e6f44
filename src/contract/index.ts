import type { Face } from "../refusals.ts";
import type { Endpoint, OwnerEndpoint, RowAnswer, RowInput } from "./endpoint.ts";
import * as acts from "./rows/acts.ts";
import * as ai from "./rows/ai.ts";
import * as appearances from "./rows/appearances.ts";
import * as books from "./rows/books.ts";
import * as chapters from "./rows/chapters.ts";
import * as facts from "./rows/facts.ts";
import * as language from "./rows/language.ts";
import * as milestones from "./rows/milestones.ts";
import * as moves from "./rows/moves.ts";
import * as owner from "./rows/owner.ts";
import * as pace from "./rows/pace.ts";
import * as passages from "./rows/passages.ts";
import * as proposals from "./rows/proposals.ts";
import * as replace from "./rows/replace.ts";
import * as search from "./rows/search.ts";
import * as session from "./rows/session.ts";
import * as snippets from "./rows/snippets.ts";
import * as timeline from "./rows/timeline.ts";

/** Every route, by the name of its operation. */
export const ENDPOINTS = {
  ...books,
  ...chapters,
  ...moves,
  ...search,
  ...replace,
  ...facts,
  ...snippets,
  ...ai,
  ...proposals,
  ...milestones,
  ...acts,
  ...timeline,
  ...appearances,
  ...language,
  ...pace,
  ...passages,
} satisfies Record<string, Endpoint>;

/** Every route of the owner's page, by the name of its operation: for a signed-in page and the owner's own command. */
export const OWNER_ENDPOINTS = { ...session, ...owner } satisfies Record<string, OwnerEndpoint>;

const ROWS = { ...ENDPOINTS, ...OWNER_ENDPOINTS };

/** The route by which an operation is called, as a message or a document names it: "GET /books/{bookId}". */
export function routeOf(id: RowId): string {
  const { method, path } = ROWS[id];
  return `${method} ${path}`;
}

/** A refusal names endpoints. */
export const HTTP: Face = {
  nameOf: ({ call, edits }) => {
    if (call === "readChapter") return `${routeOf(call)}?format=doc`;
    return edits === undefined ? routeOf(call) : `${routeOf(call)} with {"edits": [${edits.join(", ")}]}`;
  },
};

/** The name of an operation. */
export type EndpointId = keyof typeof ENDPOINTS;
/** The name of an operation of the owner's page. */
export type OwnerEndpointId = keyof typeof OWNER_ENDPOINTS;
/** The name of any operation. */
export type RowId = EndpointId | OwnerEndpointId;
type Rows = typeof ENDPOINTS & typeof OWNER_ENDPOINTS;
/** The object that an operation answers with. */
export type AnswerOf<Id extends RowId> = RowAnswer<Rows[Id]>;
/** What an operation receives: path parameters, query and body, checked. */
export type InputOf<Id extends RowId> = RowInput<Rows[Id]>;
/** The body of an operation, checked. */
export type BodyOf<Id extends RowId> = InputOf<Id>["body"];

const rows: readonly Endpoint[] = Object.entries(ENDPOINTS).map(([id, row]) => Object.assign(row, { id }));
const isSibling = (row: Endpoint) => rows.some(({ sibling }) => sibling?.row === row);

/** The rows as a list, each by now under its name: one a route. */
export const endpoints = rows.filter((row) => !isSibling(row));

/** The rows that answer some bodies of another row's route. */
export const siblings = rows.filter(isSibling);

/** The owner's rows, likewise. */
export const ownerEndpoints: readonly OwnerEndpoint[] = Object.entries(OWNER_ENDPOINTS).map(([id, row]) =>
  Object.assign(row, { id }),
);

export type { Endpoint, OwnerEndpoint, Tier } from "./endpoint.ts";
export { problem } from "./fields.ts";
