import { OF_SHELL } from "./choices.ts";
import { commandRows, type SlotRow, slotsOf } from "./rows.ts";

/** The options that every command takes, and `VERSION`, which the program takes in a command's place. */
export const [FILE, JSON_ANSWER, HELP, VERSION] = slotsOf({
  "--file <path>": { about: "the manuscript; else $MANUSCRIPT_FILE, else the one here or above", is: "file" },
  "--json": "answer with one JSON object on stdout, errors too",
  "-h, --help": "show help for a command",
  "-v, --version": "print the version; with --verbose those of Node, SQLite and the file format, too",
}) as [SlotRow, SlotRow, SlotRow, SlotRow]; // in this order

/** `completion`. */
export const ROWS = commandRows({
  completion: {
    about: "print the script that lets a shell complete commands, options, choices and files",
    takes: { "<shell>": { about: "which", choices: OF_SHELL } },
    setup: [
      'eval "$(manuscript completion bash)"     # in ~/.bashrc',
      "source <(manuscript completion zsh)      # in ~/.zshrc, after compinit",
      "manuscript completion fish | source      # in ~/.config/fish/config.fish",
    ],
    examples: ["completion fish > ~/.config/fish/completions/manuscript.fish"],
  },
});
