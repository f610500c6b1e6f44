import type { Method } from "../endpoint.ts";
import { MARKDOWN_TYPES } from "../enums.ts";
import { type Endpoint, problem, routeOf, type Tier } from "../index.ts";
import { LIMITS } from "../limits.ts";
import { BESIDE_API, INTERNAL, PROBLEMS } from "../problems.ts";
import type { ProblemCode } from "./example.ts";
import { type JsonSchema, jsonSchema } from "./llms-schemas.ts";

/** The service in two sentences. */
export const SUMMARY =
  "A writer's own manuscript over HTTP with JSON bodies: books, chapters, the facts of the story map, marginalia. It stores the text that it is sent and writes no prose of its own.";

/** Cost and requirements of each tier. */
export const TIER_COSTS: Readonly<Record<Tier, string>> = {
  read: "Free; a valid key is enough.",
  propose: "Free; a key that may propose or write. Changes no prose, so no subscription is needed.",
  ai: "Spends the owner's credits or the subscription's allowance; a valid key, no subscription needed.",
  write: "No extra cost; a valid key and an active subscription.",
};

/** Sentence about rows that `ownByProposers` marks. */
export const OWN_BY_PROPOSERS = "A key that may propose but not write may use it on what it made itself.";

/** The documents that the API answers about itself, relative to the base address; none needs a key. */
export const DOCUMENTS: readonly {
  path: string;
  id: string;
  type: string;
  schema: JsonSchema;
  summary: string;
  description: string;
}[] = [
  {
    path: "/openapi.json",
    id: "readOpenApi",
    type: "application/json",
    schema: { type: "object" },
    summary: "The contract for machines, in OpenAPI 3.1",
    description: "This document: every endpoint with its schemas, errors and examples.",
  },
  {
    path: "/llms.txt",
    id: "readGuide",
    type: "text/plain",
    schema: { type: "string" },
    summary: "The guide for building integrations, in plain text",
    description: "At most 16 kB: the rules, and the endpoints that an integration begins with.",
  },
  {
    path: "/docs",
    id: "readDocs",
    type: "text/html",
    schema: { type: "string" },
    summary: "The guide as a page for people; a browser gets it at / too",
    description: "With a table of contents, without scripts.",
  },
];

/** A parameter of a route, as OpenAPI names its parts. */
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: JsonSchema;
}

/** What each path parameter is and where its value comes from. */
const IDS: Readonly<Record<string, string>> = {
  bookId: `A book, from ${routeOf("listBooks")}.`,
  partId: `A part, from ${routeOf("readOutline")}.`,
  chapterId: `A chapter, from ${routeOf("readOutline")}.`,
  blockId: `A paragraph, from ${routeOf("readChapter")}?format=doc.`,
  factId: `A fact, from ${routeOf("listFacts")}.`,
  snippetId: `A snippet, from ${routeOf("listSnippets")}.`,
  proposalId: `A proposal, from ${routeOf("listProposals")}.`,
  milestoneId: `A milestone, from ${routeOf("listMilestones")}.`,
  path: "A picture's place in the book's folder, as in `images/map.png`.",
  act: `An act: the answer to every write names its own, ${routeOf("listActs")} lists them.`,
};

const text: JsonSchema = { type: "string" };

/** Headers that a route reads, apart from its key. */
const HEADERS = {
  ifNoneMatch: header("If-None-Match", "The ETag of your copy: 304 without a body while it is still good."),
  ifNew: header("If-None-Match", "`*`: 412 if it is there already."),
  ifMatch: header(
    "If-Match",
    "An ETag that you read of the chapter, fact, snippet, part or book that this is about, or several: 412 unless it is still as it was. For a write of prose the revision alone counts, for an edit of a fact or snippet what it says itself, for a book's title and goal those two; of a merge either fact's, of a part its book's will do, too.",
  ),
  once: header(
    "Idempotency-Key",
    `1 to ${LIMITS.onceCharacters} characters of printable ASCII of your own, such as a UUID: for ${LIMITS.replayHours} hours the same request under it is done once and answered as at first, with \`Idempotent-Replayed: true\`; 409 with another request. An error is not kept, nor is a dry run.`,
  ),
  lastEventId: header("Last-Event-ID", "The last `id` that you were told; it goes before `after`."),
} as const;

function header(name: string, description: string): Parameter {
  return { name, in: "header", required: false, description, schema: text };
}

/** Everything that a route takes besides its body: path, query, headers, in this order. */
export function parametersOf(row: Endpoint): Parameter[] {
  return [
    ...fieldsOf(row.params, "path").map((parameter) => ({
      ...parameter,
      description: IDS[parameter.name] ?? parameter.description,
    })),
    ...fieldsOf(row.query, "query"),
    ...(row.hasEntityTag ? [HEADERS.ifNoneMatch] : []),
    ...(row.isStream ? [HEADERS.lastEventId] : []),
    ...(row.method === "GET" ? [] : [HEADERS.ifMatch]),
    ...(row.method === "PUT" ? [HEADERS.ifNew] : []),
    ...(row.method === "POST" ? [HEADERS.once] : []),
  ];
}

function fieldsOf(shape: Endpoint["params"], place: "path" | "query"): Parameter[] {
  const { properties = {}, required = [] } = jsonSchema(shape, "input");
  return Object.entries(properties).map(([name, { description = "", ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description,
    schema,
  }));
}

/** A header of an answer. */
export type AnswerHeader =
  | "ETag"
  | "Idempotent-Replayed"
  | "Location"
  | "X-AI-Engine"
  | "X-Credits-Cost"
  | "X-Credits-Remaining";

/** What a route's answer carries besides its body and the `X-Request-Id` of every answer. */
export function answerHeadersOf(row: Endpoint): AnswerHeader[] {
  return [
    ...(row.created === undefined ? [] : (["Location"] as const)),
    ...(row.hasEntityTag || row.tagged !== undefined ? (["ETag"] as const) : []),
    ...(row.tier === "ai" ? (["X-AI-Engine", "X-Credits-Cost", "X-Credits-Remaining"] as const) : []),
    ...(row.method === "POST" ? (["Idempotent-Replayed"] as const) : []),
  ];
}

/** The `Content-Type`s that a route reads, the usual one first; none if it takes no body. */
export function mediaTypesOf({ body }: Endpoint): string[] {
  if (body === undefined) return [];
  return body.markdown ? [...MARKDOWN_TYPES, "application/json"] : ["application/json"];
}

/** A way to fail, with the status that tells it and when it does. */
export interface ApiProblem {
  code: ProblemCode;
  status: number;
  when: string;
}

/** Every code of the API, in the order in which a request is checked. */
export const API_PROBLEMS: readonly ApiProblem[] = [
  ...Object.entries(PROBLEMS)
    .filter(([code]) => !(BESIDE_API as readonly string[]).includes(code))
    .map(([code, { status, when }]) => ({ code: code as ProblemCode, status, when })), // the keys are the codes
  INTERNAL,
].map(({ code, status, when }) => ({ code, status, when }));

/** The codes that any call may answer. */
const EVERYWHERE: readonly ProblemCode[] = [
  "headers_too_large",
  "forbidden_origin",
  "rate_limited",
  "unauthorized",
  "category_disabled",
  "bad_request",
  "internal",
];
const OF_TIER: Readonly<Record<Tier, readonly ProblemCode[]>> = {
  read: [],
  propose: ["unavailable"],
  ai: ["insufficient_credits", "unavailable"],
  write: ["subscription_required", "unavailable"],
};
const OF_BODY: readonly ProblemCode[] = ["unsupported_media_type", "payload_too_large"];

// Everything but a read heeds If-Match, every POST an Idempotency-Key.
const OF_METHOD: Readonly<Record<Method, readonly ProblemCode[]>> = {
  GET: [],
  POST: ["revision_conflict", "conflict"],
  PUT: ["revision_conflict"],
  PATCH: ["revision_conflict"],
  DELETE: ["revision_conflict"],
};

/** The ways in which a route may fail: its own, those of its method, tier and body, and of every route. */
export function problemsOf({ method, tier, body, refusals, sibling }: Endpoint): ApiProblem[] {
  const codes = new Set<string>([
    ...EVERYWHERE,
    ...OF_METHOD[method],
    ...OF_TIER[tier],
    ...(body === undefined ? [] : OF_BODY),
    ...refusals,
    ...(sibling === undefined ? [] : problemsOf(sibling.row).map(({ code }) => code)),
  ]);
  return API_PROBLEMS.filter(({ code }) => codes.has(code));
}

/** The schema of an error body, narrowed to some codes. */
export function problemSchema(codes: readonly ProblemCode[]): JsonSchema {
  return { allOf: [jsonSchema(problem, "output"), { properties: { error: { enum: codes } } }] };
}
