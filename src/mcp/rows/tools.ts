import { defineTool, type Tool } from "../tool/tool.ts";
import { INPUTS } from "./inputs.ts";

/** The tools that change nothing. */
const READING: readonly Tool[] = [
  defineTool({
    name: "read_outline",
    title: "Read the outline",
    about: "A book's parts and chapters: number, title, id, status, words, synopsis.",
    effect: "reads",
    input: INPUTS.read_outline,
    load: async () => (await import("../tools/read-outline.ts")).answerOutline,
  }),
  defineTool({
    name: "read_chapter",
    title: "Read a chapter",
    about:
      "A chapter's prose in Markdown, each paragraph with its number (¶12), in pages; says the revision that the numbers belong to.",
    effect: "reads",
    input: INPUTS.read_chapter,
    load: async () => (await import("../tools/read-chapter.ts")).answerChapter,
  }),
  defineTool({
    name: "search",
    title: "Search",
    about:
      'Find words in prose and cast: "a phrase", -without, begin*. Shows the best of each chapter; with chapter, all there.',
    effect: "reads",
    input: INPUTS.search,
    load: async () => (await import("../tools/search.ts")).answerSearch,
  }),
  defineTool({
    name: "read_cast",
    title: "Read the story map",
    about:
      "The story map: people, places, things. With name, one of them in full, with where it is mentioned.",
    effect: "reads",
    input: INPUTS.read_cast,
    load: async () => (await import("../tools/read-cast.ts")).answerCast,
  }),
  defineTool({
    name: "appearances",
    title: "See who appears where",
    about: "Who and what of the story map is named in which chapters, or in one, how often.",
    effect: "reads",
    input: INPUTS.appearances,
    load: async () => (await import("../tools/appearances.ts")).answerAppearances,
  }),
  defineTool({
    name: "list_notes",
    title: "List notes",
    about: "Notes beside a book or a chapter, each with its ¶.",
    effect: "reads",
    input: INPUTS.list_notes,
    load: async () => (await import("../tools/list-notes.ts")).answerNotes,
  }),
  defineTool({
    name: "history",
    title: "Read the history",
    about: "What was written last and by whom, newest first; with chapter, its revisions.",
    effect: "reads",
    input: INPUTS.history,
    load: async () => (await import("../tools/history.ts")).answerHistory,
  }),
  defineTool({
    name: "list_proposals",
    title: "List proposals",
    about: "Proposals and what became of them; with id, one with its edits.",
    effect: "reads",
    input: INPUTS.list_proposals,
    load: async () => (await import("../tools/list-proposals.ts")).answerProposals,
  }),
];

/** The tools that change something. */
const WRITING: readonly Tool[] = [
  defineTool({
    name: "add_note",
    title: "Add a note",
    about: "Write a note beside a paragraph, a chapter or the book. Prose stays as it is.",
    effect: "adds",
    input: INPUTS.add_note,
    load: async () => (await import("../tools/add-note.ts")).addNote,
  }),
  defineTool({
    name: "resolve",
    title: "Resolve",
    about: "Resolve a note: tick off a to-do, take any other away. Or withdraw your own proposal.",
    effect: "rewrites",
    input: INPUTS.resolve,
    load: async () => (await import("../tools/add-note.ts")).resolve,
  }),
  defineTool({
    name: "propose_edits",
    title: "Propose edits",
    about:
      "Propose changes of a chapter's paragraphs. The writer accepts or rejects each; until then prose stays as it is.",
    effect: "adds",
    input: INPUTS.propose_edits,
    load: async () => (await import("../tools/propose-edits.ts")).proposeEdits,
  }),
  defineTool({
    name: "apply_edits",
    title: "Apply edits",
    about:
      "Write edits, as propose_edits takes them, in one act. Without dryRun false it only says what they cost.",
    effect: "rewrites",
    needsWrite: true,
    input: INPUTS.apply_edits,
    load: async () => (await import("../tools/propose-edits.ts")).writeEdits,
  }),
  defineTool({
    name: "set_chapter",
    title: "Set status or synopsis",
    about: "Set a chapter's status or synopsis.",
    effect: "saves",
    needsWrite: true,
    input: INPUTS.set_chapter,
    load: async () => (await import("../tools/save-fact.ts")).setChapter,
  }),
  defineTool({
    name: "save_fact",
    title: "Save a fact",
    about: "Add a fact to the story map; with fact, change the fields given of that one.",
    effect: "saves",
    needsWrite: true,
    input: INPUTS.save_fact,
    load: async () => (await import("../tools/save-fact.ts")).saveFact,
  }),
  defineTool({
    name: "undo",
    title: "Undo",
    about: "Take back an act of your own; without act your newest that stands.",
    effect: "rewrites",
    needsWrite: true,
    input: INPUTS.undo,
    load: async () => (await import("../tools/undo.ts")).undoOwn,
  }),
];

/** Rights of an agent: read; read, note and propose; or write, too. */
export type Allowed = "read" | "propose" | "write";

/** The tools of an agent that may do so much, in the order in which they are listed. */
export function toolsFor(allowed: Allowed): Tool[] {
  if (allowed === "read") return [...READING];
  return [...READING, ...WRITING].filter(({ needsWrite }) => allowed === "write" || !needsWrite);
}
