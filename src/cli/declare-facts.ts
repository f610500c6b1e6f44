import type { Command } from "commander";
import { collected, examples, type Lazily } from "./lazily.ts";

const FACT = "its id, name or alias";
const DRY_RUN = ["--dry-run", "say what would be done, and write nothing"] as const;

/** `facts`: the cast, places and things of a book. */
export function declareFacts(program: Command, runs: Lazily): void {
  const facts = program
    .command("facts")
    .description("list and change a book's story map: people, places, things")
    .addHelpText(
      "after",
      examples("facts list", 'facts add "Queequeg" --kind character', "facts merge Ahab 'Captain Ahab'"),
    );
  facts
    .command("list")
    .description("list the facts, by name")
    .argument("[book]", "which; may be left out where there is one book only")
    .addHelpText("after", examples("facts list", "facts list 2 --json"))
    .action(runs(async () => (await import("./commands/facts.ts")).listAll));
  declareAdd(facts, runs);
  facts
    .command("edit")
    .description("change the fields given, and no other")
    .argument("<fact>", FACT)
    .option("--book <book>", "the fact's book")
    .option("--name <name>", "another name")
    .option("--kind <kind>", "such as character, place, object")
    .option("--alias <name>", "another name; may be repeated, and replaces all aliases", collected)
    .option("--no-aliases", "drop all aliases")
    .option("--summary <text>", "who or what it is")
    .option(...DRY_RUN)
    .addHelpText(
      "after",
      examples('facts edit Ahab --summary "Captain of the Pequod."', "facts edit Ahab --alias 'Old Thunder'"),
    )
    .action(runs(async () => (await import("./commands/facts.ts")).edit));
  facts
    .command("merge")
    .description("let one fact absorb another: names, values and mentions")
    .argument("<keep>", `the fact that stays: ${FACT}`)
    .argument("<drop>", `the fact that goes: ${FACT}`)
    .option("--book <book>", "their book")
    .option(...DRY_RUN)
    .addHelpText("after", examples("facts merge Ahab 'Captain Ahab'"))
    .action(runs(async () => (await import("./commands/facts.ts")).merge));
  facts
    .command("delete")
    .description("delete a fact and its mentions; the prose stays")
    .argument("<fact>", FACT)
    .option("--book <book>", "the fact's book")
    .option(...DRY_RUN)
    .addHelpText("after", examples("facts delete Ahab"))
    .action(runs(async () => (await import("./commands/facts.ts")).remove));
}

function declareAdd(facts: Command, runs: Lazily): void {
  facts
    .command("add")
    .description("add a fact")
    .usage("[options] [book] <name>")
    .argument("<words...>", "its name; before it the book, where there are several")
    .option("--book <book>", "the fact's book")
    .option("--kind <kind>", "such as character, place, object")
    .option("--alias <name>", "another name; may be repeated", collected)
    .option("--attribute <key=value>", "such as eyes=grey; may be repeated", collected)
    .option("--summary <text>", "who or what it is")
    .option(...DRY_RUN)
    .addHelpText(
      "after",
      examples(
        'facts add "Queequeg" --kind character',
        "facts add Ahab --alias 'Old Thunder' --attribute leg=ivory",
      ),
    )
    .action(runs(async () => (await import("./commands/facts.ts")).add));
}
