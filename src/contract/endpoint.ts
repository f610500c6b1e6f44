import * as z from "zod";
import type { RefusalCode } from "../refusals.ts";
import type { TIERS } from "./enums.ts";

/** What a call costs and needs. */
export type Tier = (typeof TIERS)[number];
/** The HTTP methods that rows use. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Shape = z.ZodObject<z.ZodRawShape>;

/** What a route takes as its body. */
export interface Body {
  /** The JSON body. */
  json: z.ZodType;
  /** The route also takes bare Markdown, read as `{markdown: TEXT}`; the limit is then that of Markdown. */
  markdown?: boolean;
  /** `application/json` may hold a chapter's prose: its limit is then that of a native document. */
  document?: boolean;
}

/**
 * One row a route; everything that anyone says about the route follows from it. `params` and `query` are objects of
 * string-like fields; a query field that is a number is read from its digits.
 */
export interface Endpoint {
  /** The operation's name: `handlers.ts` has one function of this name, OpenAPI shows it as `operationId`. */
  id: string;
  method: Method;
  /** The specification's own template, relative to the base address. */
  path: string;
  tier: Tier;
  /** True for what goes beyond the specification. */
  beyond?: boolean;
  summary: string;
  /** What the summary leaves out: rules and their cost, in plain sentences. */
  description?: string;
  params: Shape;
  query: Shape;
  body?: Body;
  answer: z.ZodType;
  /** The answer has an ETag, a bare Markdown form and 304. */
  hasEntityTag?: boolean;
  /** 201 with `Location`, if something is made; `location` is a template over the answer's `id`. */
  created?: { location: string };
  /** Refusals beyond those of the tier (unauthorized, category_disabled, …) and of the shape (bad_request, …). */
  refusals: readonly RefusalCode[];
  /** A body that works on the sample manuscript, its ids in braces as in the path. */
  example: { query?: Readonly<Record<string, string>>; body?: unknown; markdown?: string };
}

/** A row, with its exact types kept. */
export function endpoint<const Row extends Endpoint>(row: Row): Row {
  return row;
}

/** What a handler receives of a row: parsed path parameters, query and body. */
export interface RowInput<Row extends Endpoint> {
  params: z.output<Row["params"]>;
  query: z.output<Row["query"]>;
  body: Row["body"] extends Body ? z.output<Row["body"]["json"]> : undefined;
}

/** The object that a row's answer is made of. */
export type RowAnswer<Row extends Endpoint> = z.input<Row["answer"]>;

/** No parameters. */
export const none = z.object({});

/** A switch of the query string: `?dryRun=1`. */
const flag = z.enum(["1", "0", "true", "false"]);

/** Every write can be tried first. */
export const writing = z.object({
  dryRun: flag
    .optional()
    .meta({ description: "1: answer as if it were done, and write nothing.", default: "0" }),
});
