import type {
  FORMATS,
  LANGUAGE_KINDS,
  PROPOSAL_FILTERS,
  PUBLISH_FORMATS,
  SNIPPET_KINDS,
  STATUSES,
  TrackedChanges,
} from "../../contract/enums.ts";
import type { LayoutName } from "../../files/layout-names.ts";
import type { ClientName } from "../../mcp/client-settings.ts";

// What each choice means, as completion shows it beside the choice.

/** Whose change counts where both sides changed. */
export const SIDES = { mine: "what the manuscript has", theirs: "what the file or your text has" };

/** How far a chapter is. */
export const OF_STATUS: Readonly<Record<(typeof STATUSES)[number], string>> = {
  draft: "being written",
  revising: "written, being revised",
  done: "finished",
};

/** The forms of a chapter. */
export const OF_FORMAT: Readonly<Record<(typeof FORMATS)[number], string>> = {
  text: "plain text",
  doc: "the native document, as JSON",
  markdown: "the Markdown, byte for byte",
  blocks: "a line of JSON a paragraph, with its id and Markdown",
};

/** Ways to import the tracked changes of a Word document. */
export const OF_CHANGES: Readonly<Record<TrackedChanges, string>> = {
  propose: "proposed, to be accepted or rejected here",
  accept: "all taken in",
  reject: "none taken in",
};

/** Formats of an export as one document. */
export const OF_DOCUMENTS: Readonly<Record<(typeof PUBLISH_FORMATS)[number] | "pdf", string>> = {
  docx: "a Word document, whose edits and comments an import takes back",
  epub: "an EPUB 3 for readers and shops",
  html: "one file to read in a browser or to print",
  pdf: "typeset pages, by a Chromium, Chrome or Edge that is found",
  review: "one file in which readers comment, and which an import takes back",
};

/** Looks of a Word document. */
export const OF_STYLE = {
  manuscript: "as agents and editors expect it: title page, double spacing, running head",
  plain: "for reading",
};

/** The kinds of notes. */
export const OF_KIND: Readonly<Record<(typeof SNIPPET_KINDS)[number], string>> = {
  note: "a remark",
  reference: "a source",
  todo: "a list to tick off",
  research: "something found out, or to be",
};

/** The states of proposals. */
export const OF_PROPOSALS: Readonly<Record<(typeof PROPOSAL_FILTERS)[number], string>> = {
  open: "to be decided",
  stale: "made of text that has changed since",
  accepted: "accepted",
  rejected: "rejected or withdrawn",
  all: "all of them",
};

/** The layouts of a book in files. */
export const OF_LAYOUT: Readonly<Record<LayoutName, string>> = {
  manuscript: "a folder that an export wrote",
  novelwriter: "a project of novelWriter",
  longform: "a project of Longform, for Obsidian",
  scrivener: "a project or export of Scrivener",
  document: "a document of Word or its like",
  "reading-order": "a folder of notes, in the order of the links in one of them",
  folder: "a folder with a file for each chapter",
  file: "one file, cut at its headings",
};

/** The programs that an agent runs in. */
export const OF_CLIENT: Readonly<Record<ClientName, string>> = {
  claude: "Claude Desktop and Claude Code",
  cursor: "Cursor",
  vscode: "Visual Studio Code",
  zed: "Zed",
};

/** The shells whose completion there is a script for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** The shells that complete. */
export const OF_SHELL: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: "for ~/.bashrc",
  zsh: "for ~/.zshrc",
  fish: "for ~/.config/fish",
};

/** The reports on a book. */
export const OF_REPORT = {
  timeline: "dates and times, each worked out from the ones before",
  appearances: "who appears in which chapters, and who shares scenes",
  language: "what a line editor would mark",
  pace: "how long chapters, scenes and sentences are, and how much is speech",
};

/** Kinds of marks of a line editor. */
export const OF_MARKS: Record<(typeof LANGUAGE_KINDS)[number], string> = {
  filter: "“could see”, “felt”, “seemed to”, “began to”",
  intensifier: "“very”, “quite”, “suddenly”",
  tag: "showy verbs of speech, and deeds by which nobody speaks",
  tag_adverb: "“said softly”",
  padding: "“the fact that”, “nodded his head”",
  repeat: "a word that comes back by accident",
  opening: "four sentences in a row with the same first word",
  tic: "gestures and fillers that come too often",
  spelling: "the rarer of two spellings",
  tense: "a sentence in the present among others in the past",
  viewpoint: "thoughts of somebody else in a chapter told by “I”",
};

/** The option that every write takes. */
export const DRY_RUN = { "--dry-run": "say what would be done, and write nothing" };
