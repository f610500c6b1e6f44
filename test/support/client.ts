import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import * as z from "zod";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { ownerEndpoints } from "../../src/contract/index.ts";
import { openapi } from "../../src/contract/openapi.ts";
import { type ServerOptions, startServer } from "../../src/http/server.ts";
import { createKey } from "../../src/service/account/keys.ts";
import { theChapter } from "../../src/service/guards.ts";
import { lastAct } from "../../src/service/history/acts.ts";
import { keepPicture } from "../../src/service/interchange/pictures.ts";
import { type Manuscript, type Surroundings, write } from "../../src/service/manuscript.ts";
import { propose } from "../../src/service/review/propose.ts";
import { listProposals } from "../../src/service/review/read-proposal.ts";
import { type Sample, withSample, writeSample } from "./sample.ts";
import { manuscript, seeded } from "./sandbox.ts";

/** An answer as it came: its JSON is checked against the contract already. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers by the names that the contract gives
  body: any;
  text: string;
}

export interface Ask {
  /** JSON unless it is a string or bytes. */
  body?: unknown;
  headers?: Record<string, string>;
  /** null sends no key. */
  key?: string | null;
}

/** A running server with a sample manuscript, and a client that holds every answer against the contract. */
export interface Lab {
  url: string;
  base: string;
  manuscript: Manuscript;
  sample: Sample;
  key: string;
  ask(method: string, path: string, asked?: Ask): Promise<Answer>;
  /** A link that signs its reader in, once. */
  link(): string;
}

/** A page that is signed in: its bearer, and a client that asks as it does. */
export async function signedIn(lab: Lab): Promise<{ session: string; ask: Lab["ask"] }> {
  const token = new URL(lab.link()).hash.slice(1);
  const headers = { Origin: lab.url };
  const { body } = await lab.ask("POST", "/session", { key: null, headers, body: { token } });
  const { session } = body as { session: string };
  return { session, ask: (method, path, asked = {}) => lab.ask(method, path, { key: session, ...asked }) };
}

/** Starts a real server on a free port over a real file; both end with the test. */
export async function serve(
  t: Pick<TestContext, "after">,
  options: Partial<ServerOptions> = {},
  surroundings: Surroundings = {},
): Promise<Lab> {
  const { own, sample } = withSample(t, { busyTimeoutMs: 0, ...surroundings });
  const { key } = createKey(own, { name: "test" });
  const server = await startServer({ host: "127.0.0.1", port: 0, manuscripts: [own], ...options });
  t.after(() => server.close());
  const base = `${server.url}/api/v1`;
  const ask = async (method: string, path: string, asked: Ask = {}) =>
    request({ method, path, base }, asked, asked.key === undefined ? key : asked.key);
  return { url: server.url, base, manuscript: own, sample, key, ask, link: () => server.linkTo(own) };
}

/** The ids of the sample, where an example's braces ask for one. */
export function fillWith(lab: Lab): (text: string) => string {
  const ids: Record<string, string> = { ...lab.sample, act: lastAct(lab.manuscript) };
  return (text) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) =>
      name === "proposalId" ? proposalOf(lab) : name === "path" ? pictureOf(lab) : (ids[name] ?? whole),
    );
}

/** The sample's proposal; made when it is first asked for. */
function proposalOf({ manuscript, sample: { bookId, chapterId, blockId } }: Lab): string {
  const [known] = listProposals(manuscript, bookId).proposals;
  if (known !== undefined) return known.id;
  const { revision } = theChapter(manuscript, chapterId);
  const edits = [{ op: "replace" as const, blockId, markdown: "Mara came down late." }];
  return propose(manuscript, chapterId, { revision, edits }, { source: "api" }).id;
}

/** The place of the sample's picture; kept when it is first asked for. */
function pictureOf({ manuscript, sample: { bookId } }: Lab): string {
  const bytes = Buffer.from("89504e470d0a1a0a", "hex");
  write(manuscript, "importBook", { source: "api", skipsEmpty: true }, () => {
    keepPicture(manuscript, bookId, "images/map.png", bytes);
    return () => ({});
  });
  return "images%2Fmap.png";
}

/** A row's example as a request that works on the sample as it is now. */
export function askedOf(lab: Lab, { path, example }: Endpoint): Ask & { path: string } {
  const fill = fillWith(lab);
  const { markdown, body } = example;
  if (markdown !== undefined) return { path: fill(path), body: { markdown } };
  if (body === undefined) return { path: fill(path) };
  const filled = JSON.parse(fill(JSON.stringify(body)));
  const isCounted = "revision" in filled && ("mentions" in filled || "proposals" in filled); // the offsets are those of the newest revision
  if (isCounted) filled.revision = theChapter(lab.manuscript, lab.sample.chapterId).revision;
  return { path: fill(path), body: filled };
}

/** A second writer's manuscript with its key, for tests of isolation. */
export function secondWriter(t: Pick<TestContext, "after">): {
  manuscript: Manuscript;
  sample: Sample;
  key: string;
} {
  const own = manuscript(t, { busyTimeoutMs: 0, random: seeded(77) });
  return { manuscript: own, sample: writeSample(own), key: createKey(own, {}).key };
}

async function request(
  { method, path, base }: { method: string; path: string; base: string },
  { body, headers = {} }: Ask,
  key: string | null,
): Promise<Answer> {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined || isRaw ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? null : isRaw ? (body as string) : JSON.stringify(body),
  });
  const isEndless = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (isEndless) await response.body?.cancel();
  const text = isEndless ? "" : await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const answer = {
    status: response.status,
    headers: response.headers,
    body: isJson && text ? JSON.parse(text) : null,
    text,
  };
  assertContract(method, path, answer);
  return answer;
}

const { paths, components } = openapi("http://127.0.0.1/api/v1") as unknown as {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
  components: object;
};
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "contract", components });
const validators = new Map<string, ValidateFunction>();

/** Every answer is JSON of its row's shape, every error the one error body, and every one carries a request id. */
function assertContract(method: string, path: string, { status, headers, body, text }: Answer): void {
  assert.ok(headers.get("x-request-id"), `${method} ${path}: no X-Request-Id`);
  if (status === 304 || method === "HEAD") return;
  if (status >= 400) {
    assert.equal(
      typeof body?.error,
      "string",
      `${method} ${path} ${status}: not an error body: ${text.slice(0, 200)}`,
    );
    assert.equal(typeof body.message, "string");
    assert.doesNotMatch(text, /\bat .*\.[jt]s:\d+/, "a stack trace");
    return;
  }
  if (body === null) return;
  const owners = ownerEndpoints.find((row) => row.method === method && matches(row.path, path));
  if (owners !== undefined) {
    assertShape(`${method} ${owners.path}`, owners.answer, body);
    return;
  }
  const template = Object.keys(paths).find(
    (candidate) => matches(candidate, path) && paths[candidate]?.[method.toLowerCase()],
  );
  assert.ok(template, `${method} ${path} is not in openapi.json`);
  const schema =
    paths[template]?.[method.toLowerCase()]?.responses[status]?.content?.["application/json"]?.schema;
  assert.ok(schema, `${method} ${template} has no ${status} in openapi.json`);
  const name = `${method} ${template} ${status}`;
  let validate = validators.get(name);
  if (validate === undefined) {
    validate = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"contract#/components')),
    );
    validators.set(name, validate);
  }
  assert.ok(validate(body), `${name}: ${ajv.errorsText(validate.errors)}`);
}

/** What no document shows is held against its row: nothing more than that, either. */
function assertShape(name: string, answer: z.ZodType, body: unknown): void {
  const validate = validators.get(name) ?? ajv.compile(z.toJSONSchema(answer));
  validators.set(name, validate);
  assert.ok(validate(body), `${name}: ${ajv.errorsText(validate.errors)}`);
}

const patterns = new Map<string, RegExp>();

function matches(template: string, path: string): boolean {
  const named = () => template.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+");
  const pattern = patterns.get(template) ?? new RegExp(`^${named()}$`);
  patterns.set(template, pattern);
  return pattern.test(path.split("?")[0]!); // split gives at least one
}
