import { type Command, Option } from "commander";
import { SNIPPET_KINDS } from "../contract/enums.ts";
import { collected, examples, type Lazily } from "./lazily.ts";

const DRY_RUN = ["--dry-run", "say what would be done, and write nothing"] as const;
const ITEM = 'an entry of a todo, "[x] …" where it is done; may be repeated';

/** `notes`: the marginalia beside a book's prose. */
export function declareNotes(program: Command, runs: Lazily): void {
  const notes = program
    .command("notes")
    .description("list and change marginalia: notes, references, to-dos, research")
    .addHelpText(
      "after",
      examples("notes list", 'notes add 1 "Check the tide." --chapter 4', "notes delete sn_…"),
    );
  notes
    .command("list")
    .description("list the notes, in chapter order")
    .argument("[book]", "which; may be left out where there is one book only")
    .option("--chapter <chapter>", "only those beside this chapter")
    .addHelpText("after", examples("notes list", "notes list 1 --chapter 4"))
    .action(runs(async () => (await import("./commands/notes.ts")).listAll));
  notes
    .command("add")
    .description("add a note beside a book, a chapter or a paragraph")
    .argument("<book>", "its id, title or number")
    .argument("[text]", "the note; - for stdin")
    .addOption(new Option("--kind <kind>", "what it is").choices(SNIPPET_KINDS).default("note"))
    .option("--chapter <chapter>", "beside this chapter")
    .option("--block <blockId>", "beside this paragraph")
    .option("--url <url>", "a web or mail address")
    .option("--item <text>", ITEM, collected)
    .option(...DRY_RUN)
    .addHelpText(
      "after",
      examples(
        'notes add 1 "Check the tide." --chapter 4',
        'notes add 1 --kind todo --item "[x] count the oars"',
      ),
    )
    .action(runs(async () => (await import("./commands/notes.ts")).add));
  declareEdit(notes, runs);
  notes
    .command("delete")
    .description("delete a note; undo brings it back")
    .argument("<note>", "its id")
    .option(...DRY_RUN)
    .addHelpText("after", examples("notes delete sn_…"))
    .action(runs(async () => (await import("./commands/notes.ts")).remove));
}

function declareEdit(notes: Command, runs: Lazily): void {
  notes
    .command("edit")
    .description("change what is given of a note, and nothing else")
    .argument("<note>", "its id")
    .argument("[text]", 'the new text; - for stdin, "" clears it')
    .addOption(new Option("--kind <kind>", "what it is").choices(SNIPPET_KINDS))
    .option("--chapter <chapter>", "beside this chapter")
    .option("--block <blockId>", "beside this paragraph")
    .option("--detach", "beside no paragraph any more")
    .option("--url <url>", 'a web or mail address; "" clears it')
    .option("--item <text>", `${ITEM}, and replaces all entries`, collected)
    .option("--no-items", "drop all entries")
    .option(...DRY_RUN)
    .addHelpText("after", examples('notes edit sn_… "High water was at 6.12."', "notes edit sn_… --detach"))
    .action(runs(async () => (await import("./commands/notes.ts")).edit));
}
