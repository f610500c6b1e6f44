import { PREFIXES } from "../../ids.ts";
import type { DerivedBlock } from "../rows/blocks.ts";
import {
  asOlder,
  candidatesOf,
  fromCopies,
  likeliest,
  newestOf,
  type Origin,
  type RowState,
  type Sources,
} from "./candidates.ts";
import type { Row } from "./past.ts";
import { chooseForSum } from "./sums.ts";

/** How prose is read: the store itself knows none. */
export interface ProseReader {
  /** What follows from a node, as this version or an earlier one stored it. Throws for what is no node. */
  derive(node: string): DerivedBlock[];
  /** Whether a block's Markdown says what its node holds. */
  agrees(source: string, node: string): boolean;
  /** Parts blocks that would run into each other, where one between them is gone: returns their gaps. */
  part(chapter: Row, blocks: readonly Row[]): string[];
  /** The text of each leaf of a node. */
  leafTexts(node: string): { blockId: string | null; text: string }[];
}

/** A paragraph that is not, or perhaps not, as it was written last. `id` is that of its row. */
export interface ParagraphFinding {
  id: string;
  /** `same`: taken from elsewhere, and nothing was written in it since. `doubtful`: it may be older, or have been deleted. */
  kind: "missing" | "older" | "doubtful" | "same";
  origin?: Origin | undefined;
  /** Its place among the blocks, if anything tells. */
  rank: string | undefined;
}

/** A chapter with the paragraphs that came back, and those that did not. */
export interface ChapterFinding {
  id: string;
  row: Row | undefined;
  /** Where the chapter's own row is from, unless it is as it was written last. */
  rowOrigin: Origin | "nothing" | undefined;
  /** Its digest says that every block and mention is there, as it was written last. */
  isProved: boolean;
  paragraphs: ParagraphFinding[];
  blocks: Row[];
  mentions: Row[];
  lostMentions: number;
}

type Chosen = ReadonlyMap<string, RowState>;

/** Finds out of each chapter which rows are its text as it was written last, or come nearest to that. */
export function chooseChapters(sources: Sources, prose: ProseReader): ChapterFinding[] {
  const pool = poolOf(sources);
  return [...chapterIds(sources, pool)].map((id) => new ChapterChoice(sources, prose, pool, id).choose());
}

/** The rows of which chapters are made. */
interface Pool {
  chapters: ReadonlyMap<string, RowState[]>;
  blocks: ReadonlyMap<string, RowState[]>;
  mentions: ReadonlyMap<string, RowState[]>;
  /** The ids of blocks and mentions that are, or may be, of a chapter. */
  ofChapter: Record<Held, ReadonlyMap<string, ReadonlySet<string>>>;
  /** The highest revision of each chapter that is known. */
  revisions: ReadonlyMap<string, number>;
}

type Held = "blocks" | "mentions";
const HELD = ["blocks", "mentions"] as const;

function poolOf(sources: Sources): Pool {
  const { found, past, history } = sources;
  const rows = { blocks: candidatesOf(sources, "blocks"), mentions: candidatesOf(sources, "mentions") };
  const ofChapter = { blocks: new Map<string, Set<string>>(), mentions: new Map<string, Set<string>>() };
  const add = (table: Held, chapter: unknown, id: string) => {
    if (typeof chapter !== "string") return;
    const ids = ofChapter[table].get(chapter) ?? new Set();
    ofChapter[table].set(chapter, ids.add(id));
  };
  for (const table of HELD) {
    for (const [id, each] of rows[table]) for (const { row } of each) add(table, row.chapter_id, id);
    for (const { id } of past.living(table))
      if (!rows[table].has(id)) add(table, past.chapterOf(table, id), id);
  }
  for (const [id, { list }] of found.places)
    if (!rows.blocks.has(id) && past.mayLive("blocks", id) === undefined) add("blocks", list, id);
  const revisions = new Map<string, number>();
  for (const { chapter_id, revision } of history.revisions) {
    const chapter = String(chapter_id);
    revisions.set(chapter, Math.max(Number(revision), revisions.get(chapter) ?? 0));
  }
  return { chapters: candidatesOf(sources, "chapters"), ...rows, ofChapter, revisions };
}

/** The chapters that were there in the end, those among them whose own row is gone. */
function chapterIds(sources: Sources, pool: Pool): Set<string> {
  const { past, found } = sources;
  const ids = new Set<string>();
  // An index alone tells of a chapter that nothing else does where the table has lost pages.
  const isKept = (id: string) => past.mayLive("chapters", id) ?? found.broken.has("chapters");
  for (const [id, candidates] of pool.chapters)
    if (likeliest(sources, "chapters", candidates) !== undefined) ids.add(id);
  for (const { id } of past.living("chapters")) ids.add(id);
  for (const id of found.places.keys()) if (id.startsWith(PREFIXES.chapter) && isKept(id)) ids.add(id);
  for (const candidates of pool.blocks.values()) {
    const chosen = likeliest(sources, "blocks", candidates);
    const chapter = String(chosen?.row.chapter_id);
    if (chosen !== undefined && past.isAlive("chapters", chapter) !== false) ids.add(chapter);
  }
  return ids;
}

const DIGESTS = 2 ** 48;

class ChapterChoice {
  readonly #sources: Sources;
  readonly #prose: ProseReader;
  readonly #pool: Pool;
  readonly #id: string;
  /** The chapter's own row as it was written last; undefined if that is gone. */
  readonly #row: Row | undefined;

  constructor(sources: Sources, prose: ProseReader, pool: Pool, id: string) {
    this.#sources = sources;
    this.#prose = prose;
    this.#pool = pool;
    this.#id = id;
    // Both numbers go up with every change, and none is used twice.
    const [newest] = [...(pool.chapters.get(id) ?? [])].sort(
      (a, b) =>
        Number(b.row.revision) - Number(a.row.revision) || Number(b.row.version) - Number(a.row.version),
    );
    this.#row = newest?.row;
  }

  choose(): ChapterFinding {
    const isNewest = this.#isRowNewest();
    const inPlace = this.#each((candidates) => candidates.find(({ standing }) => standing === "in place"));
    if (isNewest && this.#isSum(inPlace)) return this.#finding(inPlace, true);
    const ofFile = this.#search((table, id) => this.#candidates(table, id));
    if (isNewest && ofFile !== undefined) return this.#finding(ofFile, true);
    const ofAll = this.#search((table, id) => [
      ...this.#candidates(table, id),
      ...fromCopies(this.#sources, table, id).filter(({ row }) => row.chapter_id === this.#id),
    ]);
    if (isNewest && ofAll !== undefined) return this.#finding(ofAll, true);
    return this.#finding(
      this.#each((candidates, table, id) => this.#nearest(table, id, candidates)),
      false,
    );
  }

  #isRowNewest(): boolean {
    if (this.#row === undefined) return false;
    const isBehind = Number(this.#row.revision) < (this.#pool.revisions.get(this.#id) ?? 0);
    return !isBehind && this.#sources.past.endOf("chapters", this.#row, { isSure: true }) === undefined;
  }

  /** The states of a row in this chapter. */
  #candidates(table: Held, id: string): RowState[] {
    return (this.#pool[table].get(id) ?? []).filter(({ row }) => row.chapter_id === this.#id);
  }

  #ids(table: Held): string[] {
    return [...(this.#pool.ofChapter[table].get(this.#id) ?? [])];
  }

  #each(choose: (candidates: RowState[], table: Held, id: string) => RowState | undefined): Chosen {
    const chosen = new Map<string, RowState>();
    for (const table of HELD)
      for (const id of this.#ids(table)) {
        const candidate = choose(this.#candidates(table, id), table, id);
        if (candidate !== undefined) chosen.set(id, candidate);
      }
    return chosen;
  }

  #isSum(chosen: Chosen): boolean {
    if (!this.#sources.isHashed) return this.#isCounted(chosen);
    let sum = 0;
    for (const candidate of chosen.values()) sum = (sum + weightOf(candidate)) % DIGESTS;
    return sum === this.#row?.digest;
  }

  /** Of a format without digests: as many words and mentions as the chapter counts. */
  #isCounted(chosen: Chosen): boolean {
    const rows = [...chosen.values()].map(({ row }) => row);
    const words = rows.reduce((sum, row) => sum + Number(row.words ?? 0), 0);
    const mentions = rows.filter((row) => row.node === undefined).length;
    return words === this.#row?.word_count && mentions === this.#row?.mention_count;
  }

  /** The states that add up to the digest. */
  #search(statesOf: (table: Held, id: string) => RowState[]): Chosen | undefined {
    if (!this.#sources.isHashed || this.#row === undefined) return undefined;
    const slots = HELD.flatMap((table) =>
      this.#ids(table).map((id) => this.#slot(table, id, statesOf(table, id))),
    );
    const choice = chooseForSum(
      slots.map(({ states }) => states.map((state) => (state === undefined ? 0 : weightOf(state)))),
      Number(this.#row.digest),
    );
    if (choice === undefined) return undefined;
    const chosen = new Map<string, RowState>();
    for (const [at, { id, states }] of slots.entries()) {
      const state = states[choice[at]!]; // one choice a slot
      if (state !== undefined) chosen.set(id, state);
    }
    return chosen;
  }

  /** What may stand for an id, the likeliest first; undefined is that it does not stand here. */
  #slot(table: Held, id: string, states: RowState[]): { id: string; states: (RowState | undefined)[] } {
    const known = this.#pool[table].get(id) ?? [];
    const best = likeliest(this.#sources, table, known) ?? undefined;
    const first = best === undefined ? (known.length === 0 ? states[0] : undefined) : best;
    if (first === undefined || !states.includes(first)) return { id, states: [undefined, ...states] };
    const others = states.filter((state) => state !== first);
    const isSure = first.standing === "in place" && this.#sources.past.isAlive(table, id) === true;
    return { id, states: [first, ...others, ...(isSure ? [] : [undefined])] };
  }

  /** The state that is to stand for an id where nothing proves which was the last. */
  #nearest(table: Held, id: string, candidates: readonly RowState[]): RowState | undefined {
    const { past } = this.#sources;
    const known = this.#pool[table].get(id) ?? [];
    const best = likeliest(this.#sources, table, known);
    if (best !== undefined && past.endOf(table, best.row) === undefined)
      return candidates.includes(best) ? best : undefined;
    if (best === undefined && known.length > 0 && past.isAlive(table, id) !== true) return undefined;
    const others = fromCopies(this.#sources, table, id).filter(({ row }) => row.chapter_id === this.#id);
    const unchanged = others.find(({ origin }) => origin?.isNewest);
    if (unchanged !== undefined) return unchanged;
    const older = best === undefined ? [] : [asOlder(best, past.endOf(table, best.row))];
    const image = table === "blocks" ? this.#fromHistory(id, others[0]?.row) : undefined;
    const ended = newestOf(past, table, [...older, ...others]);
    const endOf = ended && past.endOf(table, ended.row)?.seq;
    const isImageNewer =
      image !== undefined && (endOf === undefined ? best === undefined : endOf < image.seq);
    return isImageNewer ? image.candidate : ended;
  }

  /** A block as the history knew it last; what it does not know is as in a copy, or in an index. */
  #fromHistory(id: string, other: Row | undefined): { candidate: RowState; seq: number } | undefined {
    const found = this.#sources.past.lastImage("blocks", id, ["node", "source"]);
    if (found === undefined) return undefined;
    const place = this.#sources.found.places.get(id);
    const rank = found.image.rank ?? other?.rank ?? (place?.list === this.#id ? place.rank : undefined);
    const row: Row = {
      ...{ ...found.image, id, chapter_id: this.#id, rank: rank ?? null },
      gap: found.image.gap ?? other?.gap ?? "\n\n",
    };
    const { node, source } = row;
    if (typeof node !== "string" || typeof source !== "string" || !this.#prose.agrees(source, node))
      return undefined;
    const origin: Origin = { from: "its history", at: found.until.at, isNewest: false };
    return { candidate: { row, standing: "history", origin }, seq: found.until.seq };
  }

  #finding(chosen: Chosen, isProved: boolean): ChapterFinding {
    const rowsOf = (table: Held) =>
      this.#ids(table).flatMap((id): Row[] => {
        const row = chosen.get(id)?.row;
        return row === undefined ? [] : [row];
      });
    const isGone = (id: string) => !chosen.has(id) && this.#stoodHere("mentions", id);
    const copied = this.#row === undefined ? fromCopies(this.#sources, "chapters", this.#id)[0] : undefined;
    return {
      id: this.#id,
      row: this.#row ?? copied?.row,
      rowOrigin: this.#row === undefined ? (copied?.origin ?? "nothing") : undefined,
      isProved,
      paragraphs: this.#ids("blocks").flatMap((id) => this.#paragraph(id, chosen.get(id), isProved)),
      blocks: rowsOf("blocks"),
      mentions: rowsOf("mentions"),
      lostMentions: isProved ? 0 : this.#ids("mentions").filter(isGone).length,
    };
  }

  #paragraph(id: string, chosen: RowState | undefined, isProved: boolean): ParagraphFinding[] {
    const place = this.#sources.found.places.get(id);
    const listed = place?.list === this.#id ? place.rank : undefined;
    if (chosen === undefined)
      return !isProved && this.#stoodHere("blocks", id) ? [{ id, kind: "missing", rank: listed }] : [];
    const { origin, row, standing } = chosen;
    const rank = typeof row.rank === "string" ? row.rank : listed;
    if (origin !== undefined)
      return [{ id, rank, kind: isProved || origin.isNewest ? "same" : "older", origin }];
    if (isProved) return [];
    const { past } = this.#sources;
    const end = past.endOf("blocks", row);
    if (end !== undefined) {
      const kind = past.endOf("blocks", row, { isSure: true }) === undefined ? "doubtful" : "older";
      return [{ id, rank, kind, origin: { from: "an older page", at: end.at, isNewest: false } }];
    }
    const isLoose = standing !== "in place" && past.isAlive("blocks", id) === undefined;
    return isLoose ? [{ id, rank, kind: "doubtful" }] : [];
  }

  /** Whether a row that was not found, or was not taken, stood in this chapter in the end, as far as anything tells. */
  #stoodHere(table: Held, id: string): boolean {
    const { past, found } = this.#sources;
    const isAlive = past.mayLive(table, id);
    if (isAlive === undefined) return !this.#pool[table].has(id) && found.places.get(id)?.list === this.#id;
    return isAlive && past.chapterOf(table, id) === this.#id;
  }
}

/** What a row adds to its chapter's digest. */
function weightOf({ row }: RowState): number {
  return Number(row.hash ?? 0) + Number(row.seal ?? 0);
}
