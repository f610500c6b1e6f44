import { createBook } from "../../../src/service/books/books.ts";
import { type Manuscript, openManuscript } from "../../../src/service/manuscript.ts";
import type { ActMeta } from "../../../src/store/file/act.ts";

/** What a program of its own is asked to do with a manuscript; all that it opens stays open until it is told to close it. */
export interface Asked {
  does: "write" | "checkpoint" | "close";
  path: string;
  title?: string;
}

/** What came of it: the titles that stand in the file, or why it was refused. */
export interface Told {
  titles: string[];
  refused?: string;
  /** What was said beside it. */
  warned: string[];
}

const OWNER: Omit<ActMeta, "kind"> = { source: "cli" };

/** The titles of all books in a manuscript. */
export function titlesIn({ store }: Manuscript): string[] {
  return store.list<string>("SELECT title FROM books ORDER BY title");
}

const open = new Map<string, Manuscript>();
const warned: string[] = [];

function run({ does, path, title }: Asked): string[] {
  const manuscript = open.get(path) ?? openManuscript(path, { warn: (line) => warned.push(line) });
  open.set(path, manuscript);
  if (does === "checkpoint") manuscript.store.checkpoint();
  if (does === "write") createBook(manuscript, { title: title ?? "" }, OWNER);
  if (does === "write") return titlesIn(manuscript);
  if (does === "close") manuscript.close();
  if (does === "close") open.delete(path);
  return [];
}

function answer(asked: Asked): Told {
  try {
    return { titles: run(asked), warned: warned.splice(0) };
  } catch (error) {
    return { titles: [], refused: String(error), warned: warned.splice(0) };
  }
}

if (process.send !== undefined && process.argv[1] === import.meta.filename)
  process.on("message", (asked: Asked[]) => process.send?.(asked.map(answer)));
