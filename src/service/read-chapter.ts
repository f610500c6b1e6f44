import type { AnswerOf, InputOf } from "../contract/index.ts";
import type { ChapterId } from "../ids.ts";
import { leavesOf } from "../prose/leaves.ts";
import { weaveMentions } from "../prose/mentions.ts";
import { joinMarkdown } from "../prose/parse.ts";
import { readingText } from "../prose/text.ts";
import type { DocNode, MentionSpan } from "../prose/types.ts";
import { countBlockWords } from "../prose/words.ts";
import { NotFound } from "../refusals.ts";
import { listBlocks } from "../store/blocks.ts";
import { readChapterBody, readChapterVersion, readMarkdownBytes } from "../store/bodies.ts";
import { listRevisions as listStored, readRevision } from "../store/history.ts";
import { listChapterMentions } from "../store/mentions.ts";
import type { Store } from "../store/store.ts";
import { theChapter } from "./find.ts";
import type { Manuscript } from "./manuscript.ts";
import type { Ready } from "./ready.ts";
import { toChapterMeta, toTime } from "./shapes.ts";

/** How a chapter is asked for. `bare` gives the Markdown itself instead of JSON. */
export type ChapterQuery = InputOf<"readChapter">["query"] & { bare?: boolean };
type Format = NonNullable<ChapterQuery["format"]>;

/**
 * The entity tag of a chapter in a format, without its quotes; undefined where there is no such chapter. It changes
 * with everything that the format shows, and is never given twice. Source: contract, ETag.
 */
export function chapterTag({ store }: Manuscript, id: ChapterId, query: ChapterQuery): string | undefined {
  const now = readChapterVersion(store, id);
  if (now === undefined) return undefined;
  const format = query.bare ? "bare" : (query.format ?? "text");
  const old = query.revision === undefined ? "" : `.at${query.revision}`;
  return `${id}.${now.revision}.${now.version}.${format}${old}`;
}

/** A chapter as a finished body. Throws `NotFound` for a chapter or a revision that there is none of. */
export function readChapter(
  manuscript: Manuscript,
  id: ChapterId,
  query: ChapterQuery,
): Ready<"readChapter"> {
  const { store } = manuscript;
  return store.snapshot(() => {
    const etag = chapterTag(manuscript, id, query);
    if (etag === undefined) throw new NotFound("chapter");
    const format = query.bare ? "markdown" : (query.format ?? "text");
    if (query.revision !== undefined)
      return { etag, ...readOld(manuscript, id, query.revision, { format, bare: query.bare ?? false }) };
    if (query.bare) return { etag, body: readMarkdownBytes(store, id)!, contentType: MARKDOWN }; // the chapter is there
    return { etag, body: format === "doc" ? readDoc(store, id) : readChapterBody(store, id, format)! }; // the chapter is there
  });
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

/** The native document; mention marks are woven in only where the chapter has any. */
function readDoc(store: Store, id: ChapterId): Buffer {
  if (readChapterVersion(store, id)!.mentionCount === 0) return readChapterBody(store, id, "doc")!; // the caller has seen the chapter
  const byBlock = new Map<string, MentionSpan[]>();
  for (const mention of listChapterMentions(store, id)) {
    const span = {
      mentionId: mention.id,
      factId: mention.factId,
      from: mention.from,
      to: mention.to,
      text: mention.text,
    };
    byBlock.set(mention.blockId, [...(byBlock.get(mention.blockId) ?? []), span]);
  }
  const nodes = listBlocks(store, id).map(({ node, leaves }) =>
    leaves.some((leaf) => byBlock.has(leaf))
      ? JSON.stringify(weaveMentions(JSON.parse(node) as DocNode, byBlock))
      : node,
  );
  const meta = readChapterBody(store, id, "none")!.toString(); // the caller has seen the chapter
  return Buffer.from(`${meta.slice(0, -1)},"doc":{"type":"doc","content":[${nodes.join(",")}]}}`);
}

/** An older revision: its prose and counts, the chapter's other fields as they are now. */
function readOld(
  manuscript: Manuscript,
  id: ChapterId,
  revision: number,
  { format, bare }: { format: Format; bare: boolean },
): Ready<"readChapter"> {
  const old = readRevision(manuscript.store, id, revision);
  if (old === undefined) throw new NotFound("revision of this chapter");
  const row = theChapter(manuscript, id);
  const nodes = old.blocks.map(({ node }) => JSON.parse(node) as DocNode);
  const sources = old.blocks.map(({ source, gap }, index) => ({
    type: "",
    node: nodes[index]!,
    source,
    gap,
  })); // one node a block
  const bom = old.bom === 1 && row.frontMatter === "";
  const markdown = joinMarkdown({ bom, eol: old.eol, head: old.head, blocks: sources });
  if (bare) return { body: Buffer.from(markdown), contentType: MARKDOWN };
  const meta = {
    ...toChapterMeta(row),
    revision,
    wordCount: nodes.reduce((sum, node) => sum + countBlockWords(node), 0),
    blockCount: nodes.flatMap(leavesOf).length,
  };
  const prose = {
    text: () => ({ text: nodes.map(readingText).join("\n\n") }),
    doc: () => ({ doc: { type: "doc", content: nodes } }),
    markdown: () => ({ markdown }),
  }[format]();
  return { body: Buffer.from(JSON.stringify({ ...meta, ...prose } satisfies AnswerOf<"readChapter">)) };
}
