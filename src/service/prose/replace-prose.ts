import type { AnswerOf, BodyOf } from "../../contract/index.ts";
import type { BlockId, ChapterId } from "../../ids.ts";
import { asTitle, type Heading, listHeadings } from "../../prose/document/heading.ts";
import { leavesOf, nodeOf } from "../../prose/document/leaves.ts";
import { liftMentions } from "../../prose/document/marks.ts";
import { readDocument } from "../../prose/document/read-document.ts";
import { CHAPTER_ROOM, type ChapterRoom } from "../../prose/document/room.ts";
import type { MentionSpan } from "../../prose/document/types.ts";
import { assertSize, parseMarkdown } from "../../prose/parse.ts";
import type { NewProse, ProsePlan, StoredAnnotations } from "../../prose/plan.ts";
import type { NewMarks } from "../../prose/plan-annotations.ts";
import { type NewDocument, planReplace, type ReplaceOptions } from "../../prose/plan-chapter.ts";
import { type Retitled, retitle } from "../../prose/replace-text.ts";
import { BadRequest } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
import type { Store } from "../../store/file/store.ts";
import { formerLeaves } from "../../store/journal/history.ts";
import { type BlockRow, chaptersOfLeaves, listBlocks, type SealedBlock } from "../../store/rows/blocks.ts";
import { type ChapterRow, findChapter, updateChapter } from "../../store/rows/chapters.ts";
import { resolveFacts } from "../../store/rows/facts.ts";
import { listChapterMentions } from "../../store/rows/mentions.ts";
import { listChapterSnippets } from "../../store/rows/snippets.ts";
import type { BlockWrites } from "../../store/rows/write-blocks.ts";
import { isBlankMarkdown, textFault } from "../../text/clean-text.ts";
import { assertUnchanged, bookOfChapter, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, write, writeOptimistically } from "../manuscript.ts";
import { applyPlan, droppedBy, placeBlocks } from "./apply-plan.ts";
import { assertChapterFits, roomFor } from "./chapter-size.ts";
import { blankOf, storedProse } from "./stored-prose.ts";

/** The answer of a prose write. */
export type ProseWrite = AnswerOf<"replaceProse">;

/** The Markdown of a prose write, parsed and checked. */
export interface MarkdownRequest {
  kind: "markdown";
  prose: NewProse;
  mentions: "keep" | "drop";
  edits?: ReplaceOptions["edits"];
  renamed?: ReplaceOptions["renamed"];
  /** The chapter was as large before, or next to it: it is written however large it is. */
  mayBeLarge?: boolean;
  /** Leaves that stood in another chapter keep their ids, and no word of them counts as written. */
  arrived?: ReplaceOptions["arrived"];
  /** Leaves that go to another chapter take along what stands beside them: the caller's act sees to that. */
  left?: ReplaceOptions["left"];
  /** Ids that leaves bring which are new: nothing that stands or stood there is continued by them. */
  made?: ReadonlySet<string>;
}

/** The request of a prose write, parsed and checked before the file is read. */
export type ProseRequest = MarkdownRequest | ({ kind: "document"; prose: NewDocument } & SentMarks);

/** The mention marks of a native document, lifted out leaf by leaf, and what becomes of those on edited text. */
export interface SentMarks {
  spans: readonly (readonly MentionSpan[])[];
  mentions: "keep" | "drop";
}

/** Parses and checks the Markdown of a write. Throws `BadRequest` and `PayloadTooLarge`. */
export function requestMarkdown(
  markdown: string,
  mentions: "keep" | "drop" = "drop",
  room = CHAPTER_ROOM,
): MarkdownRequest {
  assertSize(markdown);
  return { kind: "markdown", prose: parseMarkdown(markdown, "", room), mentions };
}

/** Checks the native document of a write and lifts out its mention marks. Throws `BadRequest`. */
function requestDocument(doc: unknown, mentions: "keep" | "drop", room: ChapterRoom): ProseRequest {
  const lifted = readDocument(doc, room).map(liftMentions);
  return {
    kind: "document",
    prose: { nodes: lifted.map(({ node }) => node) },
    spans: lifted.flatMap(({ spans }) => spans),
    mentions,
  };
}

/** Replaces a whole chapter's prose. Source: llms.txt, Prose writes and what they cost. */
export function replaceProse(
  manuscript: Manuscript,
  chapterId: ChapterId,
  body: BodyOf<"replaceProse">,
  caller: Caller & { mentions?: "keep" | "drop" | undefined },
): AnswerOf<"replaceProse"> {
  const room = roomFor(manuscript.store, chapterId);
  const request =
    "doc" in body
      ? requestDocument(body.doc, body.mentions ?? caller.mentions ?? "drop", room)
      : requestMarkdown(body.markdown, caller.mentions, room);
  const blank = "markdown" in body && body.markdown !== "" && isBlankMarkdown(body.markdown);
  return replacePlanned(manuscript, chapterId, request, (planned) =>
    write(manuscript, "replaceProse", caller, (act, store) => {
      // A file may hold blank lines alone, and what is read of it is taken back.
      if (blank && body.markdown !== blankOf(findChapter(store, chapterId))) {
        throw new BadRequest(
          'The Markdown is blank; send text, or {"markdown": ""} to clear a chapter on purpose.',
        );
      }
      const chapter = theChapter(manuscript, chapterId);
      assertUnchanged(chapter, caller, { ifRevision: body.ifRevision, prose: true });
      const plan = writePlanned(store, act, chapter, planned());
      return () => describePlan(plan, theChapter(manuscript, chapterId));
    }),
  );
}

/** Runs a write of a chapter's whole prose by an optimistic plan. */
export function replacePlanned<Result>(
  manuscript: Manuscript,
  chapterId: ChapterId,
  request: ProseRequest,
  run: (planned: () => PlannedProse) => Result,
): Result {
  const plan = () => {
    const chapter = theChapter(manuscript, chapterId);
    return planProse(manuscript.store, chapter, withStoredBom(chapter, request));
  };
  return writeOptimistically(manuscript.store, bookOfChapter(manuscript, chapterId), plan, run);
}

/** A file's byte order mark stands before its front matter: prose alone neither adds nor removes it. */
function withStoredBom(chapter: ChapterRow, request: ProseRequest): ProseRequest {
  if (request.kind === "document" || chapter.frontMatter === "") return request;
  return withBom(request, chapter.bom === 1);
}

/** The Markdown, with or without a byte order mark. */
export function withBom(request: MarkdownRequest, bom: boolean): MarkdownRequest {
  return { ...request, prose: { ...request.prose, bom } };
}

/** What a whole-chapter write did. */
export interface Replaced extends ProsePlan {
  /** The chapter has got another title, that of its heading. */
  titleChanged: boolean;
}

/** A plan, the rows that it was made of, and its blocks as they are to be stored. */
export interface PlannedProse {
  plan: ProsePlan;
  rows: readonly SealedBlock[];
  writes: BlockWrites;
}

/** Plans what a request makes of a chapter's prose. Throws `PayloadTooLarge`. */
export function planProse(store: Store, chapter: ChapterRow, request: ProseRequest): PlannedProse {
  const rows = listBlocks(store, chapter.id);
  const options = optionsFor(store, chapter, request);
  const plan = planReplace(storedProse(chapter, rows), request.prose, annotationsOf(store, chapter), options);
  const writes = placeBlocks(store, chapter.id, { plan, rows: byId(rows) });
  if (request.kind === "document" || !request.mayBeLarge) assertChapterFits(store, chapter, writes);
  return { plan, rows, writes };
}

function byId(rows: readonly SealedBlock[]): ReadonlyMap<string, SealedBlock> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** Plans and writes a chapter's prose within an act. Throws `PayloadTooLarge`. */
export function replaceIn(store: Store, act: Act, chapter: ChapterRow, request: ProseRequest): Replaced {
  return writePlanned(store, act, chapter, planProse(store, chapter, request));
}

/** Writes planned prose within an act; the title follows the heading that it equals. */
export function writePlanned(
  store: Store,
  act: Act,
  chapter: ChapterRow,
  { plan, rows, writes }: PlannedProse,
): Replaced {
  applyPlan(store, act, chapter, { plan, rows: byId(rows), writes });
  const made = new Set(plan.leaves.flatMap(({ blockId, status }) => (status === "new" ? [blockId] : [])));
  const titleChanged = followHeading(store, chapter, {
    before: headingsOf(rows, chapter),
    after: listHeadings(
      plan.blocks.map(({ node }) => node),
      asTitle(chapter.title),
    ),
    isNew: (blockId) => blockId === null || made.has(blockId),
  });
  return { ...plan, titleChanged };
}

/** What gives the first heading of a chapter a new title, if the two are equal; undefined if nothing of the prose is changed. */
export function retitled(store: Store, chapter: ChapterRow, title: string): PlannedProse | undefined {
  if (title === chapter.title || chapter.blockCount === 0) return undefined;
  const done = withTitle(storedProse(chapter, listBlocks(store, chapter.id)), chapter, title);
  if (done === undefined) return undefined;
  const { prose, edits, heading } = done;
  const known = edits === undefined ? undefined : new Map([[String(heading.blockId), edits]]);
  return planProse(store, chapter, {
    kind: "markdown",
    prose,
    mentions: "keep",
    edits: known,
    mayBeLarge: true,
  });
}

function annotationsOf(store: Store, chapter: ChapterRow): StoredAnnotations {
  return {
    mentions: chapter.mentionCount === 0 ? [] : listChapterMentions(store, chapter.id),
    snippets: listChapterSnippets(store, chapter.id).map(({ id, kind, blockId, detached }) => ({
      id,
      kind,
      blockId,
      lost: detached?.blockId ?? null,
    })),
  };
}

function optionsFor(store: Store, chapter: ChapterRow, request: ProseRequest): ReplaceOptions {
  const nodes =
    request.kind === "document" ? request.prose.nodes : request.prose.blocks.map(({ node }) => node);
  const brought = nodes
    .flatMap(leavesOf)
    .flatMap(({ attrs }) => (typeof attrs?.blockId === "string" ? [attrs.blockId] : []));
  const elsewhere = brought.length === 0 ? new Map<BlockId, ChapterId>() : chaptersOfLeaves(store, brought);
  const { arrived, left, made } = request.kind === "markdown" ? request : {};
  const isForeign = ([blockId, id]: [BlockId, ChapterId]) => id !== chapter.id && !arrived?.has(blockId);
  const foreign = new Set([...elsewhere].filter(isForeign).map(([id]) => id));
  const isUnknown = brought.some((id) => !elsewhere.has(id) && !arrived?.has(id) && !made?.has(id));
  const former = isUnknown ? formerLeaves(store, chapter.id) : new Set<string>();
  const options = {
    foreign,
    former: new Set([...former, ...(arrived ?? []), ...(made ?? [])]),
    arrived,
    left,
    mintBlock: () => store.mint("block"),
  };
  if (request.kind === "markdown") {
    const { edits, renamed } = request;
    return { ...options, policy: request.mentions === "keep" ? "keep" : "markdown", edits, renamed };
  }
  return { ...options, policy: "document", marks: marksOf(store, chapter, request) };
}

/** What a plan asks of a document's marks: the facts that they may name, too. */
export function marksOf(
  store: Store,
  { bookId }: Pick<ChapterRow, "bookId">,
  { spans, mentions }: SentMarks,
): NewMarks {
  const factIds = spans.flat().map(({ factId }) => factId);
  return {
    spans,
    facts: resolveFacts(store, bookId, factIds),
    mint: () => store.mint("mention"),
    isKeeping: mentions === "keep",
  };
}

/** The answer of a prose write, from its plan. */
export function describePlan(
  plan: Replaced,
  { wordCount, revision, title }: ChapterRow,
): Omit<AnswerOf<"replaceProse">, "act"> {
  return {
    wordCount,
    blocks: [...plan.leaves],
    mentionsDropped: droppedBy(plan),
    snippetsDetached: [...plan.snippetsDetached] as ProseWrite["snippetsDetached"], // their kinds are as stored
    snippetsMoved: [...plan.snippetsMoved],
    revision,
    changed: plan.changed,
    removed: [...plan.removed],
    warnings: [...plan.warnings],
    title,
    titleChanged: plan.titleChanged,
  };
}

/** The headings of a chapter before a write and after it. */
export interface HeadingChange {
  before: readonly Heading[];
  after: readonly Heading[];
  /** Whether the write made the paragraph of this id. */
  isNew: (blockId: string | null) => boolean;
}

/** The headings among a chapter's blocks as they are stored; one that says its title counts, whatever that is. */
export function headingsOf(rows: readonly BlockRow[], { title }: Pick<ChapterRow, "title">): Heading[] {
  return listHeadings(rows.filter(({ type }) => type === "heading").map(nodeOf), asTitle(title));
}

/**
 * Gives a chapter the title that its first heading has after a write, if the two were equal before; true if that is
 * another one. A title of its own stays, and so does that of a chapter whose heading was taken out. Source: llms.txt,
 * Prose writes and what they cost.
 */
export function followHeading(
  store: Store,
  chapter: Pick<ChapterRow, "id" | "title">,
  { before, after, isNew }: HeadingChange,
): boolean {
  const [old] = before;
  const [next] = after;
  if (old === undefined || next === undefined || old.title !== asTitle(chapter.title)) return false;
  const isOut = !after.some(({ blockId }) => blockId === old.blockId);
  if (isOut && !isNew(next.blockId)) return false;
  if (next.title === old.title || textFault(next.title) !== undefined) return false;
  updateChapter(store, chapter.id, { title: next.title });
  return true;
}

/**
 * A chapter's prose with a new title as the text of its first heading, if the two are equal now; undefined if they are
 * not, or if Markdown cannot say such a heading. Source: llms.txt, Prose writes and what they cost.
 */
export function withTitle(
  prose: NewProse,
  { title: old }: Pick<ChapterRow, "title">,
  title: string,
): (Retitled & { heading: Heading }) | undefined {
  const [heading] = listHeadings(
    prose.blocks.map(({ node }) => node),
    asTitle(old),
  );
  if (heading?.title !== asTitle(old) || heading.title === asTitle(title)) return undefined;
  const done = retitle(prose, heading.index, title);
  return done && { ...done, heading };
}
