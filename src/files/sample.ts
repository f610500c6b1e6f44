import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readLeaves } from "../prose/document/leaves.ts";
import type { DocNode } from "../prose/document/types.ts";
import { createFact } from "../service/annotations/facts.ts";
import { reanchorMentions } from "../service/annotations/mentions.ts";
import { createSnippet } from "../service/annotations/snippets.ts";
import { readChapterAnswer } from "../service/books/read-chapter.ts";
import type { Caller, Manuscript } from "../service/manuscript.ts";
import { importFiles } from "./import.ts";
import { readBookFiles } from "./layouts/manuscript.ts";

type Fact = Parameters<typeof createFact>[2];
type SnippetBody = Parameters<typeof createSnippet>[2];

/** A note of the sample, next to the paragraph that holds `quote`, else to its chapter or the book. */
interface SampleSnippet extends Pick<SnippetBody, "kind" | "text" | "url" | "items"> {
  file: string | null;
  quote: string | null;
}

/** Path of the sample novel in the package. */
export const SAMPLE = fileURLToPath(new URL("../../fixtures/novel", import.meta.url));

/**
 * Creates the sample novel in a new manuscript: prose, goal, cast, marginalia, and mentions of the cast. Returns its
 * book's id.
 */
export async function plantSample(
  manuscript: Manuscript,
  folder: string,
  caller: Caller = { source: "cli" },
): Promise<string> {
  const { bookId, chapters } = await importFiles(manuscript, await readBookFiles(folder), {});
  const { facts } = readJson<{ facts: Fact[] }>(folder, "cast.json");
  for (const fact of facts) createFact(manuscript, bookId, fact, caller);
  const chapterOf = new Map(chapters.map(({ file, id }) => [file, id]));
  const { snippets } = readJson<{ snippets: SampleSnippet[] }>(folder, "marginalia.json");
  for (const { file, quote, ...content } of snippets) {
    const chapterId = file === null ? undefined : chapterOf.get(file);
    const blockId =
      chapterId === undefined || quote === null ? undefined : blockWith(manuscript, chapterId, quote);
    const anchor = {
      ...(chapterId === undefined ? {} : { chapterId }),
      ...(blockId === undefined ? {} : { blockId }),
    };
    createSnippet(manuscript, bookId, { ...content, ...anchor }, caller);
  }
  reanchorMentions(manuscript, bookId, caller);
  return bookId;
}

function readJson<Content>(folder: string, file: string): Content {
  return JSON.parse(readFileSync(join(folder, file), "utf8"));
}

/** Finds the paragraph that holds a quote. Throws if there is none: the sample itself is wrong then. */
function blockWith(manuscript: Manuscript, chapterId: string, quote: string): string {
  const answer = readChapterAnswer(manuscript, chapterId, { format: "doc" });
  const blocks = "doc" in answer ? ((answer.doc as unknown as DocNode).content ?? []) : [];
  const leaf = blocks.flatMap(readLeaves).find(({ text }) => text.includes(quote));
  if (leaf?.blockId == null) throw new Error(`no paragraph of the sample holds “${quote}”`);
  return leaf.blockId;
}
