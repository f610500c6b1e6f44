import type { AnswerOf, EndpointId, InputOf, OwnerEndpointId } from "../contract/index.ts";
import { checkChapter, dismissFindings } from "../service/ai/check.ts";
import { detectMentions, draftSynopsis, type Paid } from "../service/ai/metered-call.ts";
import { acceptChosen } from "../service/annotations/accept-proposals.ts";
import * as facts from "../service/annotations/facts.ts";
import { anchorMentions, reanchorMentions } from "../service/annotations/mentions.ts";
import * as snippets from "../service/annotations/snippets.ts";
import { readStoryMap } from "../service/annotations/story-map.ts";
import { createBook, deleteBook, deleteGoal, setGoal, updateBook } from "../service/books/books.ts";
import { saveSynopsis, setStatus } from "../service/books/chapter-fields.ts";
import { createChapter, deleteChapter, updateChapter } from "../service/books/chapters.ts";
import { moveParagraphs } from "../service/books/move-paragraphs.ts";
import { readOutline } from "../service/books/outline.ts";
import { createPart, deletePart, updatePart } from "../service/books/parts.ts";
import { readBlocks } from "../service/books/read-blocks.ts";
import { type ChapterQuery, listRevisions, readChapter } from "../service/books/read-chapter.ts";
import { joinChapters, splitChapter } from "../service/books/split-chapter.ts";
import { chapterTag, digest, type TaggedBody } from "../service/entity-tags.ts";
import { type LiveFeed, streamActs } from "../service/feed/feed.ts";
import { listActs } from "../service/history/acts.ts";
import { compareBooks } from "../service/history/compare-books.ts";
import * as milestones from "../service/history/milestones.ts";
import { restoreBook } from "../service/history/restore-book.ts";
import { undoAct, undoActs } from "../service/history/undo.ts";
import { readBookPicture } from "../service/interchange/read-picture.ts";
import { listBooks } from "../service/list-books.ts";
import type { Caller, Manuscript, SeenChapter } from "../service/manuscript.ts";
import type { Ready } from "../service/present.ts";
import { compareRevisions } from "../service/prose/compare-revisions.ts";
import { deleteParagraph, insertParagraphs } from "../service/prose/paragraphs.ts";
import { replaceParagraph } from "../service/prose/replace-paragraph.ts";
import { replaceProse } from "../service/prose/replace-prose.ts";
import { replaceInBook } from "../service/prose/replace-text.ts";
import { restoreRevision } from "../service/prose/restore-revision.ts";
import { type DocumentFile, exportBook } from "../service/publish/publish-book.ts";
import { readAppearances } from "../service/reading/appearances.ts";
import { readLanguage } from "../service/reading/language.ts";
import { readPace } from "../service/reading/pace.ts";
import { readPassages } from "../service/reading/passages.ts";
import { readTimeline } from "../service/reading/timeline.ts";
import { acceptProposal } from "../service/review/accept-proposal.ts";
import { propose } from "../service/review/propose.ts";
import { listProposals, readProposal } from "../service/review/read-proposal.ts";
import { rejectProposal } from "../service/review/reject-proposal.ts";
import { searchBook } from "../service/search/search.ts";

/** A checked request of one row, and whose manuscript it is about. */
export type EndpointCall<Id extends EndpointId> = InputOf<Id> & {
  manuscript: Manuscript;
  caller: Caller;
  /** True if the client accepts bare Markdown. */
  wantsMarkdown: boolean;
  /** The id of the event that the client was told last. */
  lastEventId: string | undefined;
  /** Aborts when nobody waits for the answer any more: the client has left, or the server stops. */
  gone?: AbortSignal | undefined;
};

/** A finished body with its entity tag. */
export interface Tagged {
  etag: string;
  body: Buffer;
  /** The form of the body depends on `Accept`. */
  varies?: boolean;
  /** The body is bare Markdown, not JSON. */
  isMarkdown?: boolean | undefined;
  /** The body is a picture of this type. */
  pictureType?: string;
}

/** What a handler returns: the answer, a finished body, one with a tag, an answer with its price, or one that goes on. */
export type EndpointReply<Id extends EndpointId> =
  | AnswerOf<Id>
  | Ready<Id>
  | Tagged
  | DocumentFile
  | Paid<Id>
  | LiveFeed;

/** What any row's operation returns: the owner's are plain answers. */
export type AnyReply = EndpointReply<EndpointId> | AnswerOf<OwnerEndpointId>;

/** One operation for every row. A row without one, or one that answers another shape, does not compile. */
export type Handlers = {
  readonly [Id in EndpointId]: (call: EndpointCall<Id>) => EndpointReply<Id> | Promise<EndpointReply<Id>>;
};

/** The operation of every row. */
export const HANDLERS: Handlers = {
  listBooks: ({ manuscript }) => listBooks(manuscript),
  exportBook: ({ manuscript, params, query }) => exportBook(manuscript, params.bookId, query),
  readBookPicture: ({ manuscript, params, query }) => {
    const { hash, mediaType, bytes } = readBookPicture(manuscript, params.bookId, { ...params, ...query });
    return { etag: hash, body: bytes, pictureType: mediaType };
  },
  readOutline: ({ manuscript, params, query }) => tagged(readOutline(manuscript, params.bookId, query)),
  searchBook: ({ manuscript, params, query }) => searchBook(manuscript, params.bookId, query),
  listFacts: ({ manuscript, params }) => facts.listFacts(manuscript, params.bookId),
  readStoryMap: ({ manuscript, params }) => tagged(readStoryMap(manuscript, params.bookId)),
  readTimeline: ({ manuscript, params, query, gone }) =>
    readTimeline(manuscript, params.bookId, { ...query, gone }),
  readAppearances: ({ manuscript, params, gone }) => readAppearances(manuscript, params.bookId, gone),
  readLanguage: ({ manuscript, params, query, gone }) =>
    readLanguage(manuscript, params.bookId, { ...query, gone }),
  readPace: ({ manuscript, params, gone }) => readPace(manuscript, params.bookId, { gone }),
  readFact: ({ manuscript, params }) => tagged(facts.readTaggedFact(manuscript, params.factId)),
  readPassages: ({ manuscript, params, gone }) => readPassages(manuscript, params.factId, gone),
  listSnippets: ({ manuscript, params, query }) => snippets.listSnippets(manuscript, params.bookId, query),
  readSnippet: ({ manuscript, params }) => tagged(snippets.readSnippet(manuscript, params.snippetId)),
  readChapter: readTagged,
  listRevisions: ({ manuscript, params, query }) => listRevisions(manuscript, params.chapterId, query),
  compareRevisions: ({ manuscript, params, query }) => compareRevisions(manuscript, params.chapterId, query),
  listProposals: ({ manuscript, params, query }) => listProposals(manuscript, params.bookId, query),
  readProposal: ({ manuscript, params }) => readProposal(manuscript, params.proposalId),
  listActs: ({ manuscript, query }) => listActs(manuscript, query),
  streamActs: ({ manuscript, query, lastEventId }) => streamActs(manuscript, lastEventId ?? query.after),
  listMilestones: ({ manuscript, params }) => milestones.listMilestones(manuscript, params.bookId),
  compareBooks: ({ manuscript, params, query }) => compareBooks(manuscript, params.bookId, query),
  propose: ({ manuscript, params, body, caller }) => propose(manuscript, params.chapterId, body, caller),
  draftSynopsis: ({ manuscript, params, caller, gone }) =>
    draftSynopsis(manuscript, params.chapterId, { ...caller, signal: gone }),
  detectMentions: ({ manuscript, params, caller, gone }) =>
    detectMentions(manuscript, params.chapterId, { ...caller, signal: gone }),
  checkConsistency: ({ manuscript, params, caller, gone }) =>
    checkChapter(manuscript, params.chapterId, { ...caller, signal: gone }),
  createFact: ({ manuscript, params, body, caller }) =>
    facts.createFact(manuscript, params.bookId, body, caller),
  updateFact: ({ manuscript, params, body, caller }) =>
    facts.updateFact(manuscript, params.factId, body, caller),
  mergeFacts: ({ manuscript, body, caller }) => facts.mergeFacts(manuscript, body, caller),
  deleteFact: ({ manuscript, params, caller }) => facts.deleteFact(manuscript, params.factId, caller),
  createSnippet: ({ manuscript, params, body, caller }) =>
    snippets.createSnippet(manuscript, params.bookId, body, caller),
  updateSnippet: ({ manuscript, params, body, caller }) =>
    snippets.updateSnippet(manuscript, params.snippetId, body, caller),
  deleteSnippet: ({ manuscript, params, caller }) =>
    snippets.deleteSnippet(manuscript, params.snippetId, caller),
  replaceProse: ({ manuscript, params, body, query, caller }) =>
    replaceProse(manuscript, params.chapterId, body, { ...caller, mentions: query.mentions }),
  replaceParagraph: ({ manuscript, params, body, caller }) =>
    replaceParagraph(manuscript, params, body, caller),
  insertParagraphs: ({ manuscript, params, body, caller }) =>
    insertParagraphs(manuscript, params.chapterId, body, caller),
  deleteParagraph: ({ manuscript, params, caller }) => deleteParagraph(manuscript, params, caller),
  setStatus: ({ manuscript, params, body, caller }) => setStatus(manuscript, params.chapterId, body, caller),
  saveSynopsis: ({ manuscript, params, body, caller }) =>
    saveSynopsis(manuscript, params.chapterId, body, caller),
  acceptProposal: ({ manuscript, params, body, caller }) =>
    acceptProposal(manuscript, params.proposalId, body, caller),
  rejectProposal: ({ manuscript, params, body, caller }) =>
    rejectProposal(manuscript, params.proposalId, body, caller),
  acceptProposals: ({ manuscript, params, body, caller }) =>
    acceptChosen(manuscript, params.chapterId, body, caller),
  dismissFindings: ({ manuscript, params, body, caller }) =>
    dismissFindings(manuscript, params.bookId, body.ids, caller),
  anchorMentions: ({ manuscript, params, body, caller }) =>
    anchorMentions(manuscript, params.chapterId, body, caller),
  reanchorMentions: ({ manuscript, params, caller }) => reanchorMentions(manuscript, params.bookId, caller),
  replaceInBook: ({ manuscript, params, body, caller }) =>
    replaceInBook(manuscript, params.bookId, body, caller),
  createBook: ({ manuscript, body, caller }) => createBook(manuscript, body, caller),
  updateBook: ({ manuscript, params, body, caller }) => updateBook(manuscript, params.bookId, body, caller),
  deleteBook: ({ manuscript, params, caller }) => deleteBook(manuscript, params.bookId, caller),
  setGoal: ({ manuscript, params, body, caller }) => setGoal(manuscript, params.bookId, body, caller),
  deleteGoal: ({ manuscript, params, caller }) => deleteGoal(manuscript, params.bookId, caller),
  createPart: ({ manuscript, params, body, caller }) => createPart(manuscript, params.bookId, body, caller),
  updatePart: ({ manuscript, params, body, caller }) => updatePart(manuscript, params.partId, body, caller),
  deletePart: ({ manuscript, params, caller }) => deletePart(manuscript, params.partId, caller),
  createChapter: ({ manuscript, params, body, caller }) =>
    createChapter(manuscript, params.bookId, body, caller),
  updateChapter: ({ manuscript, params, body, caller }) =>
    updateChapter(manuscript, params.chapterId, body, caller),
  deleteChapter: ({ manuscript, params, caller }) => deleteChapter(manuscript, params.chapterId, caller),
  splitChapter: ({ manuscript, params, body, caller }) =>
    splitChapter(manuscript, params.chapterId, body, caller),
  joinChapters: ({ manuscript, params, body, caller }) =>
    joinChapters(manuscript, params.chapterId, body, caller),
  moveParagraphs: ({ manuscript, params, body, caller }) =>
    moveParagraphs(manuscript, params.chapterId, body, caller),
  restoreRevision: ({ manuscript, params, body, caller }) =>
    restoreRevision(manuscript, params.chapterId, body, caller),
  createMilestone: ({ manuscript, params, body, caller }) =>
    milestones.createMilestone(manuscript, params.bookId, body, caller),
  updateMilestone: ({ manuscript, params, body, caller }) =>
    milestones.updateMilestone(manuscript, params.milestoneId, body, caller),
  deleteMilestone: ({ manuscript, params, caller }) =>
    milestones.deleteMilestone(manuscript, params.milestoneId, caller),
  restoreBook: ({ manuscript, params, body, caller }) => restoreBook(manuscript, params.bookId, body, caller),
  undoActs: ({ manuscript, body, caller }) => undoActs(manuscript, body, caller),
  undoAct: ({ manuscript, params, caller }) => undoAct(manuscript, params.act, caller),
};

/** A read's body with its entity tag. */
function tagged({ tag, body }: TaggedBody): Tagged {
  return { etag: `${tag}.${digest(body)}`, body };
}

function readTagged({ manuscript, params, query, wantsMarkdown }: EndpointCall<"readChapter">): Tagged {
  const wanted = { ...query, bare: wantsMarkdown && query.format === undefined };
  const { format, ...rest } = wanted;
  const { seen, body } =
    format === "blocks"
      ? readBlocks(manuscript, params.chapterId, query.revision)
      : readChapter(manuscript, params.chapterId, { ...rest, format });
  return { etag: entityTag(seen, wanted), body, varies: true, isMarkdown: wanted.bare };
}

/**
 * The entity tag of a chapter in the requested form, without quotes. It changes with everything that the form
 * shows and is never used twice. Source: llms.txt, Requests and answers.
 */
export function entityTag({ chapterId, revision, version }: SeenChapter, query: ChapterQuery): string {
  const form = query.bare ? "bare" : (query.format ?? "text");
  const old = query.revision === undefined ? "" : `.at${query.revision}`;
  return `${chapterTag({ id: chapterId, revision, version })}.${form}${old}`;
}
