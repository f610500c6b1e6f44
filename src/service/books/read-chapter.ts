import type { AnswerOf, InputOf } from "../../contract/index.ts";
import type { ChapterId } from "../../ids.ts";
import { leavesOf } from "../../prose/document/leaves.ts";
import { weaveMentions } from "../../prose/document/marks.ts";
import { readingText, storedNode } from "../../prose/document/text.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { countBlockWords } from "../../prose/document/words.ts";
import { joinMarkdown } from "../../prose/join-chapter.ts";
import { NotFound } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import {
  findRevision,
  listRevisions as listStored,
  noRevision,
  type RevisionRange,
  readRevision,
} from "../../store/journal/history.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { readChapterBody, readMarkdownBytes } from "../../store/rows/chapters.ts";
import { listChapterMentions } from "../../store/rows/mentions.ts";
import { groupBy } from "../../text/group-by.ts";
import { theChapter } from "../guards.ts";
import type { Manuscript, SeenChapter } from "../manuscript.ts";
import { parseReady, type Ready, toChapterMeta, toTime } from "../present.ts";
import { storedProse } from "../prose/stored-prose.ts";

/** The query of a chapter. `bare` requests the Markdown itself instead of JSON. */
export type ChapterQuery = InputOf<"readChapter">["query"] & { bare?: boolean };
type Format = Exclude<ChapterQuery["format"], "blocks" | undefined>;
/** One whose answer needs no Markdown to be parsed; `read-blocks.ts` answers the others. */
type PlainQuery = ChapterQuery & { format?: Format | undefined };

/** A chapter as a finished body, and the version that was read of it. */
export interface ReadyChapter extends Ready<"readChapter"> {
  seen: SeenChapter;
}

function seenOf(chapterId: ChapterId, { revision, version }: Omit<SeenChapter, "chapterId">): SeenChapter {
  return { chapterId, revision, version };
}

/** A chapter as a finished body. Throws `NotFound` for a chapter or revision that does not exist. */
export function readChapter(manuscript: Manuscript, id: ChapterId, query: PlainQuery): ReadyChapter {
  const { store } = manuscript;
  const format = query.bare ? "markdown" : (query.format ?? "text");
  if (query.revision !== undefined)
    return store.snapshot(() => readOld(manuscript, id, { ...query, format }));
  const reading = query.bare ? readMarkdownBytes(store, id) : readChapterBody(store, id, format);
  if (reading === undefined) throw new NotFound("chapter");
  if (format === "doc" && (reading.mentionCount > 0 || reading.body.includes(NUMBERED)))
    return store.snapshot(() => readWithMentions(store, id));
  return { seen: seenOf(id, reading), body: reading.body };
}

/** The chapter's body as an object, for the command line. */
export function readChapterAnswer(
  manuscript: Manuscript,
  id: ChapterId,
  query: PlainQuery,
): AnswerOf<"readChapter"> {
  return parseReady(readChapter(manuscript, id, query));
}

/** Returns a chapter's revisions, newest last, each with the act that made it. Throws `NotFound`. */
export function listRevisions(
  manuscript: Manuscript,
  id: ChapterId,
  range: RevisionRange = {},
): AnswerOf<"listRevisions"> {
  theChapter(manuscript, id);
  const { revisions, total } = listStored(manuscript.store, id, range);
  return { revisions: revisions.map((revision) => ({ ...revision, at: toTime(revision.at) })), total };
}

/** Finds a chapter's revision by its number or by the act that made it. */
export function revisionNamed({ store }: Manuscript, id: ChapterId, named: string): number | undefined {
  return findRevision(store, id, named);
}

/** Part of a list whose years may not be in its node yet. */
const NUMBERED = '"order":';

/** The native document with its mention marks woven in, and with its years. */
function readWithMentions(store: Store, id: ChapterId): ReadyChapter {
  const mentions = listChapterMentions(store, id).map(({ id: mentionId, ...mention }) => ({
    mentionId,
    ...mention,
  }));
  const spans = groupBy(mentions, ({ blockId }) => blockId);
  const nodes = listBlocks(store, id).map((row) =>
    row.node.includes(NUMBERED) || row.leaves.some((leaf) => spans.has(leaf))
      ? JSON.stringify(weaveMentions(storedNode(row), spans))
      : row.node,
  );
  const meta = readChapterBody(store, id, "none");
  if (meta === undefined) throw new NotFound("chapter");
  const body = `${meta.body.toString().slice(0, -1)},"doc":{"type":"doc","content":[${nodes.join(",")}]}}`;
  return { seen: seenOf(id, meta), body: Buffer.from(body) };
}

/** An older revision: its prose and counts, the chapter's other fields as they are now. */
function readOld(
  manuscript: Manuscript,
  id: ChapterId,
  { format, bare, revision = 0 }: PlainQuery & { format: Format },
): ReadyChapter {
  const row = theChapter(manuscript, id);
  const old = readRevision(manuscript.store, id, revision);
  if (old === undefined) throw noRevision(manuscript.store, id, revision);
  const seen = seenOf(id, row);
  const stored = storedProse(old, old.blocks);
  const nodes = stored.blocks.map(({ node }) => node);
  const markdown = joinMarkdown({ ...stored, bom: stored.bom && row.frontMatter === "" });
  if (bare) return { seen, body: Buffer.from(markdown) };
  const meta = {
    ...toChapterMeta(row),
    revision,
    ...countsOf(nodes),
  };
  const prose = {
    text: () => ({ text: nodes.map((node) => readingText(node)).join("\n\n") }),
    doc: () => ({ doc: { type: "doc" as const, content: nodes.map((node) => ({ ...node })) } }),
    markdown: () => ({ markdown }),
  }[format]();
  return { seen, body: Buffer.from(JSON.stringify({ ...meta, ...prose } satisfies AnswerOf<"readChapter">)) };
}

/** The counts of a chapter that holds these blocks. */
export function countsOf(nodes: readonly DocNode[]): { wordCount: number; blockCount: number } {
  return {
    wordCount: nodes.reduce((sum, node) => sum + countBlockWords(node), 0),
    blockCount: nodes.flatMap(leavesOf).length,
  };
}
