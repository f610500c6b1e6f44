import type { BlockId, BookId, ChapterId, ProposalId } from "../../ids.ts";
import type { Store } from "../file/store.ts";

/** One change that a proposal asks for; `blockId` null inserts at the chapter's start, `markdown` null deletes. */
export interface ProposedEdit {
  op: "replace" | "insert_after" | "delete";
  blockId: BlockId | null;
  /** The paragraph's Markdown when the proposal was made. */
  before: string;
  markdown: string | null;
  status: "open" | "accepted" | "rejected";
}

/** A proposal as stored; times in milliseconds since 1970. */
export interface ProposalRow {
  id: ProposalId;
  bookId: BookId;
  chapterId: ChapterId;
  /** Of the chapter, when it was made. */
  revision: number;
  author: string;
  reason: string;
  createdAt: number;
  edits: ProposedEdit[];
}

/** Adds a proposal with its edits. */
export function insertProposal(store: Store, { edits, ...proposal }: ProposalRow): void {
  store.run(
    `INSERT INTO proposals(id, book_id, chapter_id, revision, author, reason, created_at)
     VALUES(:id, :bookId, :chapterId, :revision, :author, :reason, :createdAt)`,
    proposal,
  );
  for (const [place, edit] of edits.entries()) {
    store.run(
      `INSERT INTO proposed_edits(id, proposal_id, place, op, block_id, before, markdown, status)
       VALUES(:id, :proposal, :place, :op, :blockId, :before, :markdown, :status)`,
      { ...edit, id: idOf(proposal.id, place), proposal: proposal.id, place },
    );
  }
}

const idOf = (proposal: ProposalId, place: number) => `${proposal} ${place}`;

const PROPOSAL = `SELECT p.id, p.book_id AS bookId, p.chapter_id AS chapterId, p.revision, p.author, p.reason, p.created_at AS createdAt
  FROM proposals p`;

type Raw = Omit<ProposalRow, "edits">;

function withEdits(store: Store, proposals: readonly Raw[]): ProposalRow[] {
  const sql = `SELECT op, block_id AS blockId, before, markdown, status FROM proposed_edits WHERE proposal_id = ? ORDER BY place`;
  return proposals.map((proposal) => ({ ...proposal, edits: store.all<ProposedEdit>(sql, proposal.id) }));
}

/** A book's proposals in the order of its chapters, the oldest of each first. */
export function listProposals(store: Store, bookId: BookId): ProposalRow[] {
  const rows = store.all<Raw>(
    `${PROPOSAL} JOIN chapters c ON c.id = p.chapter_id WHERE p.book_id = ? ORDER BY c.rank, c.id, p.created_at, p.id`,
    bookId,
  );
  return withEdits(store, rows);
}

/** The proposals for a chapter, the oldest first. */
export function listChapterProposals(store: Store, chapterId: ChapterId): ProposalRow[] {
  const rows = store.all<Raw>(`${PROPOSAL} WHERE p.chapter_id = ? ORDER BY p.created_at, p.id`, chapterId);
  return withEdits(store, rows);
}

/** The proposal, or undefined. */
export function findProposal(store: Store, id: ProposalId): ProposalRow | undefined {
  const row = store.get<Raw>(`${PROPOSAL} WHERE p.id = ?`, id);
  if (row === undefined) return undefined;
  return withEdits(store, [row])[0];
}

/** Says what became of edits of a proposal, by their places. */
export function decideEdits(
  store: Store,
  id: ProposalId,
  places: readonly number[],
  status: ProposedEdit["status"],
): void {
  for (const place of places)
    store.run("UPDATE proposed_edits SET status = ? WHERE id = ?", status, idOf(id, place));
}

/** Makes a proposal one for another chapter, as if of that revision. */
export function moveProposal(
  store: Store,
  { id, chapterId, revision }: Pick<ProposalRow, "id" | "chapterId" | "revision">,
): void {
  store.run("UPDATE proposals SET chapter_id = ?, revision = ? WHERE id = ?", chapterId, revision, id);
}
