import { OF_CLIENT } from "./choices.ts";
import type { CommandRow, FamilyRow } from "./rows.ts";

/** `key` and `account`. */
export const FAMILIES: readonly FamilyRow[] = [
  {
    name: "key",
    about: "make, list and revoke API keys",
    examples: ["key create --name scripts", "key list", "key revoke scripts"],
  },
  {
    name: "account",
    about: "show and set the plan: subscription, allowance, credits, language model",
    examples: ["account show", "account set --credits 100"],
  },
];

/** `key …`, `account …`, `api` and `mcp`. */
export const ROWS: readonly CommandRow[] = [
  {
    name: "key create",
    about: "make a key; it is shown this once",
    arguments: [],
    options: [
      { flags: "--name <name>", about: "what it is for" },
      {
        flags: "--allow <tiers>",
        about: "what it may do: read, propose, ai, write",
        default: "read,ai,write",
      },
      {
        flags: "--expires <when>",
        about: "a day such as 2027-01-31, or a time from now such as 90d or 12h",
      },
    ],
    examples: ["key create --name scripts", "key create --allow read --expires 90d --json"],
    load: async () => (await import("../commands/access/key.ts")).keyCreate,
  },
  {
    name: "key list",
    about: "list the keys, never the keys themselves",
    arguments: [],
    options: [],
    examples: ["key list", "key list --json"],
    load: async () => (await import("../commands/access/key.ts")).keyList,
  },
  {
    name: "key revoke",
    about: "end a key for good",
    arguments: [{ name: "<key>", about: "its id or name", is: "key" }],
    options: [],
    examples: ["key revoke key_…", "key revoke scripts"],
    load: async () => (await import("../commands/access/key.ts")).keyRevoke,
  },
  {
    name: "account show",
    about: "show the plan and what is left of it",
    arguments: [],
    options: [],
    examples: ["account show", "account show --json"],
    load: async () => (await import("../commands/access/account.ts")).accountShow,
  },
  {
    name: "account set",
    about: "change what is given of the plan",
    arguments: [],
    options: [
      {
        flags: "--subscription <state>",
        about: "whether it runs",
        choices: { on: "writing is allowed", off: "reading alone" },
      },
      { flags: "--until <day>", about: "its last day, such as 2027-01-31; none for no end" },
      { flags: "--allowance <credits>", about: "credits a month, or unlimited" },
      { flags: "--credits <number>", about: "the balance of credits" },
      {
        flags: "--llm-url <url>",
        about: "an OpenAI-compatible server for AI calls, its key in $MANUSCRIPT_LLM_KEY; none for none",
      },
      { flags: "--llm-model <name>", about: "which of its models" },
      { flags: "--llm-timeout <seconds>", about: "then the embedded engine answers alone; 120 at first" },
      { flags: "--llm-allow-remote", about: "allow that address although it is not this machine's" },
    ],
    examples: [
      "account set --subscription off",
      "account set --allowance 50 --credits 0",
      "account set --llm-url http://127.0.0.1:11434/v1 --llm-model llama3.1:8b",
      "account set --llm-url none",
    ],
    load: async () => (await import("../commands/access/account.ts")).accountSet,
  },
  {
    name: "api",
    about: "call any endpoint: in process, without a server or a key",
    arguments: [
      { name: "<method>", about: "GET, POST, PUT, PATCH or DELETE" },
      { name: "<path>", about: "as llms.txt lists them, such as /books" },
    ],
    options: [
      { flags: "--input <file>", about: "the body; - for stdin", is: "path" },
      { flags: "-H, --header <header>", about: '"Name: value"; may be repeated', repeats: true },
    ],
    examples: [
      "api GET /books",
      "api GET '/books/bk_…/search?q=whale'",
      "api PUT /chapters/ch_…/prose --input chapter.md",
      `api POST /books --input - <<< '{"title": "A Second Book"}'`,
    ],
    load: async () => (await import("../commands/access/api.ts")).api,
  },
  {
    name: "mcp",
    about: "let an agent work on the manuscript: the Model Context Protocol over stdin and stdout",
    arguments: [],
    options: [
      { flags: "--read-only", about: "no notes, no proposals: reading alone" },
      { flags: "--allow-write", about: "let it write, too: edits, facts, undoing its own acts" },
      { flags: "--name <name>", about: "who the history says it was; else what the client calls itself" },
      {
        flags: "--print-config <client>",
        about: "print what goes into a client's settings",
        choices: OF_CLIENT,
      },
    ],
    examples: [
      "mcp --print-config claude",
      "mcp --file novel.manuscript --read-only",
      "mcp --allow-write --name editor",
    ],
    load: async () => (await import("../commands/access/mcp.ts")).mcp,
  },
];
