import type { RowAnswer, RowInput } from "../../../contract/endpoint.ts";
import type { ENDPOINTS, OWNER_ENDPOINTS } from "../../../contract/index.ts";

type Rows = typeof ENDPOINTS & typeof OWNER_ENDPOINTS;

/** The name of an operation that the page can ask for. */
export type Operation = keyof Rows;
/** The answer of an operation. */
export type Answer<Id extends Operation> = RowAnswer<Rows[Id]>;
type Given<Id extends Operation> = RowInput<Rows[Id]>;

/** The request of an operation; `params` where its path has any. */
export type Sent<Id extends Operation> = {
  query?: Partial<Given<Id>["query"]>;
  /** The entity tag that the record must still have; without it nothing is compared. */
  ifMatch?: string | undefined;
  signal?: AbortSignal;
} & (Given<Id>["params"] extends Record<string, never>
  ? { params?: never }
  : { params: Given<Id>["params"] }) &
  (Given<Id>["body"] extends undefined ? { body?: never } : { body: Given<Id>["body"] });
