import type { EndpointId, OwnerEndpointId, RowId } from "../contract/index.ts";
import type { BookId, ChapterId, FactId } from "../ids.ts";
import type { Store } from "../store/file/store.ts";
import * as weights from "../store/rows/weights.ts";
import type { Manuscript } from "./manuscript.ts";

/** What tells of a request, before it is parsed, whether it may take long. */
export interface Weighed {
  id: RowId;
  params: Readonly<Record<string, string>>;
  /** Its target, with the query. */
  url: string;
  bodyBytes: number;
}

type Weigh = (store: Store, asked: Weighed) => boolean;

/** A longer body may take long, whatever it is for: 16 KiB of the worst Markdown are 0.2 s. */
const BODY_BYTES = 16 * 1024;
/** So many paragraphs, mentions or notes take 30 ms to reconcile. */
const ROWS = 300;
/** So many chapters take 50 ms to count, or to be given other places. */
const CHAPTERS = 1000;
/** Where a single row is written, and others are read only if it is a heading. */
const ROWS_PASSED = 3000;
/** Acts tell of every row that they changed; 3,000 take 1 ms. */
const ROWS_TOLD = 50_000;
/** Counting that many mentions takes 3 ms. */
const MENTIONS_COUNTED = 3000;
const ACTS_TOLD = 500;
const LIST = { rows: 2000, bytes: 2 * 1024 * 1024 };

const light: Weigh = () => false;
const heavy: Weigh = () => true;
const chapter =
  (rows: number): Weigh =>
  (store, { params }) =>
    weights.isLongChapter(store, params.chapterId as ChapterId, rows);
const inLongChapter = chapter(ROWS);
const inLongBook =
  (named: weights.InBook): Weigh =>
  (store, { params }) =>
    weights.hasManyChapters(store, named, params[named] ?? "", CHAPTERS);
const either =
  (...weighs: readonly Weigh[]): Weigh =>
  (store, asked) =>
    weighs.some((weigh) => weigh(store, asked));
const inList: Weigh = (store, { params }) => weights.hasLongList(store, params.bookId as BookId, LIST);
const ofFact: Weigh = (store, { params }) => weights.isOftenMentioned(store, params.factId as FactId, ROWS);

/** Of every row, what it takes to answer it, by what is stored. */
const WEIGHTS: Readonly<Record<EndpointId, Weigh>> = {
  listBooks: light,
  readOutline: light,
  searchBook: heavy,
  listFacts: inList,
  readStoryMap: (store, { params }) =>
    weights.areManyMentions(store, params.bookId as BookId, MENTIONS_COUNTED),
  readTimeline: heavy,
  readAppearances: heavy,
  readStyle: heavy,
  readFact: ofFact,
  readPassages: heavy,
  listSnippets: inList,
  readSnippet: light,
  // As text or Markdown, it is bytes out of SQLite.
  readChapter: (store, asked) =>
    /[?&](?:format=(?:doc|blocks)|revision=)/.test(asked.url) && inLongChapter(store, asked),
  listRevisions: light,
  compareRevisions: heavy,
  listProposals: heavy,
  readProposal: heavy,
  propose: heavy,
  acceptProposal: heavy,
  rejectProposal: heavy,
  listActs: (store) => weights.areLongActs(store, ACTS_TOLD, ROWS_TOLD),
  // It goes on and on; page by page it is read as acts are listed.
  streamActs: light,
  listMilestones: heavy,
  compareBooks: heavy,
  draftSynopsis: heavy,
  detectMentions: heavy,
  checkConsistency: heavy,
  createFact: light,
  updateFact: ofFact,
  mergeFacts: heavy,
  deleteFact: ofFact,
  createSnippet: light,
  updateSnippet: light,
  deleteSnippet: light,
  replaceProse: inLongChapter,
  replaceParagraph: chapter(ROWS_PASSED),
  insertParagraphs: inLongChapter,
  deleteParagraph: inLongChapter,
  setStatus: light,
  saveSynopsis: light,
  acceptProposals: inLongChapter,
  dismissFindings: light,
  anchorMentions: inLongChapter,
  reanchorMentions: heavy,
  // A regular expression may need all the time that it has.
  replaceInBook: heavy,
  createBook: light,
  updateBook: light,
  deleteBook: (store, { params }) => weights.isLongBook(store, params.bookId as BookId, ROWS),
  setGoal: light,
  deleteGoal: light,
  createPart: light,
  updatePart: light,
  deletePart: light,
  createChapter: inLongBook("bookId"),
  updateChapter: either(inLongChapter, inLongBook("chapterId")),
  deleteChapter: either(inLongChapter, inLongBook("chapterId")),
  splitChapter: heavy,
  joinChapters: heavy,
  moveParagraphs: heavy,
  restoreRevision: heavy,
  createMilestone: inLongBook("bookId"),
  updateMilestone: inLongBook("milestoneId"),
  deleteMilestone: light,
  restoreBook: heavy,
  undoActs: heavy,
  undoAct: (store, { params }) => weights.isLongAct(store, params.act ?? "", ROWS),
};

/** The owner's rows that a helper answers; the others, whatever they are sent, ask the server about itself. */
const OWNERS: Readonly<Record<OwnerEndpointId, boolean>> = {
  createSession: false,
  endSession: false,
  createCode: false,
  claimCode: false,
  listSessions: false,
  revokeSession: false,
  listKeys: false,
  createKey: false,
  revokeKey: false,
  readAccount: false,
  changeAccount: false,
  readFileState: false,
  listLedger: false,
  readEngine: false,
  testEngine: false,
  checkFile: true,
  listCopies: false,
  createBackup: false,
  restoreBackup: false,
  importSent: true,
  addSample: true,
};

/** Whether a request may take so long that others would notice. Asks indexes alone, and never the body: a few microseconds. */
export function isDear(manuscript: Manuscript, asked: Weighed): boolean {
  if (isOwners(asked.id)) return OWNERS[asked.id]; // a visitor asks about no manuscript yet
  return asked.bodyBytes > BODY_BYTES || WEIGHTS[asked.id](manuscript.store, asked);
}

function isOwners(id: RowId): id is OwnerEndpointId {
  return Object.hasOwn(OWNERS, id);
}
