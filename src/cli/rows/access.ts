import { OF_CLIENT } from "./choices.ts";
import { commandRows, type Families } from "./rows.ts";

/** `key` and `account`. */
export const FAMILIES: Families = {
  key: {
    about: "make, list and revoke API keys",
    alone: "key list",
    examples: ["key", "key create --name scripts", "key revoke scripts"],
  },
  account: {
    about: "show and set the plan: subscription, allowance, credits, language model",
    alone: "account show",
    examples: ["account", "account set --credits 100"],
  },
};

/** `key …`, `account …`, `api` and `mcp`. */
export const ROWS = commandRows({
  "key create": {
    about: "make a key; it is shown this once",
    takes: {
      "--name <name>": "what it is for",
      "--allow <tiers>": { about: "what it may do: read, propose, ai, write", default: "read,ai,write" },
      "--expires <when>": "a day such as 2027-01-31, or a time from now such as 90d or 12h",
    },
    examples: ["key create --name scripts", "key create --allow read --expires 90d --json"],
  },
  "key list": {
    about: "list the keys, never the keys themselves",
    examples: ["key list", "key list --json"],
  },
  "key revoke": {
    about: "end a key for good",
    takes: { "<key>": "its id or name" },
    examples: ["key revoke key_…", "key revoke scripts"],
  },
  "account show": {
    about: "show the plan and what is left of it",
    examples: ["account show", "account show --json"],
  },
  "account set": {
    about: "change what is given of the plan",
    takes: {
      "--subscription <state>": {
        about: "whether it runs",
        choices: { on: "writing is allowed", off: "reading alone" },
      },
      "--until <day>": "its last day, such as 2027-01-31; none for no end",
      "--allowance <credits>": "credits a month, or unlimited",
      "--credits <number>": "the balance of credits",
      "--llm-url <url>":
        "an OpenAI-compatible server for AI calls, its key in $MANUSCRIPT_LLM_KEY; none for none",
      "--llm-model <name>": "which of its models",
      "--llm-timeout <seconds>": "then the embedded engine answers alone; 120 at first",
      "--llm-allow-remote": "allow that address although it is not this machine's",
    },
    examples: [
      "account set --subscription off",
      "account set --allowance 50 --credits 0",
      "account set --llm-url http://127.0.0.1:11434/v1 --llm-model llama3.1:8b",
      "account set --llm-url none",
    ],
  },
  api: {
    about: "call any endpoint: in process, without a server or a key",
    takes: {
      "<method>": "GET, POST, PUT, PATCH or DELETE",
      "<path>": "as llms.txt lists them, such as /books",
      "--input <file>": { about: "the body; - for stdin", is: "file" },
      "-H, --header <header>": { about: '"Name: value"; may be repeated', repeats: true },
    },
    examples: [
      "api GET /books",
      "api GET '/books/bk_…/search?q=whale'",
      "api PUT /chapters/ch_…/prose --input chapter.md",
      `api POST /books --input - <<< '{"title": "A Second Book"}'`,
    ],
  },
  mcp: {
    about: "let an agent work on the manuscript: the Model Context Protocol over stdin and stdout",
    takes: {
      "--read-only": "no notes, no proposals: reading alone",
      "--allow-write": "let it write, too: edits, facts, undoing its own acts",
      "--name <name>": "who the history says it was; else what the client calls itself",
      "--print-config <client>": { about: "print what goes into a client's settings", choices: OF_CLIENT },
    },
    examples: [
      "mcp --print-config claude",
      "mcp --file novel.manuscript --read-only",
      "mcp --allow-write --name editor",
    ],
  },
});
