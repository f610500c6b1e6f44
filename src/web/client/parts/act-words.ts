import type { Answer } from "../api/operations.ts";

/** One write of the change feed. */
export type Act = Answer<"listActs">["acts"][number];

const DONE: Readonly<Record<string, string>> = {
  createBook: "made the book",
  updateBook: "renamed the book",
  deleteBook: "deleted a book",
  setGoal: "set the goal",
  deleteGoal: "took the goal away",
  createPart: "added a part",
  updatePart: "changed a part",
  deletePart: "removed a part",
  createChapter: "added a chapter",
  updateChapter: "renamed or moved",
  deleteChapter: "deleted a chapter",
  splitChapter: "split a chapter",
  joinChapters: "joined chapters",
  moveParagraphs: "moved paragraphs",
  setStatus: "set the status",
  saveSynopsis: "wrote the synopsis",
  replaceProse: "wrote",
  replaceParagraph: "wrote",
  insertParagraphs: "put paragraphs in",
  deleteParagraph: "took a paragraph out",
  restoreRevision: "went back to an older revision",
  replaceText: "replaced words",
  map: "ran a program over paragraphs",
  createFact: "added to the story map",
  editParagraphs: "edited paragraphs",
  updateFact: "changed the story map",
  mergeFacts: "merged two facts",
  deleteFact: "took a fact out",
  renameFact: "renamed a fact",
  propose: "proposed changes",
  acceptProposal: "took proposed changes in",
  rejectProposal: "set proposed changes aside",
  acceptProposals: "took proposals into the story map",
  dismissFindings: "set findings aside",
  anchorMentions: "linked mentions",
  reanchorMentions: "linked mentions again",
  createSnippet: "added a note",
  updateSnippet: "changed a note",
  deleteSnippet: "deleted a note",
  createMilestone: "named a draft",
  updateMilestone: "renamed a draft",
  deleteMilestone: "took a draft's name away",
  restoreBook: "went back to an older book",
  undoAct: "took something back",
};

/** Who asked for an act, as it is called here. */
export function whoOf({ source, by }: Pick<Act, "source"> & Partial<Pick<Act, "by">>): string {
  if (source === "restore" || source === "undo") return "Taken back";
  if (source === "cli") return "The command line";
  if (source === "mcp") return by ?? "An agent";
  if (source === "import" || source === "sync") return "A folder";
  return source === "page" ? "You" : "A script";
}

/** What an act did, in few words. */
export function doneOf({ kind, source }: Pick<Act, "kind" | "source">): string {
  return DONE[kind] ?? (source === "import" ? "was brought in" : kind);
}
