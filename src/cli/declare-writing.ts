import { Argument, type Command } from "commander";
import { STATUSES } from "../contract/enums.ts";
import { examples, type Lazily } from "./lazily.ts";

const CHAPTER = "its id, title or number";

/** `status`, `synopsis` and `undo`. */
export function declareWriting(program: Command, runs: Lazily): void {
  program
    .command("status")
    .description("set a chapter's status")
    .argument("<chapter>", CHAPTER)
    .addArgument(new Argument("<value>", "the new status").choices(STATUSES))
    .option("--book <book>", "the chapter's book")
    .option("--dry-run", "say what would be done, and write nothing")
    .addHelpText("after", examples("status 4 done"))
    .action(runs(async () => (await import("./commands/status.ts")).status));
  program
    .command("synopsis")
    .description("print or set a chapter's synopsis")
    .argument("<chapter>", CHAPTER)
    .argument("[text]", 'the new synopsis; - for stdin, "" clears it; printed without it')
    .option("--book <book>", "the chapter's book")
    .option("--dry-run", "say what would be done, and write nothing")
    .addHelpText(
      "after",
      examples("synopsis 4", 'synopsis 4 "Ishmael goes to sea."', "synopsis 4 - < synopsis.txt"),
    )
    .action(runs(async () => (await import("./commands/synopsis.ts")).synopsis));
  program
    .command("undo")
    .description("take back a write: the last one, or any that history lists")
    .argument("[act]", "its id")
    .option("--dry-run", "say what would be done, and write nothing")
    .addHelpText("after", examples("undo", "undo act_… --dry-run"))
    .action(runs(async () => (await import("./commands/undo.ts")).undo));
}
