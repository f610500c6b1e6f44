import { counted, localTime, oneLine } from "../text/columns.ts";
import type { AnswerOf } from "./index.ts";

/** Words for each kind of act, for the command line, the page and agents. They follow the name of whoever did it. */
const DONE: Readonly<Record<string, string>> = {
  createBook: "made the book",
  updateBook: "renamed the book",
  describeBook: "described the book",
  setGoal: "set the goal",
  deleteGoal: "removed the goal",
  createPart: "added a part",
  updatePart: "changed a part",
  createChapter: "added a chapter",
  updateChapter: "renamed or moved",
  splitChapter: "split a chapter",
  joinChapters: "joined chapters",
  moveParagraphs: "moved paragraphs",
  setStatus: "set the status",
  saveSynopsis: "wrote the synopsis",
  replaceProse: "wrote",
  replaceParagraph: "wrote",
  insertParagraphs: "added paragraphs",
  restoreRevision: "restored a revision",
  replaceText: "replaced words",
  map: "edited paragraphs",
  createFact: "added to the story map",
  editParagraphs: "edited paragraphs",
  updateFact: "changed the story map",
  mergeFacts: "merged facts",
  renameFact: "renamed a fact",
  propose: "proposed changes",
  acceptProposal: "accepted proposed changes",
  rejectProposal: "rejected proposed changes",
  acceptProposals: "added to the story map",
  dismissFindings: "dismissed findings",
  anchorMentions: "linked mentions",
  reanchorMentions: "linked mentions",
  createSnippet: "added a note",
  updateSnippet: "changed a note",
  deleteSnippet: "deleted a note",
  createMilestone: "named a draft",
  updateMilestone: "renamed a draft",
  deleteMilestone: "unnamed a draft",
  restoreBook: "restored the book",
  undoAct: "undid a change",
};

/** Says in few words what an act did: "set the status". Other kinds are spelt out from their name. */
export function doneOf({ kind, source }: { kind: string; source: string }): string {
  if (kind === "importBook") return source === "import" ? "imported the book" : "synced a folder";
  return (
    DONE[kind] ??
    kind.replace(/^delete/, "deletedA").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  );
}

type Act = AnswerOf<"listActs">["acts"][number];

/** Names of records by id, in the order in which they are listed. */
export type Names = ReadonlyMap<string, string>;

/** How much an act touched, and what that is called: "2 chapters: The Ferry, The Lamp"; "nothing" of one that changed nothing. */
export function reachOf(touch: Act["touched"], names: Names): string {
  const { books, parts, chapters, facts, snippets, proposals, milestones } = touch;
  const touched = [
    [books, "book"],
    [parts, "part"],
    [chapters, "chapter"],
    [facts, "fact"],
    [snippets, "note"],
    [proposals, "proposal"],
    [milestones, "milestone"],
  ] as const;
  let left = MOST_NAMED;
  const kinds = touched.flatMap(([ids, noun]) => {
    if (ids.length === 0) return [];
    const own = new Set<string>(ids);
    const named = [...names].flatMap(([id, name]) => (own.has(id) ? [name] : []));
    const listed = named.slice(0, left).map((name) => oneLine(name, LONGEST_NAME));
    left -= listed.length;
    const more = named.length > listed.length ? ` and ${named.length - listed.length} more` : "";
    return `${counted(ids.length, noun)}${listed.length === 0 ? "" : `: ${listed.join(", ")}${more}`}`;
  });
  return kinds.join("; ") || "nothing";
}

/** Names at most, of all kinds together. */
const MOST_NAMED = 3;
const LONGEST_NAME = 40;

/** An act in words: "set the status, 1 chapter: “The Ferry”", and when: "(2026-03-01 12:00)". */
export function actInWords(act: Act, names: Names): string {
  const quoted = new Map([...names].map(([id, name]) => [id, `“${oneLine(name, LONGEST_NAME - 2)}”`]));
  return `${doneOf(act)}, ${reachOf(act.touched, quoted)} (${localTime(act.at)})`;
}

/** All that acts touched, each once. */
export function union(acts: readonly Pick<Act, "touched">[]): Act["touched"] {
  const all = (key: keyof Act["touched"]) => [...new Set(acts.flatMap(({ touched }) => touched[key]))];
  return {
    books: all("books"),
    parts: all("parts"),
    chapters: all("chapters"),
    facts: all("facts"),
    snippets: all("snippets"),
    proposals: all("proposals"),
    milestones: all("milestones"),
  };
}
