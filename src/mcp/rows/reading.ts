import { defineTool, type Tool } from "../tool/tool.ts";
import { INPUTS } from "./inputs.ts";

/** The tools that change nothing. */
export const READING: readonly Tool[] = [
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
