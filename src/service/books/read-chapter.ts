import type { AnswerOf, InputOf } from "../../contract/index.ts";
import type { ChapterId } from "../../ids.ts";
import { leavesOf } from "../../prose/document/leaves.ts";
import { weaveMentions } from "../../prose/document/mentions.ts";
import { readingText } from "../../prose/document/text.ts";
import type { DocNode, MentionSpan } from "../../prose/document/types.ts";
import { countBlockWords } from "../../prose/document/words.ts";
import { joinMarkdown } from "../../prose/markdown/parse-leaf.ts";
import { NotFound } from "../../refusals.ts";
import { listBlocks } from "../../store/blocks.ts";
import {
  type ChapterVersion,
  readChapterBody,
  readChapterVersion,
  readMarkdownBytes,
} from "../../store/bodies.ts";
import { listRevisions as listStored, readRevision } from "../../store/history.ts";
import { listChapterMentions } from "../../store/mentions.ts";
import type { Store } from "../../store/store.ts";
import { theChapter } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import type { Ready } from "../present.ts";
import { toChapterMeta, toTime } from "../present.ts";

/** How a chapter is asked for. `bare` gives the Markdown itself instead of JSON. */
export type ChapterQuery = InputOf<"readChapter">["query"] & { bare?: boolean };
type Format = NonNullable<ChapterQuery["format"]>;

/**
 * The entity tag of a chapter in a format, without its quotes; undefined where there is no such chapter. It changes
 * with everything that the format shows, and is never given twice. Source: contract, ETag.
 */
export function chapterTag({ store }: Manuscript, id: ChapterId, query: ChapterQuery): string | undefined {
  const now = readChapterVersion(store, id);
  return now === undefined ? undefined : tagOf(id, now, query);
}

function tagOf(id: ChapterId, { revision, version }: ChapterVersion, query: ChapterQuery): string {
  const format = query.bare ? "bare" : (query.format ?? "text");
  const old = query.revision === undefined ? "" : `.at${query.revision}`;
  return `${id}.${revision}.${version}.${format}${old}`;
}

/** A chapter as a finished body. Throws `NotFound` for a chapter or a revision that there is none of. */
export function readChapter(
  manuscript: Manuscript,
  id: ChapterId,
  query: ChapterQuery,
): Ready<"readChapter"> {
  const { store } = manuscript;
  const format = query.bare ? "markdown" : (query.format ?? "text");
  if (query.revision !== undefined)
    return store.snapshot(() => readOld(manuscript, id, { ...query, format }));
  const reading = query.bare ? readMarkdownBytes(store, id) : readChapterBody(store, id, format);
  if (reading === undefined) throw new NotFound("chapter");
  if (format === "doc" && reading.mentionCount > 0) return store.snapshot(() => readMarked(store, id, query));
  const ready = { etag: tagOf(id, reading, query), body: reading.body };
  return query.bare ? { ...ready, contentType: MARKDOWN } : ready;
}

/** The chapter's body as an object, for the command line. */
export function readChapterAnswer(
  manuscript: Manuscript,
  id: ChapterId,
  query: ChapterQuery,
): AnswerOf<"readChapter"> {
  return JSON.parse(readChapter(manuscript, id, query).body.toString());
}

/** A chapter's revisions, newest last, each with the act that made it. Throws `NotFound`. */
export function listRevisions(manuscript: Manuscript, id: ChapterId): AnswerOf<"listRevisions"> {
  theChapter(manuscript, id);
  const revisions = listStored(manuscript.store, id).map((revision) => ({
    ...revision,
    at: toTime(revision.at),
  }));
  return { revisions, total: revisions.length };
}

const MARKDOWN = "text/markdown; charset=utf-8";

/** The native document with its mention marks woven in. */
function readMarked(store: Store, id: ChapterId, query: ChapterQuery): Ready<"readChapter"> {
  const byBlock = new Map<string, MentionSpan[]>();
  for (const { id: mentionId, blockId, factId, from, to, text } of listChapterMentions(store, id)) {
    byBlock.set(blockId, [...(byBlock.get(blockId) ?? []), { mentionId, factId, from, to, text }]);
  }
  const nodes = listBlocks(store, id).map(({ node, leaves }) =>
    leaves.some((leaf) => byBlock.has(leaf))
      ? JSON.stringify(weaveMentions(JSON.parse(node) as DocNode, byBlock))
      : node,
  );
  const meta = readChapterBody(store, id, "none");
  if (meta === undefined) throw new NotFound("chapter");
  const body = `${meta.body.toString().slice(0, -1)},"doc":{"type":"doc","content":[${nodes.join(",")}]}}`;
  return { etag: tagOf(id, meta, query), body: Buffer.from(body) };
}

/** An older revision: its prose and counts, the chapter's other fields as they are now. */
function readOld(
  manuscript: Manuscript,
  id: ChapterId,
  query: ChapterQuery & { format: Format },
): Ready<"readChapter"> {
  const { format, bare, revision = 0 } = query;
  const row = theChapter(manuscript, id);
  const old = readRevision(manuscript.store, id, revision);
  if (old === undefined) throw new NotFound("revision of this chapter");
  const etag = tagOf(id, row, query);
  const nodes = old.blocks.map(({ node }) => JSON.parse(node) as DocNode);
  const sources = old.blocks.map(({ source, gap }, index) => ({
    type: "",
    node: nodes[index]!,
    source,
    gap,
  })); // one node a block
  const bom = old.bom === 1 && row.frontMatter === "";
  const markdown = joinMarkdown({ bom, eol: old.eol, head: old.head, blocks: sources });
  if (bare) return { etag, body: Buffer.from(markdown), contentType: MARKDOWN };
  const meta = {
    ...toChapterMeta(row),
    revision,
    wordCount: nodes.reduce((sum, node) => sum + countBlockWords(node), 0),
    blockCount: nodes.flatMap(leavesOf).length,
  };
  const prose = {
    text: () => ({ text: nodes.map(readingText).join("\n\n") }),
    doc: () => ({ doc: { type: "doc" as const, content: nodes.map((node) => ({ ...node })) } }),
    markdown: () => ({ markdown }),
  }[format]();
  return { etag, body: Buffer.from(JSON.stringify({ ...meta, ...prose } satisfies AnswerOf<"readChapter">)) };
}
