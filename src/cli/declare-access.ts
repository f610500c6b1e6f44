import { type Command, Option } from "commander";
import { collected, examples, type Lazily } from "./lazily.ts";

/** `key`, `account` and `api`. */
export function declareAccess(program: Command, runs: Lazily): void {
  declareKeys(program, runs);
  declareAccount(program, runs);
  program
    .command("api")
    .description("call any endpoint: in process, without a server or a key")
    .argument("<method>", "GET, POST, PUT, PATCH or DELETE")
    .argument("<path>", "as llms.txt lists them, such as /books")
    .option("--input <file>", "the body; - for stdin")
    .option("-H, --header <header>", '"Name: value"; may be repeated', collected)
    .addHelpText(
      "after",
      examples(
        "api GET /books",
        "api GET '/books/bk_…/search?q=whale'",
        "api PUT /chapters/ch_…/prose --input chapter.md",
        `api POST /books --input - <<< '{"title": "A Second Book"}'`,
      ),
    )
    .action(runs(async () => (await import("./commands/api.ts")).api));
}

function declareKeys(program: Command, runs: Lazily): void {
  const key = program
    .command("key")
    .description("make, list and revoke API keys")
    .addHelpText("after", examples("key create --name scripts", "key list", "key revoke scripts"));
  key
    .command("create")
    .description("make a key; it is shown this once")
    .option("--name <name>", "what it is for")
    .option("--allow <tiers>", "what it may do: read, ai, write", "read,ai,write")
    .option("--expires <when>", "a day such as 2027-01-31, or a time from now such as 90d or 12h")
    .addHelpText(
      "after",
      examples("key create --name scripts", "key create --allow read --expires 90d --json"),
    )
    .action(runs(async () => (await import("./commands/key.ts")).create));
  key
    .command("list")
    .description("list the keys, never the keys themselves")
    .addHelpText("after", examples("key list", "key list --json"))
    .action(runs(async () => (await import("./commands/key.ts")).listAll));
  key
    .command("revoke")
    .description("end a key for good")
    .argument("<key>", "its id or name")
    .addHelpText("after", examples("key revoke key_…", "key revoke scripts"))
    .action(runs(async () => (await import("./commands/key.ts")).revoke));
}

function declareAccount(program: Command, runs: Lazily): void {
  const account = program
    .command("account")
    .description("show and set the plan: subscription, allowance, credits")
    .addHelpText("after", examples("account show", "account set --credits 100"));
  account
    .command("show")
    .description("show the plan and what is left of it")
    .addHelpText("after", examples("account show", "account show --json"))
    .action(runs(async () => (await import("./commands/account.ts")).show));
  account
    .command("set")
    .description("change what is given of the plan")
    .addOption(new Option("--subscription <state>", "on or off").choices(["on", "off"]))
    .option("--until <day>", "its last day, such as 2027-01-31; none for no end")
    .option("--allowance <credits>", "credits a month, or unlimited")
    .option("--credits <number>", "the balance of credits")
    .addHelpText(
      "after",
      examples("account set --subscription off", "account set --allowance 50 --credits 0"),
    )
    .action(runs(async () => (await import("./commands/account.ts")).change));
}
