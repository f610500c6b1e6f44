import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { FORMATS } from "../contract/enums.ts";
import { examples, type Lazily } from "./lazily.ts";

const BOOK = "its id, title or number";

/** `books`, `outline`, `show`, `search` and `history`. */
export function declareReading(program: Command, runs: Lazily): void {
  program
    .command("books")
    .description("list the books")
    .addHelpText("after", examples("books", "books --json"))
    .action(runs(async () => (await import("./commands/books.ts")).books));
  program
    .command("outline")
    .description("show a book's parts, chapters and goal")
    .argument("<book>", BOOK)
    .addHelpText("after", examples("outline 1", 'outline "Moby Dick" --json'))
    .action(runs(async () => (await import("./commands/outline.ts")).outline));
  program
    .command("show")
    .description("print a chapter")
    .argument("<chapter>", BOOK)
    .option("--book <book>", "the chapter's book")
    .addOption(new Option("--format <format>", "how").choices(FORMATS).default("text"))
    .option("--revision <number>", "an older revision", positive)
    .addHelpText(
      "after",
      examples("show 4", "show Loomings --format markdown", "show ch_… --format doc --json"),
    )
    .action(runs(async () => (await import("./commands/show.ts")).show));
  program
    .command("search")
    .description("search prose and cast by keywords")
    .argument("<book>", BOOK)
    .argument("<query>", 'words, "phrases", -word, word*')
    .option("--limit <number>", "hits at most", positive)
    .addHelpText("after", examples("search 1 'white whale'", "search 1 '\"old Tobit\" -lamp' --limit 5"))
    .action(runs(async () => (await import("./commands/search.ts")).search));
  program
    .command("history")
    .description("list what was written: in a chapter, or in the whole file")
    .addArgument(new Argument("[chapter]", BOOK))
    .option("--book <book>", "the chapter's book")
    .option("--limit <number>", "newest entries at most", positive)
    .addHelpText("after", examples("history", "history 4", "history --limit 5 --json"))
    .action(runs(async () => (await import("./commands/history.ts")).history));
}

/** A number from 1 on. */
export function positive(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("It must be a whole number from 1 on.");
}
