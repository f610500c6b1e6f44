import { signal } from "@preact/signals";
import type { Answer } from "../../api/operations.ts";

/** A proposed addition to the story map. */
export type Proposal = Answer<"detectMentions">["proposals"][number];
/** A contradiction or a drifting name. */
export type Finding = Answer<"checkConsistency">["findings"][number];

/** Undecided proposals and findings of a book, by chapter. */
export interface Looked {
  proposals: ReadonlyMap<string, { revision: number; proposals: readonly Proposal[] }>;
  findings: ReadonlyMap<string, readonly Finding[]>;
  /** True if the last check had no fact to compare the prose with. */
  isWithoutCast: boolean;
}

const NOTHING: Looked = { proposals: new Map(), findings: new Map(), isWithoutCast: false };
const byBook = signal<ReadonlyMap<string, Looked>>(new Map());

/** Returns what is undecided in a book. It is kept while the page is open, because it was paid for. */
export function lookedIn(bookId: string): Looked {
  return byBook.value.get(bookId) ?? NOTHING;
}

/** Keeps the proposals of a chapter in place of those before. */
export function keepProposals(bookId: string, { chapterId, revision, proposals }: Answer<"detectMentions">) {
  const known = lookedIn(bookId);
  keep(bookId, { ...known, proposals: new Map(known.proposals).set(chapterId, { revision, proposals }) });
}

/** Keeps the findings of a chapter in place of those before. */
export function keepFindings(
  bookId: string,
  { chapterId, findings, engine }: Answer<"checkConsistency">,
): void {
  const known = lookedIn(bookId);
  const isWithoutCast = engine.includes("no cast");
  keep(bookId, { ...known, findings: new Map(known.findings).set(chapterId, findings), isWithoutCast });
}

/** Takes out what was decided on, by its ids. */
export function forget(bookId: string, ids: ReadonlySet<string>): void {
  const known = lookedIn(bookId);
  const proposals = [...known.proposals].map(
    ([chapterId, { revision, proposals: own }]) =>
      [chapterId, { revision, proposals: own.filter(({ id }) => !ids.has(id)) }] as const,
  );
  const findings = [...known.findings].map(
    ([chapterId, own]) => [chapterId, own.filter(({ id }) => !ids.has(id))] as const,
  );
  keep(bookId, { ...lookedIn(bookId), proposals: new Map(proposals), findings: new Map(findings) });
}

/** Puts back how it was, when what was decided is taken back. */
export function keep(bookId: string, looked: Looked): void {
  byBook.value = new Map(byBook.value).set(bookId, looked);
}
