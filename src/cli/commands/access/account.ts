import { BadRequest } from "../../../refusals.ts";
import {
  type Account,
  type AccountChange,
  changeAccount,
  readAccount,
} from "../../../service/account/account.ts";
import {
  type AnsweringServer,
  type LanguageModel,
  type LanguageModelChange,
  probeLanguageModel,
} from "../../../service/account/language-model.ts";
import { counted, grouped, oneLine } from "../../../text/columns.ts";
import { dayOf } from "../../input/arguments.ts";
import { reply } from "../../io/call.ts";
import { talk } from "../../io/terminal.ts";
import { whyOf } from "../../output/report.ts";
import type { ROWS } from "../../rows/access.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";

type AccountOptions = OptionsOf<(typeof ROWS)["account set"]>;

/** The commands on the account. */
export const COMMANDS: CommandsOf<typeof ROWS, "account"> = {
  "account show": async (call) => {
    const manuscript = await call.open();
    await reply(call, readAccount(manuscript), describe);
  },

  "account set": async (call, options) => {
    const { subscription, until, allowance, credits } = options;
    if (Object.keys(options).length === 0) {
      throw new BadRequest(
        "Nothing to change: give --subscription, --until, --allowance, --credits or one of --llm-….",
      );
    }
    const change: AccountChange = {
      ...(subscription === undefined ? {} : { subscription: subscription === "on" }),
      ...(until === undefined ? {} : { until: until === "none" ? null : dayOf("--until", until) }),
      ...(allowance === undefined
        ? {}
        : { allowance: allowance === "unlimited" ? null : countOf("--allowance", allowance) }),
      ...(credits === undefined ? {} : { credits: countOf("--credits", credits) }),
      ...modelOf(options),
    };
    const manuscript = await call.open();
    const account = changeAccount(manuscript, change);
    const isNewModel = options.llmUrl !== undefined || options.llmModel !== undefined;
    const server = isNewModel ? await probeLanguageModel(manuscript) : undefined;
    if (server === undefined) return await reply(call, account, describe);
    const set: CommandAnswer<"account set"> = { ...account, server };
    await reply(call, set, () => `${describe(account)}\nServer        ${describeServer(server)}`);
    const doubt = account.llm && doubtOf(server, account.llm);
    if (doubt) await talk(call.terminal, doubt);
  },
};

function modelOf({ llmUrl, llmModel, llmTimeout, llmAllowRemote }: AccountOptions): {
  llm?: LanguageModelChange;
} {
  if ([llmUrl, llmModel, llmTimeout, llmAllowRemote].every((given) => given === undefined)) return {};
  return {
    llm: {
      url: llmUrl === "none" ? null : llmUrl,
      model: llmModel,
      timeoutSeconds: llmTimeout === undefined ? undefined : countOf("--llm-timeout", llmTimeout),
      allowRemote: llmAllowRemote,
    },
  };
}

function describe({ writer, subscription, allowance, credits, llm }: Account): string {
  const end = subscription.until === null ? "" : ` until ${subscription.until}`;
  const monthly =
    allowance.perMonth === null ? "unlimited" : `${counted(allowance.perMonth, "credit")} a month`;
  return [
    `Writer        ${writer}`,
    `Subscription  ${subscription.active ? "active" : "off"}${end}`,
    `Allowance     ${monthly}, ${grouped(allowance.used)} used this month`,
    `Credits       ${allowance.perMonth === null ? "none needed" : grouped(credits)}`,
    `Model         ${llm === null ? "none: the embedded engine alone" : describeModel(llm)}`,
  ].join("\n");
}

/** A language model in words: what it is, where, and whether prose leaves this machine. */
export function describeModel({ model, url, remote, timeoutSeconds }: LanguageModel): string {
  const open = url.startsWith("http:") ? ", not encrypted" : "";
  const where = remote ? `; REMOTE: prose of the chapters asked about is sent there${open}` : "";
  return `${model} at ${url}, up to ${timeoutSeconds} s a call${where}`;
}

function describeServer({ kind, version, models, contextTokens, schema }: AnsweringServer): string {
  if (kind === null) return "none that answers";
  return [
    [kind, version].filter(Boolean).join(" "),
    models.length === 0 ? "" : `${counted(models.length, "model")}: ${oneLine(models.join(", "), 120)}`,
    schema === null ? "" : schema ? "answers in the form asked for" : "takes no JSON schema",
    contextTokens === null ? "" : `reads ${grouped(contextTokens)} tokens at once`,
  ]
    .filter(Boolean)
    .join("; ");
}

const ENOUGH_TOKENS = 4096;

/** What stands in the way of AI calls, in a sentence; undefined if nothing is seen to. */
function doubtOf(server: AnsweringServer, { url, model }: LanguageModel): string | undefined {
  const { kind, hasModel, failure, contextTokens } = server;
  const anyway = "It is set all the same; until it answers the embedded engine does, free of charge.";
  if (kind === null)
    return `Nothing answers at ${url} as a language model's server does (${failure}). ${anyway}`;
  if (hasModel === false) return `The server lists no model named ${model}. ${anyway}`;
  if (failure === "timeout")
    return `${model} has not answered a question in 10 seconds; it may still be loading.`;
  if (failure !== null)
    return `${model} has not answered a question: ${whyOf(failure)} (${failure}). ${anyway}`;
  if (contextTokens !== null && contextTokens < ENOUGH_TOKENS)
    return `${model} reads ${grouped(contextTokens)} tokens at once; with ${grouped(ENOUGH_TOKENS)} it would be asked less often.`;
  return undefined;
}

function countOf(option: string, text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new BadRequest(`${option} must be a whole number from 0 on, got "${text}".`);
}
