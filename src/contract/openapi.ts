import { bodies, type ProblemCode, problemExample } from "./documents/example.ts";
import {
  API_PROBLEMS,
  type ApiProblem,
  answerHeadersOf,
  DOCUMENTS,
  mediaTypesOf,
  OWN_BY_PROPOSERS,
  type Parameter,
  parametersOf,
  problemSchema,
  problemsOf,
  SUMMARY,
  TIER_COSTS,
} from "./documents/llms-route.ts";
import { type JsonSchema, jsonSchema, records } from "./documents/llms-schemas.ts";
import { type Body, type Method, mayBeLeftOut, writing } from "./endpoint.ts";
import { EVENTS_TYPE } from "./enums.ts";
import { type Endpoint, endpoints, type Tier } from "./index.ts";
import { LIMITS } from "./limits.ts";

interface Reference {
  $ref: string;
}

interface Content {
  schema: JsonSchema;
  example?: unknown;
  examples?: Readonly<Record<string, { summary?: string; value: unknown }>>;
}

interface Header {
  description: string;
  schema: JsonSchema;
}

interface Response {
  description: string;
  headers: Readonly<Record<string, Reference>>;
  content?: Readonly<Record<string, Content>>;
}

interface Operation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  security?: readonly object[];
  parameters?: readonly (Reference | (Parameter & { example?: unknown }))[];
  requestBody?: { required: boolean; content: Readonly<Record<string, Content>> };
  responses: Readonly<Record<string, Response | Reference>>;
}

/** An OpenAPI 3.1 document as far as ours goes. */
export interface OpenApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; summary: string; description: string; license: object };
  servers: readonly { url: string; description: string }[];
  security: readonly object[];
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Partial<Record<Lowercase<Method>, Operation>>>>;
  components: {
    securitySchemes: Readonly<Record<string, object>>;
    headers: Readonly<Record<string, Header>>;
    parameters: Readonly<Record<string, Parameter>>;
    responses: Readonly<Record<string, Response>>;
    schemas: Readonly<Record<string, JsonSchema>>;
  };
}

const TAGS = {
  ...TIER_COSTS,
  open: "Documents of the API itself; no key is needed.",
} satisfies Record<Tier | "open", string>;

/** Rules of the whole API that no single schema can state. */
const RULES = [
  "Paths are relative to the server's URL. Offsets are UTF-16 code units from 0, in prose those of the block's text: the concatenation of its text nodes. Titles and names are one line. Every write is one act, all or nothing, which `POST /acts/{act}/undo` undoes; `dryRun=1` checks, answers and writes nothing. After an error nothing has been written. Ignore keys of answers that you do not know.",
  `A chapter has at most ${LIMITS.chapterBlocks} paragraphs and ${LIMITS.chapterNodes} nodes, nested at most ${LIMITS.depth} deep; a paragraph ${LIMITS.paragraphMentions} mentions, ${LIMITS.mentionDepth} of them on one character. The facts of a book, and its snippets, take at most ${LIMITS.listBytes / 2 ** 20} MiB. A proposal's edits have at most ${LIMITS.proposalCharacters} characters, with those of the paragraphs that they name.`,
].join("\n\n");

const HEADERS = {
  "X-Request-Id": { description: "Names this request in the server's log.", schema: { type: "string" } },
  ETag: {
    description:
      "The state of the record: of a read in this format, for If-None-Match and If-Match; of a write as it left the record, for If-Match.",
    schema: { type: "string" },
  },
  "Idempotent-Replayed": {
    description: "`true` where the request was done before, under the same Idempotency-Key.",
    schema: { const: "true" },
  },
  Location: {
    description: "Where to read what was made: a path from the root of the server.",
    schema: { type: "string" },
  },
  "X-AI-Engine": {
    description:
      "Who answered; `embedded; fallback=REASON` where a language model is set and failed, `llm/NAME; partial=REASON` where it has read only a part of the chapter: either costs nothing.",
    schema: { type: "string" },
  },
  "X-Credits-Cost": {
    description: "Credits that this call cost; 0 for what was paid for before.",
    schema: { type: "integer", minimum: 0 },
  },
  "X-Credits-Remaining": {
    description: "Credits left, or `unlimited`.",
    schema: { type: "string", pattern: "^([0-9]+|unlimited)$" },
  },
  "WWW-Authenticate": { description: "The scheme to send a key by.", schema: { const: "Bearer" } },
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } },
} satisfies Record<string, Header>;

/** The machine-readable contract; `baseUrl` is the one server that it names. */
export function openapi(baseUrl: string): OpenApiDocument {
  const paths: Record<string, Partial<Record<Lowercase<Method>, Operation>>> = {};
  for (const row of endpoints) {
    const method = row.method.toLowerCase() as Lowercase<Method>; // a method in small letters is one
    paths[row.path] = { ...paths[row.path], [method]: operation(row) };
  }
  for (const { path, id, summary, description, type, schema } of DOCUMENTS) {
    const content = { [type]: { schema } };
    const responses = { 200: answer(summary, [], content), ...failures(OPEN_PROBLEMS) };
    paths[path] = { get: { operationId: id, tags: ["open"], summary, description, security: [], responses } };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Manuscript",
      version: "1.0.0",
      summary: "A writer's own manuscript over HTTP",
      description: `${SUMMARY}\n\n${RULES}`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl, description: "This server" }],
    security: [{ bearerAuth: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearerAuth: { type: "http", scheme: "bearer", description: "The owner's personal API key." },
      },
      headers: HEADERS,
      parameters: sharedParameters(),
      responses: sharedResponses(),
      schemas: records(),
    },
  };
}

function operation(row: Endpoint): Operation {
  const parameters = parametersOf(row).map((parameter) => {
    if (isShared(parameter)) return { $ref: `#/components/parameters/${parameter.name}` };
    const example = row.example.query?.[parameter.name];
    return example === undefined
      ? parameter
      : { ...parameter, example: parameter.schema.type === "integer" ? Number(example) : example };
  });
  return {
    operationId: row.id,
    tags: [row.tier],
    summary: row.summary,
    ...descriptionOf(row),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(row.body === undefined
      ? {}
      : { requestBody: { required: !mayBeLeftOut(row.body), content: requestContent(row, row.body) } }),
    responses: { ...successes(row), ...failures(problemsOf(row)) },
  };
}

function descriptionOf({ description, ownByProposers }: Endpoint): { description?: string } {
  const sentences = [description ?? [], ownByProposers ? OWN_BY_PROPOSERS : []].flat();
  return sentences.length === 0 ? {} : { description: sentences.join(" ") };
}

function requestContent(row: Endpoint, body: NonNullable<Endpoint["body"]>): Record<string, Content> {
  const examples = Object.fromEntries(Object.entries(bodies(row)).map(([name, value]) => [name, { value }]));
  return Object.fromEntries(
    mediaTypesOf(row).map((type) => [
      type,
      type === "application/json"
        ? { schema: bodySchema(body, row.sibling), examples }
        : { schema: { type: "string", description: "Markdown." }, example: row.example.markdown },
    ]),
  );
}

/** The schema of a body, that of the row which shares the route among its forms. */
function bodySchema({ json }: Pick<Body, "json">, sibling: Endpoint["sibling"]): JsonSchema {
  const own = jsonSchema(json, "input");
  return sibling?.row.body === undefined
    ? own
    : { anyOf: [...(own.anyOf ?? [own]), jsonSchema(sibling.row.body.json, "input")] };
}

function successes(row: Endpoint): Record<string, Response> {
  const shape = jsonSchema(row.answer, "output");
  const json = { "application/json": { schema: shape } };
  const headers = answerHeadersOf(row);
  if (row.isStream) {
    const schema = { type: "string", contentMediaType: EVENTS_TYPE, contentSchema: shape };
    return {
      200: answer("Events, the data of each as in `contentSchema`.", headers, { [EVENTS_TYPE]: { schema } }),
    };
  }
  if (row.mediaTypes !== undefined) {
    const content = row.mediaTypes.map((type) => [type, { schema: { type: "string", format: "binary" } }]);
    return { 200: answer("The document.", headers, Object.fromEntries(content)) };
  }
  const others = row.sibling === undefined ? {} : successes(row.sibling.row);
  if (row.created !== undefined) return { ...others, 201: answer("Made.", headers, json) };
  if (!row.hasEntityTag) return { 200: answer("Done.", headers, json) };
  const bare = row.hasBareForm ? { "text/markdown": { schema: { type: "string" } } } : {};
  return {
    200: answer("Read.", headers, { ...json, ...bare }),
    304: answer("Your copy is still good.", headers),
  };
}

function answer(
  description: string,
  headers: readonly (keyof typeof HEADERS)[],
  content?: Record<string, Content>,
): Response {
  const names = ["X-Request-Id", ...headers];
  return {
    description,
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(content === undefined ? {} : { content }),
  };
}

/** Ids, headers and what every write takes are described once; a `limit` means another thing on every route. */
function isShared({ name, in: place }: Parameter): boolean {
  return place !== "query" || name in writing.shape;
}

function sharedParameters(): Record<string, Parameter> {
  const all = endpoints.flatMap(parametersOf).filter(isShared);
  return Object.fromEntries(all.map((parameter) => [parameter.name, parameter]));
}

const OPEN_PROBLEMS = API_PROBLEMS.filter(({ code }) => code === "forbidden_origin" || code === "internal");

/** Failures with one status are one answer: its component is named by their codes. */
function failures(problems: readonly ApiProblem[]): Record<string, Reference> {
  const groups = Object.values(byStatus(problems));
  return Object.fromEntries(
    groups.map((group) => [group[0]?.status, { $ref: `#/components/responses/${nameOf(group)}` }]),
  );
}

function sharedResponses(): Record<string, Response> {
  const all = [OPEN_PROBLEMS, ...endpoints.map(problemsOf)];
  const groups = all.flatMap((problems) => Object.values(byStatus(problems)));
  return Object.fromEntries(groups.map((group) => [nameOf(group), failure(group)]));
}

function byStatus(problems: readonly ApiProblem[]): Record<string, ApiProblem[]> {
  const groups: Record<string, ApiProblem[]> = {};
  for (const problem of problems) groups[problem.status] = [...(groups[problem.status] ?? []), problem];
  return groups;
}

function nameOf(group: readonly ApiProblem[]): string {
  const pascal = (code: string) =>
    code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return group.map(({ code }) => pascal(code)).join("Or");
}

function failure(group: readonly ApiProblem[]): Response {
  const codes: ProblemCode[] = group.map(({ code }) => code);
  const headers = codes
    .flatMap((code) => problemExample(code).headers)
    .filter((name): name is keyof typeof HEADERS => name in HEADERS);
  const examples = group.map(
    ({ code, when }) => [code, { summary: when, value: problemExample(code).body }] as const,
  );
  return answer(group.map(({ code, when }) => `\`${code}\`: ${when}.`).join(" "), headers, {
    "application/json": { schema: problemSchema(codes), examples: Object.fromEntries(examples) },
  });
}
