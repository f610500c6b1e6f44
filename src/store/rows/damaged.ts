import { Damaged } from "../../refusals.ts";
import type { Store } from "../file/store.ts";
import type { TableName } from "../schema/tables.ts";

const NAMES: Readonly<Record<TableName, string>> = {
  books: "book",
  goals: "the goal of book",
  parts: "part",
  chapters: "chapter",
  blocks: "a paragraph",
  facts: "fact",
  fact_merges: "a merged fact",
  mentions: "a mention",
  snippets: "note",
  dismissals: "a dismissed finding",
  proposals: "proposal",
  proposed_edits: "an edit of proposal",
  milestones: "milestone",
};

/** The refusal, with the chapter that a block or a mention is of. */
export function damaged(store: Store, table: TableName, id: string | undefined): Damaged {
  if (id === undefined) return new Damaged(`the list of ${table.replace("_", " ")}`);
  const chapter =
    table === "blocks" || table === "mentions"
      ? store.list<string>(`SELECT chapter_id FROM ${table} WHERE id = ?`, id)[0]
      : undefined;
  return new Damaged(
    chapter === undefined ? `${NAMES[table]} ${id}` : `${NAMES[table]} of chapter ${chapter}`,
  );
}
