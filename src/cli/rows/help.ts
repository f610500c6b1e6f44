import { OF_SHELL } from "./choices.ts";
import type { CommandRow, OptionRow } from "./rows.ts";

/** The options that every command takes. */
export const FILE: OptionRow = {
  flags: "--file <path>",
  about: "the manuscript; else $MANUSCRIPT_FILE, else the one here or above",
  is: "path",
};
/** The same as `FILE`. */
export const JSON_ANSWER: OptionRow = {
  flags: "--json",
  about: "answer with one JSON object on stdout, errors too",
};
/** The same as `FILE`. */
export const HELP: OptionRow = { flags: "-h, --help", about: "show help for a command" };
/** What the program takes in a command's place. */
export const VERSION: OptionRow = { flags: "-v, --version", about: "print the version" };

/** `completion`. */
export const ROWS: readonly CommandRow[] = [
  {
    name: "completion",
    about: "print the script that lets a shell complete commands, options, titles and ids",
    arguments: [{ name: "<shell>", about: "which", choices: OF_SHELL }],
    options: [],
    setup: [
      'eval "$(manuscript completion bash)"     # in ~/.bashrc',
      "source <(manuscript completion zsh)      # in ~/.zshrc, after compinit",
      "manuscript completion fish | source      # in ~/.config/fish/config.fish",
    ],
    examples: ["completion fish > ~/.config/fish/completions/manuscript.fish"],
    load: async () => (await import("../commands/help/completion.ts")).completion,
  },
];
