import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { CommandAnswer } from "../../../src/cli/rows/answers.ts";
import { fits } from "../../cli/fits.ts";
import { type Shell, shell } from "../../cli/shell.ts";

/** Files by their names: a text, or lines. */
export type Files = Readonly<Record<string, string | Buffer | readonly string[]>>;

/** A shell with a manuscript, beside it a folder to import from. */
export interface Desk {
  sh: Shell;
  /** Writes files into the folder and gives its path. */
  put(files: Files): string;
  /** Imports a path, the folder by default, and gives the answer. */
  take(options?: readonly string[], path?: string): Promise<CommandAnswer<"import">>;
  /** The message with which an import is refused. */
  refusal(options?: readonly string[], path?: string): Promise<string>;
  /** The prose of each chapter of a book, as it came. */
  prose(bookId: string): Promise<string[]>;
  /** The chapters of a book: part, title, status and synopsis. */
  outline(
    bookId: string,
  ): Promise<{ part: string | null; title: string; status: string; synopsis: string }[]>;
}

export async function desk(t: TestContext, files: Files = {}): Promise<Desk> {
  const sh = shell(t);
  await sh("init", "book.manuscript");
  const folder = join(sh.cwd, "Source");
  const put = (more: Files) => {
    for (const [name, text] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(
        join(folder, name),
        typeof text === "string" || Buffer.isBuffer(text) ? text : `${text.join("\n")}\n`,
      );
    }
    return folder;
  };
  put(files);
  return {
    sh,
    put,
    take: async (options = [], path = folder) =>
      fits(await sh("import", path, ...options, "--json"), "import"),
    refusal: async (options = [], path = folder) => {
      const { exit, stderr } = await sh("import", path, ...options);
      return exit === 0 ? "" : stderr;
    },
    prose: async (bookId) => {
      const { chapters } = (await sh("outline", bookId, "--json")).json<{ chapters: { id: string }[] }>();
      const read = chapters.map(async ({ id }) =>
        (await sh("show", id, "--format", "markdown", "--json")).json<{ markdown: string }>(),
      );
      return (await Promise.all(read)).map(({ markdown }) => markdown);
    },
    outline: async (bookId) => {
      type Outline = {
        parts: { id: string; title: string }[];
        chapters: { partId: string | null; title: string; status: string; synopsis: string }[];
      };
      const { parts, chapters } = (await sh("outline", bookId, "--json")).json<Outline>();
      return chapters.map(({ partId, title, status, synopsis }) => ({
        part: parts.find(({ id }) => id === partId)?.title ?? null,
        title,
        status,
        synopsis,
      }));
    },
  };
}

/** Chapters as "Part / Title". */
export function titled(outline: readonly { part: string | null; title: string }[]): string[] {
  return outline.map(({ part, title }) => (part === null ? title : `${part} / ${title}`));
}
