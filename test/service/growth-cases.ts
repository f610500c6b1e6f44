import { createChecker } from "../../src/ai/embedded/check/check.ts";
import type { BookId, ChapterId } from "../../src/ids.ts";
import { innerDefinitions } from "../../src/prose/markdown/definitions.ts";
import { parseMarkdown } from "../../src/prose/markdown/parse-chapter.ts";
import { createStatistics } from "../../src/reading/text/statistics.ts";
import { BookIndex } from "../../src/search/book-index.ts";
import { createFact, readFact } from "../../src/service/annotations/facts.ts";
import { anchorMentions, reanchorMentions } from "../../src/service/annotations/mentions.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { propose } from "../../src/service/review/propose.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

/** An input that grew with the square of its size once; `lay` returns what is counted. */
interface GrowthCase {
  name: string;
  size: number;
  lay(size: number): () => unknown;
}

/** A manuscript with a chapter of this Markdown and a fact that is named in it. */
function written(markdown: string): {
  own: Manuscript;
  bookId: BookId;
  chapterId: ChapterId;
  factId: string;
  blockId: string;
} {
  const own = manuscript({ after: (end) => process.once("exit", end as () => void) });
  const { id } = createBook(own, { title: "Growth" }, OWNER);
  const bookId = id as BookId;
  const chapterId = createChapter(own, bookId, { title: "One", markdown }, OWNER).id as ChapterId;
  const factId = createFact(own, bookId, { name: "Mara" }, OWNER).id;
  const [blockId = ""] = own.store.list<string>("SELECT id FROM leaves");
  return { own, bookId, chapterId, factId, blockId };
}

/** The worst of what was found by doubling. */
export const growthCases: readonly GrowthCase[] = [
  {
    name: "a fact that is mentioned in every entry of a list",
    size: 100,
    lay(size) {
      const { own, bookId, factId } = written("- Mara\n".repeat(size));
      reanchorMentions(own, bookId, OWNER);
      return () => readFact(own, factId);
    },
  },
  {
    name: "mentions in one paragraph",
    size: 100,
    lay(size) {
      const { own, chapterId, factId, blockId } = written("Mara ".repeat(size));
      const mentions = Array.from({ length: size }, (_, at) => ({
        factId,
        blockId,
        from: at * 5,
        to: at * 5 + 4,
      }));
      return () => anchorMentions(own, chapterId, { revision: 1, mentions }, OWNER);
    },
  },
  {
    name: "a cast of unlike names",
    size: 100,
    lay(size) {
      const cast = Array.from({ length: size }, (_, at) => {
        const name = Array.from(
          { length: 6 },
          (_, place) => "bdfghklmnprst"[(at * (2 * place + 3) + (at >> place)) % 13],
        ).join("e");
        return {
          id: `fa_${at}`,
          name: `X${name}`,
          kind: "character",
          aliases: [],
          summary: "",
          attributes: [],
        };
      });
      const chapter = { chapterId: "ch_1", title: "One", revision: 1, blocks: [] };
      const book = { bookId: "bk_1", cast, chapters: [chapter] };
      const check = createChecker(createStatistics());
      return () => check(chapter, book as unknown as Parameters<typeof check>[1]);
    },
  },
  {
    name: "a long paragraph that can be cut nowhere, entered in steps",
    size: 40_000,
    lay(size) {
      const index = new BookIndex();
      const text = "the ".repeat(size / 4);
      return () => [...index.putInSteps({ blockId: "b_1", chapterId: "ch_1", text, place: "a" })];
    },
  },
  {
    name: "link definitions in a quote",
    size: 100,
    lay(size) {
      const markdown = Array.from({ length: size }, (_, at) => `> [r${at}]: /u\n`).join("");
      const [block] = parseMarkdown(`> a\n>\n${markdown}`).blocks;
      return () => innerDefinitions(block!); // it is one quote
    },
  },
  {
    name: "entries put into one list",
    size: 100,
    lay(size) {
      const markdown = Array.from({ length: size }, (_, at) => `- entry ${at}\n`).join("");
      const { own, chapterId } = written(markdown);
      const ids = own.store.list<string>("SELECT id FROM leaves");
      const edits = ids.map((blockId) => ({ op: "insert_after" as const, blockId, markdown: "- more" }));
      return () => propose(own, chapterId, { revision: 1, edits }, OWNER);
    },
  },
];
