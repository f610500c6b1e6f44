import type { BodyOf } from "../../contract/index.ts";
import { LENGTHS, LIMITS } from "../../contract/limits.ts";
import type { ChapterId } from "../../ids.ts";
import { applyEdits } from "../../prose/apply-edits.ts";
import { definitionsOf } from "../../prose/definitions.ts";
import { liftMentions } from "../../prose/document/marks.ts";
import { readDocument } from "../../prose/document/read-document.ts";
import { shownText } from "../../prose/document/text.ts";
import { assertInsertable, holdersOf } from "../../prose/insert-blocks.ts";
import { parseMarkdown, readLeaf, splitYear } from "../../prose/parse.ts";
import type { StoredProse } from "../../prose/plan.ts";
import type { SpeltLeaf } from "../../prose/write.ts";
import { BadRequest, NotFound, PayloadTooLarge } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { findKeyName } from "../../store/rows/account.ts";
import { chaptersOfLeaves } from "../../store/rows/blocks.ts";
import { insertProposal, type ProposalRow, type ProposedEdit } from "../../store/rows/proposals.ts";
import { isBlankMarkdown } from "../../text/clean-text.ts";
import { grouped } from "../../text/columns.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { attempt, type Caller, type Manuscript, type WriteOn, writeFree } from "../manuscript.ts";
import { toTime } from "../present.ts";
import { roomFor } from "../prose/chapter-size.ts";
import { proseAtRevision } from "../prose/stored-prose.ts";
import { editsBetween } from "./edits/edits-between.ts";
import { proposedCharacters, textsOf } from "./edits/grounds.ts";
import { describeProposal } from "./read-proposal.ts";

type Edit = Omit<ProposedEdit, "status">;
type SentEdit = Extract<BodyOf<"propose">, { edits: unknown }>["edits"][number];

/** Stores what somebody would change in a chapter's prose, and changes nothing of it. Needs no subscription. */
export const propose: WriteOn<"propose", ChapterId> = (manuscript, chapterId, body, caller) => {
  const { store } = manuscript;
  const id = store.mint("proposal");
  // Anybody with a key may ask for it, so nothing that takes long is left for when others have to wait: an older revision
  // never changes, and the answer tells how the proposal stands at this moment.
  const planned = store.snapshot(() =>
    attempt(() => {
      const edits = readEdits(store, chapterId, proseAtRevision(store, chapterId, body.revision), body);
      const { bookId } = theChapter(manuscript, chapterId);
      const own = { id, bookId, chapterId, revision: body.revision, author: authorOf(manuscript, caller) };
      const proposal = asProposal({
        ...own,
        reason: body.reason?.trim() ?? "",
        createdAt: store.clock(),
        edits,
      });
      return { proposal, shown: describeProposal(manuscript, proposal) };
    }),
  );
  return writeFree(manuscript, "propose", caller, (act) => {
    const chapter = theChapter(manuscript, chapterId);
    assertUnchanged(chapter, caller, { prose: true });
    const { proposal, shown } = planned();
    if ("edits" in body) assertStanding(store, proposal.edits);
    insertProposal(store, { ...proposal, bookId: chapter.bookId, createdAt: act.at });
    return () => ({ id, proposal: { ...shown, bookId: chapter.bookId, createdAt: toTime(act.at) } });
  });
};

/** A proposal whose edits nobody has decided. Throws `BadRequest` for too many edits, and `PayloadTooLarge`. */
export function asProposal({
  edits,
  ...made
}: Omit<ProposalRow, "edits"> & { edits: readonly Edit[] }): ProposalRow {
  if (edits.length > LENGTHS.edits)
    throw new BadRequest(
      `These are ${edits.length} edits, and a proposal takes at most ${LENGTHS.edits}; propose a part of them.`,
    );
  assertCharacters(proposedCharacters(edits));
  return { ...made, edits: edits.map((edit) => ({ ...edit, status: "open" as const })) };
}

function assertCharacters(count: number): void {
  if (count > LIMITS.proposalCharacters)
    throw new PayloadTooLarge(
      `The proposal has ${grouped(count)} characters, those of the paragraphs that its edits name included; at most ${grouped(LIMITS.proposalCharacters)} are taken. Send only the paragraphs that change, as several proposals.`,
    );
}

/** Who proposes, in words: the key's or the program's name. */
export function authorOf({ store }: Manuscript, { keyId, byName }: Caller): string {
  const name = keyId ? findKeyName(store, keyId) : byName;
  return name || keyId || "you";
}

function readEdits(store: Store, chapterId: ChapterId, base: StoredProse, body: BodyOf<"propose">): Edit[] {
  const room = roomFor(store, chapterId);
  if ("edits" in body) return checkEdits(base, body.edits);
  if ("doc" in body) {
    const nodes = readDocument(body.doc, room).map((node) => liftMentions(node).node);
    return editsBetween(base, { nodes });
  }
  if (isBlankMarkdown(body.markdown))
    throw new BadRequest("The Markdown is blank; propose to delete its paragraphs as `edits`.");
  assertCharacters(body.markdown.length);
  const prose = parseMarkdown(body.markdown, "", room);
  return editsBetween(base, { ...prose, bom: base.bom });
}

/** Throws `NotFound` if a paragraph is nowhere by now: what no longer stands anywhere could never be accepted. */
function assertStanding(store: Store, edits: readonly Edit[]): void {
  const named = edits.flatMap(({ blockId }) => blockId ?? []);
  const standing = chaptersOfLeaves(store, named);
  if (!named.every((id) => standing.has(id))) throw noParagraph();
}

const noParagraph = () => new NotFound("paragraph in this chapter");

function readBefore(texts: ReadonlyMap<string, SpeltLeaf>, blockId: string | null): string {
  return texts.get(String(blockId))?.markdown ?? "";
}

function checkEdits(base: StoredProse, sent: readonly SentEdit[]): Edit[] {
  const texts = textsOf(base);
  assertCharacters(
    proposedCharacters(
      sent.map(({ blockId, markdown = null }) => ({ before: readBefore(texts, blockId), markdown })),
    ),
  );
  const definitions = definitionsOf(base);
  const holders = holdersOf(base.blocks);
  const taken = new Set<string>();
  const edits = sent.map((edit, index): Edit => {
    const { op, blockId, markdown = null } = edit;
    const faulty = faultOf(edit) ?? (op !== "insert_after" && taken.has(String(blockId)) ? TWICE : undefined);
    if (faulty !== undefined) throw fault(index, faulty);
    if (op === "insert_after") {
      const insertion = { after: blockId, markdown: markdown ?? "" };
      named(index, () => assertInsertable(holders.get(blockId), insertion, definitions));
    }
    if (blockId === null) return { op, blockId, before: "", markdown };
    const text = texts.get(blockId);
    if (text === undefined) throw noParagraph();
    const { markdown: before, leaf, year } = text;
    if (edit.before !== undefined && !isSaid(edit.before.trim(), text))
      throw fault(index, "before is not what the paragraph says at this revision; read it again");
    if (op !== "insert_after") taken.add(blockId);
    if (op === "replace") {
      const { node } = named(index, () =>
        readLeaf(splitYear(markdown ?? "", year).rest, leaf.node, definitions),
      );
      if ([markdown, `${year}${markdown}`].includes(before) || node === leaf.node)
        throw fault(index, "changes nothing");
    }
    return { op, blockId, before, markdown };
  });
  applyEdits(base, edits, () => "");
  return edits;
}

/** Whether a text is what a paragraph says, as Markdown or plain, with its year or without. */
function isSaid(text: string, { leaf, markdown, year = "" }: SpeltLeaf): boolean {
  const words = [markdown.slice(year.length), shownText(leaf.node).text];
  return words.some((one) => text === one || text === year + one);
}

const TWICE = "is the second to replace or delete this paragraph; send one";

function faultOf({ op, blockId, markdown }: SentEdit): string | undefined {
  if (op === "delete")
    return blockId === null
      ? "needs the blockId of a paragraph"
      : markdown && "deletes, and so takes no markdown";
  if (blockId === null && op === "replace") return "needs the blockId of a paragraph";
  return markdown === undefined || isBlankMarkdown(markdown)
    ? "needs markdown that says something; delete takes a paragraph out"
    : undefined;
}

function fault(index: number, message: string): BadRequest {
  return new BadRequest(`The body is not valid: /edits/${index} ${message}.`, [
    { path: `/edits/${index}`, message },
  ]);
}

/** Runs what reads one edit; what it refuses names that. */
function named<Result>(index: number, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    throw new BadRequest(`/edits/${index}: ${error.message}`, [
      { path: `/edits/${index}/markdown`, message: error.message },
    ]).helpedBy(...error.remedies);
  }
}
