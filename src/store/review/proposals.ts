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
      { ...edit, id: `${proposal.id} ${place}`, proposal: proposal.id, place },
    );
  }
}
