import * as z from "zod";
import type { RefusalCode } from "../refusals.ts";
import type { TIERS } from "./enums.ts";
import { id } from "./fields.ts";

/** What a call costs and needs. */
export type Tier = (typeof TIERS)[number];
/** Who may call a row of the owner's: the owner alone, or anyone, to sign in. */
export type Access = "owner" | "anyone";
/** The HTTP methods that rows use. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** How long a call may take: as a few rows, as a chapter or the body that is sent for one, or as a whole book. */
export type Cost = "light" | "chapter" | "book";
type Shape = z.ZodObject<z.ZodRawShape>;

/** What a route takes as its body. */
export interface Body {
  /** The JSON body. */
  json: z.ZodType;
  /** The route also takes bare Markdown, read as `{markdown: TEXT}`; the limit is then that of Markdown. */
  markdown?: boolean;
  /** What to do instead of sending blank Markdown. */
  blank?: string;
  /** `application/json` may hold a chapter's prose: its limit is then that of a native document. */
  document?: boolean;
  /** The limit of a row that takes more than others. */
  limitBytes?: number;
}

/** True if a request may come without this body, for no key of its JSON is required. */
export function mayBeLeftOut({ json, markdown = false }: Body): boolean {
  return !markdown && json.safeParse({}).success;
}

/**
 * One row a route; everything that anyone says about the route follows from it. `params` and `query` are objects of
 * string-like fields; a query field that is a number is read from its digits.
 */
export interface Endpoint {
  /** The exported name of the row; its function in `handlers.ts` and its `operationId` have the same. */
  id: string;
  method: Method;
  /** The specification's own template, relative to the base address. */
  path: string;
  tier: Tier;
  /** One worker answers whatever costs a book, so that nobody else waits for it. */
  cost: Cost;
  /** True for a write that a key which may propose but not write may ask for, too, on what it made itself. */
  ownByProposers?: true;
  /** True for what goes beyond the specification. */
  beyond?: boolean;
  summary: string;
  /** What the summary leaves out: rules and their cost, in plain sentences. */
  description?: string;
  params: Shape;
  query: Shape;
  body?: Body;
  answer: z.ZodType;
  /** Its answer goes on: a stream of events, each of whose data is of this shape, until a side ends it. */
  isStream?: boolean;
  /** Its answer is a file of one of these media types. */
  mediaTypes?: readonly string[];
  /** A read whose answer has an ETag, and 304. */
  hasEntityTag?: boolean;
  /** Its answer has a bare Markdown form, too. */
  hasBareForm?: boolean;
  /** A write whose answer has the ETag of this record: the one in the path, else the one in the answer. */
  tagged?: "book" | "part" | "chapter" | "fact" | "snippet";
  /** 201 with `Location`, if something is made; `location` is a template over the answer's `id`. */
  created?: { location: string };
  /**
   * The row that answers bodies with this key by the same route, instead of this one: its own tier is asked for once the
   * body is read, and it is listed nowhere else.
   */
  sibling?: { key: string; row: Endpoint };
  /** Refusals beyond those of the tier (unauthorized, category_disabled, …) and of the shape (bad_request, …). */
  refusals: readonly RefusalCode[];
  /** A body that works on the sample manuscript, its ids in braces as in the path. */
  example: { query?: Readonly<Record<string, string>>; body?: unknown; markdown?: string };
}

/** A row of the owner's page: no API key opens it, no document lists it, and no plan limits it. */
export interface OwnerEndpoint extends Omit<Endpoint, "tier"> {
  tier: Access;
  /** Its answer is kept for an `Idempotency-Key`. */
  keepsReply?: boolean;
  /** Its answer holds a key, or what a session is claimed by: no cache may keep it. */
  holdsSecret?: boolean;
}

const none = z.object({});

/** Every write can be tried first. */
export const writing = z.object({
  dryRun: z
    .enum(["1", "0", "true", "false"])
    .optional()
    .meta({ description: "1: answer as if it were done, and write nothing.", default: "0" }),
});

type Derived = "id" | "method" | "path" | "cost" | "params" | "query" | "refusals" | "example";

/**
 * A row as it is written. Its path says its parameters: every one is an id, and may not be found. Without a `cost` it
 * is light. Without a `query` a write takes `dryRun`, any other call nothing. Its `id` is its exported name.
 */
interface EndpointRow
  extends Omit<Endpoint, Derived | "tier">,
    Partial<Pick<Endpoint, "cost" | "query" | "refusals" | "example">> {
  tier: Tier | Access;
  keepsReply?: boolean;
  holdsSecret?: boolean;
  route: `${Method} /${string}`;
}

type Names<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

type Completed<Row extends EndpointRow> = Omit<Row, "cost" | "refusals" | "example"> &
  Pick<Endpoint, "id" | "method" | "path" | "cost" | "refusals" | "example"> & {
    params: z.ZodObject<{ [Name in Names<Row["route"]>]: z.ZodString }>;
    query: Row extends { query: Shape }
      ? unknown
      : Row["tier"] extends "write" | "propose"
        ? typeof writing
        : typeof none;
  };

/** The endpoint that a row describes, with its exact types kept. */
export function endpoint<const Row extends EndpointRow>(row: Row): Completed<Row> {
  const [method, path = ""] = row.route.split(" ");
  const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, id]));
  const refusals = [...(path.includes("{") ? ["not_found"] : []), ...(row.refusals ?? [])];
  const query = row.tier === "write" || row.tier === "propose" ? writing : none;
  const derived = { id: "", method, path, cost: "light", params: z.object(params), query, example: {} };
  return { ...derived, ...row, refusals } as unknown as Completed<Row>; // a route is a method and a path
}

/** What a handler receives of a row: parsed path parameters, query and body. */
export interface RowInput<Row extends Omit<Endpoint, "tier">> {
  params: z.output<Row["params"]>;
  query: z.output<Row["query"]>;
  body: Row["body"] extends Body ? z.output<Row["body"]["json"]> : undefined;
}

/** The object that a row's answer is made of. */
export type RowAnswer<Row extends Omit<Endpoint, "tier">> = z.input<Row["answer"]>;
