import { converse, refusedBy } from "./llm/server/converse.ts";
import { ModelFailure, Refused } from "./llm/server/failure.ts";
import { type Fields, fieldsOf } from "./llm/server/fields.ts";
import { deadlineIn, get, type ModelServer } from "./llm/server/request.ts";

/** A language model's server and its abilities, as far as it reports them. */
export interface ProbedServer {
  /** Null if nothing there answers as a server of language models does. */
  kind: "Ollama" | "llama.cpp" | "LM Studio" | "OpenAI-compatible" | null;
  version: string | null;
  /** Models that it lists, at most 100. */
  models: string[];
  /** True if the requested model is one of them; null if unknown. */
  hasModel: boolean | null;
  /** How many tokens it reads at once. */
  contextTokens: number | null;
  /** True if it takes a JSON schema; null if unknown. */
  schema: boolean | null;
  /** Why it did not answer a question, in a word or two; null if it did. */
  failure: string | null;
}

const LOOK_MS = 3000;
const QUESTION_MS = 10_000;
const MOST_MODELS = 100;
/** Error codes of an address at which no language model's server answers. */
const ABSENT = new Set([
  "unreachable",
  "timeout",
  "redirect",
  "invalid_answer",
  "too_large",
  "http_404",
  "http_405",
]);

/** Looks at what the server tells of itself, then asks a question that holds no prose: 20 seconds at most. Never throws. */
export async function probe(server: ModelServer): Promise<ProbedServer> {
  const { origin } = new URL(server.base);
  let silences = 0;
  const at = (url: string) => look(server, url, () => silences++);
  const [listed, version, props, studio] = await Promise.all([
    at(`${server.base}/models`),
    at(`${origin}/api/version`),
    at(`${origin}/props`),
    at(`${origin}/api/v0/models`),
  ]);
  const isThere = [listed, version, props, studio].some((found) => found !== undefined);
  const failure = silences === 4 ? "unreachable" : await tryQuestion(server, isThere ? QUESTION_MS : LOOK_MS);
  const known = kindOf({ version, props, studio });
  // The loaded model is known only after a question.
  const loaded = known === "Ollama" ? await at(`${origin}/api/ps`) : undefined;
  const loadedHere = known === "LM Studio" ? await at(`${origin}/api/v0/models`) : undefined;
  const entries = [listed?.data, studio?.data].flatMap(listOf);
  const models = [...new Set(entries.map(nameIn).filter((name) => name !== ""))];
  const ours = [loaded?.models, loadedHere?.data, entries]
    .flatMap(listOf)
    .filter((entry) => isSame(nameIn(entry), server.model));
  return {
    kind: known ?? (isThere || !ABSENT.has(failure ?? "") ? "OpenAI-compatible" : null),
    version: typeof version?.version === "string" ? version.version.slice(0, 40) : null,
    models: models.slice(0, MOST_MODELS),
    hasModel:
      known === "llama.cpp" || models.length === 0 ? null : models.some((name) => isSame(name, server.model)),
    contextTokens: contextOf([fieldsOf(props?.default_generation_settings), ...ours]),
    schema: refusedBy(server).has("schema") ? false : known !== undefined || failure === null ? true : null,
    failure,
  };
}

function kindOf({
  version,
  props,
  studio,
}: Record<"version" | "props" | "studio", Fields | undefined>): ProbedServer["kind"] | undefined {
  if (typeof version?.version === "string") return "Ollama";
  if (typeof props?.default_generation_settings === "object") return "llama.cpp";
  return Array.isArray(studio?.data) ? "LM Studio" : undefined;
}

/** The object at an address; undefined if there is none. */
async function look(server: ModelServer, url: string, onSilence: () => void): Promise<Fields | undefined> {
  const deadline = deadlineIn(LOOK_MS);
  try {
    return await get(server, url, deadline);
  } catch (error) {
    if (!(error instanceof Refused)) onSilence();
    return undefined;
  } finally {
    deadline.release();
  }
}

/** Why the model does not answer; null if it does. */
async function tryQuestion(server: ModelServer, patienceMs: number): Promise<string | null> {
  const deadline = deadlineIn(patienceMs);
  const schema = {
    type: "object",
    properties: { ok: { type: "boolean" } },
    required: ["ok"],
    additionalProperties: false,
  };
  const messages = [{ role: "user", content: 'Answer with this JSON object: {"ok": true}' }] as const;
  try {
    const answer = await converse(server, { name: "probe", messages, schema, answerTokens: 100 }, deadline);
    return answer === undefined ? "invalid_answer" : null;
  } catch (error) {
    if (error instanceof ModelFailure) return error.reason;
    throw error;
  } finally {
    deadline.release();
  }
}

/** Ollama takes a name without a tag for the latest. */
function isSame(listed: string, model: string): boolean {
  return listed === model || listed === `${model}:latest`;
}

function nameIn({ id, name }: Fields): string {
  const found = id ?? name;
  return typeof found === "string" ? found.replace(/\p{Cc}/gu, "").slice(0, 200) : "";
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

// The names that servers have for it, what is loaded before what the model could.
const CONTEXT_NAMES = [
  "n_ctx",
  "loaded_context_length",
  "context_length",
  "max_model_len",
  "max_context_length",
];

function contextOf(tellers: readonly Fields[]): number | null {
  for (const name of CONTEXT_NAMES) {
    const found = tellers.map((teller) => teller[name]).find((value) => Number.isInteger(value));
    if (typeof found === "number") return found;
  }
  return null;
}
