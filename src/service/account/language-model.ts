import { createHash } from "node:crypto";
import type { Assistant } from "../../ai/assistant.ts";
import { type ModelAddress, readAddress } from "../../ai/model-address.ts";
import type { Reader } from "../../ai/reader.ts";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import { BadRequest } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { readSetting, saveSetting } from "../../store/rows/account.ts";
import type { Manuscript } from "../manuscript.ts";

/** The language model that a manuscript's AI calls are sent to, as the account shows it. */
export type LanguageModel = NonNullable<LocalAnswer<"account">["llm"]>;

/** What may change of it; undefined leaves a field as it is, `url` null switches it off. */
export interface LanguageModelChange {
  url?: string | null | undefined;
  model?: string | undefined;
  timeoutSeconds?: number | undefined;
  /** Consent to send prose to an address that is not this machine's. */
  allowRemote?: boolean | undefined;
}

/** What answers at the language model's address. */
export type AnsweringServer = LocalAnswer<"modelServer">;

/** Who answers a call, under which name, and how long it may take. */
export interface Answerer {
  assistant: Assistant;
  engine: string;
  timeoutMs: number;
}

type Stored = Omit<LanguageModel, "remote"> & {
  /** Whose consent it is to send prose to a remote address; null for none. */
  consent: string | null;
};

const TIMEOUT_SECONDS = 120;
const LONGEST_SECONDS = 3600;
const SETTING = "llm";

/** The language model, or null while none is set: then nothing is ever sent anywhere. */
export function readLanguageModel(store: Store): LanguageModel | null {
  const stored = readStored(store);
  if (stored === null) return null;
  const { consent: _, ...model } = stored;
  return { ...model, remote: readAddress(stored.url)?.isRemote ?? true };
}

/** Sets, changes or switches off the language model. Throws `BadRequest`. */
export function changeLanguageModel(store: Store, change: LanguageModelChange): void {
  if (change.url === null) {
    saveSetting(store, SETTING, "null");
    return;
  }
  const before = readStored(store);
  const url = change.url ?? before?.url;
  if (url === undefined)
    throw new BadRequest(
      "No language model is set; give its address too, such as http://127.0.0.1:11434/v1.",
    );
  const { base, isRemote } = checkAddress(url);
  // Consent is to one address: another one needs it again.
  const isAllowed =
    change.allowRemote === true || (before?.url === base && before.consent === consentTo(base));
  if (isRemote && !isAllowed) {
    throw new BadRequest(
      `${base} is not an address of this machine: your prose would be sent there. Allow it with --llm-allow-remote.`,
    );
  }
  const model = checkName(change.model ?? before?.model);
  const timeoutSeconds = checkTimeout(change.timeoutSeconds ?? before?.timeoutSeconds ?? TIMEOUT_SECONDS);
  saveSetting(
    store,
    SETTING,
    JSON.stringify({
      url: base,
      model,
      timeoutSeconds,
      consent: isAllowed ? consentTo(base) : null,
    } satisfies Stored),
  );
}

/** What answers at the address that is set, and what it can; no prose is sent. Undefined if none is set. */
export async function probeLanguageModel({
  store,
  network,
}: Manuscript): Promise<AnsweringServer | undefined> {
  const stored = readStored(store);
  if (stored === null) return undefined;
  const { probe } = await import("../../ai/probe.ts");
  return await probe({ base: stored.url, model: stored.model, ...network });
}

// Prose goes to no address that is not allowed, however it came into the file.
function readStored(store: Store): Stored | null {
  const stored: Stored | null = JSON.parse(readSetting(store, SETTING) ?? "null");
  if (stored === null) return null;
  const isAllowed = stored.consent === consentTo(stored.url) || readAddress(stored.url)?.isRemote === false;
  return isAllowed ? stored : null;
}

/** Names this user of this machine: a manuscript that somebody else has sent must not send prose, or a key, anywhere. */
function consentTo(url: string): string {
  const os = process.getBuiltinModule("node:os");
  return createHash("sha256").update([os.hostname(), os.homedir(), url].join("\0")).digest("hex");
}

function checkAddress(url: string): ModelAddress {
  const address = readAddress(url);
  if (address !== undefined) return address;
  throw new BadRequest(
    "The language model's address must be http:// or https:// with a host, without user, password, query or fragment, such as http://127.0.0.1:11434/v1. A key belongs into $MANUSCRIPT_LLM_KEY.",
  );
}

// The name is sent in a header.
function checkName(model: string | undefined): string {
  if (model !== undefined && /^[\x21-\x3a\x3c-\x7e]{1,200}$/.test(model)) return model;
  throw new BadRequest(
    "The language model's name must be 1 to 200 letters, digits and signs without spaces, such as llama3.1:8b.",
  );
}

function checkTimeout(seconds: number): number {
  if (seconds > 0 && seconds <= LONGEST_SECONDS) return seconds;
  throw new BadRequest(`A language model may take up to ${LONGEST_SECONDS} seconds, got ${seconds}.`);
}

/** The embedded engine alone. */
const ALONE: Assistant = {
  synopsis: async (embedded, { chapter, book }) => own(embedded, await embedded.synopsis(chapter, book)),
  detect: async (embedded, { chapter, book }) => own(embedded, await embedded.detect(chapter, book)),
  check: async (embedded, { chapter, book }) => own(embedded, await embedded.check(chapter, book)),
};

const own = <Answer>({ engine }: Reader, answer: Answer) => ({ answer, engine });

// One assistant a file and model, released with the file: it caches the model's answers.
const assistants = new WeakMap<Store, { setting: string; assistant: Assistant }>();

/** Who answers this manuscript's calls now: the embedded engine, assisted by the language model if one is set. */
export async function answererOf(
  { store, network, random }: Manuscript,
  embedded: Reader,
): Promise<Answerer> {
  const stored = readStored(store);
  if (stored === null) return { assistant: ALONE, engine: embedded.engine, timeoutMs: 0 };
  const { createAssistant, engineOf } = await import("../../ai/assistant.ts");
  const setting = JSON.stringify(stored);
  let cached = assistants.get(store);
  if (cached?.setting !== setting) {
    const server = { base: stored.url, model: stored.model, ...network };
    cached = { setting, assistant: createAssistant(server, random) };
    assistants.set(store, cached);
  }
  return { assistant: cached.assistant, engine: engineOf(stored), timeoutMs: stored.timeoutSeconds * 1000 };
}
