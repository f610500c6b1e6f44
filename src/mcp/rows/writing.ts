import { defineTool, type Tool } from "../tool/tool.ts";
import { INPUTS } from "./inputs.ts";

/** The tools that change something. */
export const WRITING: readonly Tool[] = [
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
    load: async () => (await import("../tools/resolve.ts")).resolve,
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
    load: async () => (await import("../tools/apply-edits.ts")).writeEdits,
  }),
  defineTool({
    name: "set_chapter",
    title: "Set status or synopsis",
    about: "Set a chapter's status or synopsis.",
    effect: "saves",
    needsWrite: true,
    input: INPUTS.set_chapter,
    load: async () => (await import("../tools/set-chapter.ts")).setChapter,
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
