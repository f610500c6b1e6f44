import { type Command, InvalidArgumentError } from "commander";
import { collected, examples, type Lazily } from "./lazily.ts";

/** `init`, `serve`, `import` and `export`. */
export function declareFiles(program: Command, runs: Lazily): void {
  program
    .command("init")
    .description("make a manuscript, without a book")
    .argument("[file]", "where; else $MANUSCRIPT_FILE, else named after this folder")
    .addHelpText("after", examples("init", "init ~/novels/ferry.manuscript"))
    .action(runs(async () => (await import("./commands/init.ts")).init));
  declareServe(program, runs);
  program
    .command("import")
    .description("take in Markdown: a file, a folder of NN-title.md files, or stdin")
    .argument("<path>", "a Markdown file, a folder, or - for stdin")
    .option("--book <book>", "into this book; else a new one is made")
    .option("--title <title>", "the new book's title")
    .option("--dry-run", "say what would be done, and write nothing")
    .addHelpText(
      "after",
      examples(
        "import my-novel/",
        "import my-novel/ --book 1 --dry-run",
        'import - --title "Notes" < notes.md',
      ),
    )
    .action(runs(async () => (await import("./commands/import.ts")).importPath));
  program
    .command("export")
    .description("write a book as Markdown, one file per chapter")
    .argument("[book]", "which; may be left out where there is one book only")
    .option("-o, --output <dir>", "the folder; - for stdout; else named after the book")
    .option("--plain", "the prose alone, byte for byte, without front matter")
    .option("--force", "overwrite files that differ")
    .addHelpText("after", examples("export", "export 1 -o backup/", "export --plain -o - | wc -w"))
    .action(runs(async () => (await import("./commands/export.ts")).exportBook));
}

function declareServe(program: Command, runs: Lazily): void {
  program
    .command("serve")
    .description("serve manuscripts over HTTP until stopped")
    .argument("[files...]", "manuscripts, or folders of them")
    .option("--port <number>", "the port; 0 takes any free one", port, 7341)
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .option("--allow-host <name>", "answer to this Host too; may be repeated", collected)
    .option("--disable <tiers>", "do not answer these: read, ai, write")
    .option("--quiet", "no log")
    .option("--log <style>", "how to log: line or json", "line")
    .option("--sample", "serve ./sample.manuscript, a short novel, and make a key for it")
    .addHelpText("after", examples("serve", "serve --port 0 --quiet", "serve ~/novels/", "serve --sample"))
    .action(runs(async () => (await import("./commands/serve.ts")).serve));
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("It must be 0 to 65535.");
}
