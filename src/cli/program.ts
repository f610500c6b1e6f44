import { readFileSync } from "node:fs";
import { Command } from "commander";
import { EXIT, EXIT_MEANING } from "../contract/problems.ts";
import { declareAccess } from "./declare-access.ts";
import { declareFacts } from "./declare-facts.ts";
import { declareFiles } from "./declare-files.ts";
import { declareNotes } from "./declare-notes.ts";
import { declareReading } from "./declare-reading.ts";
import { declareWriting } from "./declare-writing.ts";
import { lazily } from "./lazily.ts";
import type { Terminal } from "./terminal.ts";

const ABOUT = "A writer's whole manuscript in one file: worked on here, served over an HTTP/JSON API.";

/** The whole command line: every command with its options and examples, nothing of what they do. */
export function buildProgram(terminal: Terminal, fail: (exit: number) => void): Command {
  const program = new Command("manuscript")
    .description(ABOUT)
    .version(version(), "-V, --version", "print the version")
    .option("--file <path>", "the manuscript; else $MANUSCRIPT_FILE, else the one here or above")
    .option("--json", "answer with one JSON object on stdout, errors too")
    .helpOption("-h, --help", "show help for a command")
    .helpCommand("help [command]", "show help for a command")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: () => {}, // told by report.ts
      getOutHelpWidth: () => widthOf(terminal.stdout),
      getErrHelpWidth: () => widthOf(terminal.stderr),
    })
    .exitOverride()
    .addHelpText("after", exitCodes());
  const runs = lazily(terminal, fail);
  declareFiles(program.commandsGroup("The manuscript:"), runs);
  declareReading(program.commandsGroup("Reading:"), runs);
  declareWriting(program.commandsGroup("Writing:"), runs);
  declareFacts(program, runs);
  declareNotes(program, runs);
  declareAccess(program.commandsGroup("Keys, account, API:"), runs);
  return program;
}

const WIDTH = 100;

function widthOf({ isTTY, columns }: Terminal["stdout"]): number {
  return isTTY && columns !== undefined ? Math.min(columns, WIDTH) : WIDTH;
}

function exitCodes(): string {
  const lines = Object.entries(EXIT).map(
    ([name, code]) => `  ${code}  ${EXIT_MEANING[name as keyof typeof EXIT]}`,
  );
  return `
A BOOK or CHAPTER is an id, a title, or its number in the list.

Exit codes:
${lines.join("\n")}

Examples:
  manuscript init
  manuscript import my-novel/
  manuscript outline 1
  manuscript serve`;
}

function version(): string {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
}
