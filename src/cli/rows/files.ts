import { SNIPPET_KINDS } from "../../contract/enums.ts";
import { type Ranges, readRanges } from "../../text/ranges.ts";
import { encodingNamed } from "../../text/utf8.ts";
import { DRY_RUN, OF_CHANGES, OF_DOCUMENTS, OF_LAYOUT, OF_STYLE, SIDES } from "./choices.ts";
import { ONLY_BOOK, positive } from "./reading.ts";
import { commandRows } from "./rows.ts";
import { PROPOSE } from "./writing.ts";

/** What an import into a book that is there takes, a sync as well. */
const MERGING = {
  "--diff": "show what changes, word by word",
  "--force <side>": { about: "where both sides changed, take this one", choices: SIDES },
  "--yes": "let a chapter shrink below half, and text go that stands in a file left out",
  "--exit-code": "end with 1 where anything changes, with 0 where all is the same",
  ...DRY_RUN,
};

const APP = { "--app": "open it in a window of its own, where a Chromium is found" };

/** `init`, `use`, `serve`, `open`, `import`, `sync`, `export`, `backup`, `compact`, `doctor` and `rescue`. */
export const ROWS = commandRows({
  init: {
    about: "make a manuscript, without a book",
    takes: {
      "[file]": {
        about: "where, .manuscript is added; else $MANUSCRIPT_FILE, else named after this folder",
        is: "file",
      },
    },
    examples: ["init", "init salt", "init ~/novels/ferry.manuscript"],
  },
  use: {
    about: "choose the manuscript that commands in this folder mean; without one, say which they mean",
    takes: { "[file]": { about: "the manuscript", is: "file" } },
    examples: ["use", "use salt.manuscript"],
  },
  serve: {
    about: "serve manuscripts over HTTP until stopped",
    takes: {
      "[files...]": { about: "manuscripts, or folders of them", is: "file" },
      "--port <number>": { about: "the port; 0 takes any free one", read: port, default: 7341 },
      "--host <address>": { about: "the address to listen on", default: "127.0.0.1" },
      "--allow-remote":
        "let --host be one that other machines reach, unencrypted; better put TLS in front, by Caddy or ssh -L",
      "--allow-host <name>": { about: "answer to this Host too; may be repeated", repeats: true },
      "--cors <origin>": {
        about: "let the pages of this one origin ask, such as http://localhost:5173; may be repeated",
        repeats: true,
      },
      "--disable <tiers>": "do not answer these: read, propose, ai, write",
      "--cache <mib>": {
        about: "memory for answers that are given again, in MiB; 0 keeps none",
        read: megabytes,
        default: 64,
      },
      "--quiet": "no log",
      "--log <style>": {
        about: "how to log",
        choices: { line: "a line for people", json: "a line of JSON" },
        default: "line",
      },
      "--backups <dir>": {
        about:
          "where a copy is kept at the start and each hour, if anything changed; else NAME-backups beside the file",
        is: "folder",
      },
      "--no-backups": "keep no copies",
      "--sample": "serve ./sample.manuscript, a short novel, and make a key for it",
      "--open-files <number>": {
        about: "how many manuscripts of a folder are open at a time",
        read: positive,
        default: 32,
      },
      "--open": "open the page in a browser, signed in",
      ...APP,
    },
    examples: ["serve", "serve --open", "serve --port 0 --quiet", "serve ~/novels/", "serve --sample"],
  },
  open: {
    about: "open the owner's page in a browser, signed in; starts a server where none runs",
    takes: {
      "--code <code>": "let the page in that shows this code instead, such as 4F7K-9Q2M",
      ...APP,
      "--port <number>": { about: "the port of a server that it starts", read: port, default: 7341 },
    },
    examples: ["open", "open --app", "open --code 4F7K-9Q2M"],
  },
  import: {
    about: "take in a book: a Markdown file, a folder, stdin, another program's project; or a bundle",
    takes: {
      "<path>": {
        about:
          "a Markdown file, a folder (of Longform, novelWriter, Scrivener too), a document of Word, or through LibreOffice of OpenDocument, RTF, HTML, EPUB, old Word or WordPerfect, - for stdin, a reader's .comments.json, or a bundle's .json into an empty manuscript",
        is: "file",
      },
      "--book <book>": "into this book; else the one that the folder was made from, else a new one",
      "--title <title>": "the new book's title",
      "--split <level>": {
        about: "cut one file before its headings of this level, 1 to 6, or none; else it is guessed",
        read: level,
      },
      "--layout <name>": { about: "how the files lie; else what they look like", choices: OF_LAYOUT },
      "--adopt": "take in the Markdown and text of a folder that its layout does not list",
      "--encoding <name>": {
        about: "what files that are not UTF-8 are written in, such as windows-1252 or utf-16le",
        read: encoding,
      },
      "--changes <what>": {
        about: "tracked changes of a Word document: proposed to the book that it came from, else accepted",
        choices: OF_CHANGES,
      },
      "--clean": "drop control characters, which no text may hold, and say where",
      "--accept-loss": "import although text of the source would be lost",
      ...PROPOSE,
      ...MERGING,
    },
    examples: [
      "import my-novel/",
      "import my-novel/ --book 1 --dry-run --diff",
      "import novel.md --split 1",
      "import my-vault/ --layout longform --dry-run",
      'import - --title "Notes" < notes.md',
    ],
  },
  sync: {
    about: "bring an exported folder and its book in step, in both directions",
    takes: {
      "<dir>": { about: "the folder", is: "folder" },
      "--book <book>": "which; else the one that book.yaml names",
      "--delete": "delete chapters whose file is gone, and facts and notes taken out of theirs",
      "--adopt":
        "make chapters of the Markdown and text that is left out, each behind the one it was cut from",
      "--watch": "go on after every change of either side, until stopped",
      ...PROPOSE,
      ...MERGING,
    },
    examples: ["sync out/", "sync out/ --dry-run --diff", "sync out/ --watch"],
  },
  export: {
    about: "write a book: Markdown, one file per chapter, or one document; or the whole manuscript as JSON",
    takes: {
      ...ONLY_BOOK,
      "-f, --format <format>": {
        about: "what to write; else as the name after -o ends, or Markdown",
        choices: {
          markdown: "a file for each chapter; one text with --chapters or where -o names a file",
          txt: "one text without any markup",
          ...OF_DOCUMENTS,
          json: "a bundle of everything but keys and credits, to import into an empty manuscript",
        },
      },
      "-o, --output <path>": {
        about:
          "the folder, document or bundle; - for stdout, where a text goes anyway; else named after the book or manuscript",
        is: "file",
      },
      "--plain": "the prose alone, byte for byte, without front matter",
      "--as-imported":
        "the very files that came in, names, front matter or none, with what was edited since in its place",
      "--block-ids": "end each paragraph in its id as Obsidian writes one; import knows the paragraph by it",
      "--critic": "with open proposals in the prose as CriticMarkup: {--gone--} {++new++} {>>who: why<<}",
      "--chapters <numbers>": {
        about: "of a document only these chapters, such as 3-5 or 1,4-6",
        read: chapterNumbers,
      },
      "--notes <kinds>": {
        about: "with these notes as comments, such as note,todo, or all; none otherwise, for notes are yours",
        read: noteKinds,
      },
      "--style <style>": { about: "how a Word document looks", choices: OF_STYLE, default: "manuscript" },
      "--at <moment>":
        "the book as it was, into a new folder: at a milestone, an act, a day (its end), a time or so long ago (2d)",
      "--force": "overwrite files that differ",
    },
    examples: [
      "export",
      'export 1 --at "Draft 1" -o draft-1/',
      "export 1 -o backup/",
      "export --plain -o - | wc -w",
      "export 1 -o ferry.docx --notes todo",
      "export 1 -f docx --chapters 1-3 --style plain",
      "export -f markdown --chapters 1-3 | wc -w",
      "export -f txt -o ferry.txt",
      "export 1 --as-imported -o vault/",
      "export -f json -o novel.json",
    ],
  },
  backup: {
    about:
      "make a whole, verified copy of the manuscript's file, whoever has it open; restore FILE goes back to it",
    takes: {
      "--to <dir>": { about: "the folder; else NAME-backups beside the file", is: "folder" },
      "--rotate":
        "for cron: only if anything changed, and keep of these copies the last of 24 hours and of 30 days, as a server does",
      "--list": "list the copies that there are, newest first, and make none",
    },
    examples: ["backup", "backup --to /media/stick", "backup --rotate --json", "backup --list"],
  },
  compact: {
    about:
      "say what the manuscript's file and its history take, and give back what is free of it; the file of until now is kept",
    takes: {
      "--older-than <age>": {
        about: "fold the saves from before that, too, such as 1y, 6m, 90d or 2026-01-31",
        read: longAgo,
      },
      "--keep <what>": {
        about:
          "which saves of a chapter become one, else those of a sitting; what milestones, proposals and folders name stays",
        choices: {
          sittings: "those with no long pause between",
          days: "those of a day",
          milestones: "all from one milestone to the next",
        },
      },
      "--force": "fold saves of the last 30 days, too",
      ...DRY_RUN,
    },
    examples: [
      "compact --dry-run",
      "compact",
      "compact --older-than 1y --dry-run",
      "compact --older-than 2y --keep days",
    ],
  },
  doctor: {
    about: "look for damage in the manuscript's file, changing nothing; ends with 1 where there is some",
    takes: {
      "--mend":
        "bring back what its hash, its history or a copy beside it proves, after keeping the file as it was",
    },
    examples: ["doctor", "doctor --json", "doctor --mend"],
  },
  rescue: {
    about:
      "get everything out of a damaged file that is left in it and in copies beside it: a new manuscript, its text as Markdown, and REPORT.md; ends with 1 where something is missing",
    takes: {
      "<file>": { about: "the damaged manuscript; it is only read", is: "file" },
      "-o, --output <dir>": { about: "a new or empty folder for what comes back", is: "folder" },
    },
    examples: ["rescue salt.manuscript -o rescued/", "rescue salt.manuscript -o rescued/ --json"],
  },
});

function level(text: string): number | "none" {
  if (text === "none") return "none";
  if (/^[1-6]$/.test(text)) return Number(text);
  throw new RangeError("It must be 1 to 6, how many # the chapters' headings have, or none.");
}

const DAYS = { y: 365, m: 30, d: 1 };
const DAY_MS = 86_400_000;

/** A moment in milliseconds since 1970. */
function longAgo(text: string): number {
  const [, count, unit] = /^(\d{1,4})([ymd])$/.exec(text) ?? [];
  if (count !== undefined) return Date.now() - Number(count) * DAYS[unit as keyof typeof DAYS] * DAY_MS;
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00`).getTime() : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new RangeError("It must be an age such as 1y, 6m or 90d, or a day such as 2026-01-31.");
}

function chapterNumbers(text: string): Ranges {
  const ranges = readRanges(text);
  if (ranges !== undefined) return ranges;
  throw new RangeError("It must be numbers of chapters and ranges of them, such as 3-5 or 1,4-6.");
}

function noteKinds(text: string): readonly (typeof SNIPPET_KINDS)[number][] {
  if (text === "all") return SNIPPET_KINDS;
  const kinds = text.split(",").map((word) => SNIPPET_KINDS.find((kind) => kind === word.trim()));
  if (!kinds.includes(undefined)) return kinds.filter((kind) => kind !== undefined);
  throw new RangeError(`It must be of ${SNIPPET_KINDS.join(", ")}, with commas between, or all.`);
}

function encoding(text: string): string {
  const name = encodingNamed(text);
  if (name !== undefined) return name;
  throw new RangeError("It must be the name of an encoding, such as windows-1252, utf-16le or shift_jis.");
}

function megabytes(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new RangeError("It must be a whole number of MiB, from 0 on.");
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new RangeError("It must be 0 to 65535.");
}
