/**
 * How undo treats a column. `content` is journalled, compared and restored. `rank` is journalled, and restored only if
 * it is still as the act left it: a later move never stands in the way. `derived` is outside the journal and is
 * computed again from content. Source: docs/decisions/002-journal.md.
 */
type Role = "content" | "rank" | "derived";

/** One column: its SQL type and constraints, and how undo treats it. */
interface Column {
  sql: string;
  role: Role;
  /** The table whose `id` this column names. Checked at commit; nothing cascades, so nothing is deleted unseen. */
  references?: TableName;
}

/** The tables that hold what the writer made. */
export type TableName =
  | "books"
  | "goals"
  | "parts"
  | "chapters"
  | "blocks"
  | "facts"
  | "fact_merges"
  | "mentions"
  | "snippets"
  | "dismissals"
  | "proposals"
  | "proposed_edits"
  | "milestones"
  | "book_pictures";

/** A journalled table. Its key is the column `id`, text that never changes. */
interface Table {
  columns: Readonly<Record<string, Column>>;
  /** The column that holds a row's chapter, if rows belong to one: the journal carries it for reading revisions. */
  chapter?: string;
}

const content = (sql: string): Column => ({ sql, role: "content" });
const derived = (sql: string): Column => ({ sql, role: "derived" });
const rank: Column = { sql: "TEXT NOT NULL", role: "rank" };
/** The hash of `id` and the journalled columns, by which damage is found. Written in chapters, blocks, mentions and notes. */
const hash = derived("INTEGER NOT NULL DEFAULT 0");
/** The hash of what follows from a block's node, and of its leaves. Not written in any other table. */
const seal = derived("INTEGER NOT NULL DEFAULT 0");
const to = (references: TableName, sql = "TEXT NOT NULL"): Column => ({ sql, role: "content", references });

/** Every table that holds what the writer made, parents first. From here come the DDL, the triggers and undo. */
export const TABLES: Readonly<Record<TableName, Table>> = {
  /** A book; its parts, chapters, facts and notes name it. */
  books: {
    columns: {
      title: content("TEXT NOT NULL"),
      /** The keys of an imported list of the book that have no column of their own, as JSON. */
      manifest: content("TEXT"),
      created_at: content("INTEGER NOT NULL"),
      updated_at: derived("INTEGER NOT NULL DEFAULT 0"),
      hash,
      seal,
      /** Author, language, rights, identifier, description and cover, as JSON of those that are known; NULL for none. */
      metadata: content("TEXT"),
    },
  },
  /** A goal's id is its book's: one each. */
  goals: {
    columns: {
      book_id: to("books"),
      target_words: content("INTEGER NOT NULL"),
      deadline: content("TEXT"),
      daily_words: content("INTEGER"),
      hash,
    },
  },
  /** Chapters under one title. A book may have none. */
  parts: {
    columns: {
      book_id: to("books"),
      rank,
      title: content("TEXT NOT NULL"),
      created_at: content("INTEGER NOT NULL"),
      hash,
    },
  },
  /** A chapter without its prose, and what its file had besides blocks. */
  chapters: {
    chapter: "id",
    columns: {
      book_id: to("books"),
      part_id: to("parts", "TEXT"),
      rank,
      title: content("TEXT NOT NULL"),
      status: content("TEXT NOT NULL"),
      synopsis: content("TEXT NOT NULL"),
      /** The file this chapter was imported from, relative to its folder. */
      file: content("TEXT"),
      /** The YAML block before the prose, verbatim with its fences, and with the blank line after it if an export made it. */
      front_matter: content("TEXT NOT NULL"),
      bom: content("INTEGER NOT NULL"),
      eol: content("TEXT NOT NULL"),
      /** The Markdown before the first block. */
      head: content("TEXT NOT NULL"),
      created_at: content("INTEGER NOT NULL"),
      /** 1 for the first chapter of the book, without holes. */
      position: derived("INTEGER NOT NULL DEFAULT 0"),
      /** Goes up with every change of the prose. */
      revision: derived("INTEGER NOT NULL DEFAULT 0"),
      /** Goes up with everything else that a chapter's answer shows. */
      version: derived("INTEGER NOT NULL DEFAULT 0"),
      word_count: derived("INTEGER NOT NULL DEFAULT 0"),
      block_count: derived("INTEGER NOT NULL DEFAULT 0"),
      mention_count: derived("INTEGER NOT NULL DEFAULT 0"),
      updated_at: derived("INTEGER NOT NULL DEFAULT 0"),
      /** The hashes of its blocks and mentions and the seals of its blocks added up, modulo 2^48: none is missing. */
      digest: derived("INTEGER NOT NULL DEFAULT 0"),
      hash,
      seal,
    },
  },
  /** A top-level block of a chapter's prose, in the order of `rank`. */
  blocks: {
    chapter: "chapter_id",
    columns: {
      chapter_id: to("chapters"),
      rank,
      /** ProseMirror JSON without mention marks, its leaves with their `blockId`. */
      node: content("TEXT NOT NULL"),
      /** The author's Markdown of it, without its line end. */
      source: content("TEXT NOT NULL"),
      /** What stands from there to the next block. */
      gap: content("TEXT NOT NULL"),
      type: derived("TEXT NOT NULL"),
      text: derived("TEXT NOT NULL"),
      words: derived("INTEGER NOT NULL"),
      hash,
      /** Of `id`, `type`, `text`, `words` and the ids of its leaves. */
      seal,
    },
  },
  /** An entry of the story map. `aliases` and `attributes` are JSON. */
  facts: {
    columns: {
      book_id: to("books"),
      name: content("TEXT NOT NULL"),
      kind: content("TEXT NOT NULL"),
      aliases: content("TEXT NOT NULL"),
      attributes: content("TEXT NOT NULL"),
      summary: content("TEXT NOT NULL"),
      created_at: content("INTEGER NOT NULL"),
      updated_at: derived("INTEGER NOT NULL DEFAULT 0"),
      hash,
      seal,
    },
  },
  /** `id` was merged into `fact_id`: a document that still names it means the keeper. */
  fact_merges: { columns: { book_id: to("books"), fact_id: to("facts"), hash } },
  /** A span of a leaf's text that names a fact; `start` and `end` are UTF-16 offsets in it. */
  mentions: {
    chapter: "chapter_id",
    columns: {
      fact_id: to("facts"),
      chapter_id: to("chapters"),
      block_id: content("TEXT NOT NULL REFERENCES leaves(id) DEFERRABLE INITIALLY DEFERRED"),
      start: content("INTEGER NOT NULL"),
      end: content("INTEGER NOT NULL"),
      text: content("TEXT NOT NULL"),
      hash,
    },
  },
  /** A note beside the prose; `items`, of a to-do list, is JSON. */
  snippets: {
    columns: {
      book_id: to("books"),
      chapter_id: to("chapters", "TEXT"),
      block_id: content("TEXT REFERENCES leaves(id) DEFERRABLE INITIALLY DEFERRED"),
      rank,
      kind: content("TEXT NOT NULL"),
      text: content("TEXT"),
      url: content("TEXT"),
      items: content("TEXT"),
      /** Where it was anchored when its paragraph went: JSON `{blockId, quote, revision}`. */
      detached: content("TEXT"),
      created_at: content("INTEGER NOT NULL"),
      updated_at: derived("INTEGER NOT NULL DEFAULT 0"),
      hash,
      seal,
      /** Who said it, where that was another than the writer. */
      author: content("TEXT"),
      /** The words of its paragraph that it is about. */
      quote: content("TEXT"),
      /** What was answered to it: JSON `[{author, text, at}]`. */
      replies: content("TEXT"),
      /** 1 if it is settled. */
      resolved: content("INTEGER"),
    },
  },
  /** Findings of the consistency check that are not to be shown again; an id is its book's and the finding's. */
  dismissals: { columns: { book_id: to("books"), finding: content("TEXT NOT NULL"), hash } },
  /** What somebody would change in a chapter's prose. */
  proposals: {
    columns: {
      book_id: to("books"),
      chapter_id: to("chapters"),
      /** Of the chapter, when it was made. */
      revision: content("INTEGER NOT NULL"),
      /** Who made it, in words: the name of a key or of a program. */
      author: content("TEXT NOT NULL"),
      reason: content("TEXT NOT NULL"),
      created_at: content("INTEGER NOT NULL"),
      hash,
    },
  },
  /** One change that a proposal asks for; its id is the proposal's, a blank and its place. Each is decided by itself. */
  proposed_edits: {
    columns: {
      proposal_id: to("proposals"),
      /** 0 for the first. */
      place: content("INTEGER NOT NULL"),
      /** `replace`, `insert_after` or `delete`. */
      op: content("TEXT NOT NULL"),
      /** The paragraph that it is about, whether that still stands or not; NULL inserts at the chapter's start. */
      block_id: content("TEXT"),
      /** The paragraph's Markdown when it was made. */
      before: content("TEXT NOT NULL"),
      /** What it is to be, or what is to stand behind it; NULL for a deletion. */
      markdown: content("TEXT"),
      /** `open`, `accepted` or `rejected`. */
      status: content("TEXT NOT NULL"),
      hash,
    },
  },
  /** A state of a book under a name: that after an act. */
  milestones: {
    columns: {
      book_id: to("books"),
      name: content("TEXT NOT NULL"),
      /** The act's number. */
      act: content("INTEGER NOT NULL"),
      created_at: content("INTEGER NOT NULL"),
      hash,
    },
  },
  /** Where a picture lies in a book's folder. Its id is the book's, a blank and the file. */
  book_pictures: {
    columns: {
      book_id: to("books"),
      /** Relative to the folder, with slashes. */
      file: content("TEXT NOT NULL"),
      /** Names the picture in `pictures`. */
      hash: content("TEXT NOT NULL"),
    },
  },
};

/** The tables' names, parents before children. */
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** Of each table the columns of which this holds, in their order. To be made once: every hash of a row asks for some. */
export function columnsWhere(
  holds: (name: string, role: Column["role"]) => boolean,
): ReadonlyMap<TableName, readonly string[]> {
  return new Map(
    TABLE_NAMES.map((table) => {
      const columns = Object.entries(TABLES[table].columns).filter(([name, { role }]) => holds(name, role));
      return [table, columns.map(([name]) => name)];
    }),
  );
}

const JOURNALLED = columnsWhere((_, role) => role !== "derived");

/** The columns of a table that the journal holds, `id` apart. */
export function journalled(table: TableName): readonly string[] {
  return JOURNALLED.get(table)!; // every table is in it
}

/** True for a column that undo restores only if nothing has moved it since. */
export function isRank(table: TableName, column: string): boolean {
  return TABLES[table].columns[column]?.role === "rank";
}

/** The column that names the list which a ranked row stands in: its book, or its chapter. Undefined for unranked tables. */
export function listOf(table: TableName): string | undefined {
  const { columns } = TABLES[table];
  if (columns.rank === undefined) return undefined;
  return Object.keys(columns).find((name) => columns[name]?.references !== undefined);
}

/** `[column, parent]` for each column of the table that names a row of another journalled table. */
export function parentsOf(table: TableName): [string, TableName][] {
  return Object.entries(TABLES[table].columns).flatMap(([name, { references }]) =>
    references === undefined ? [] : [[name, references] as [string, TableName]],
  );
}

/** `[child, column]` for each column anywhere that names a row of this table. */
export function childrenOf(table: TableName): [TableName, string][] {
  return TABLE_NAMES.flatMap((child) =>
    parentsOf(child)
      .filter(([, parent]) => parent === table)
      .map(([column]) => [child, column] as [TableName, string]),
  );
}
