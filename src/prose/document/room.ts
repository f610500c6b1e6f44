import { LIMITS } from "../../contract/limits.ts";
import { PayloadTooLarge } from "../../refusals.ts";
import { grouped } from "../../text/columns.ts";

/** Limits of the document that a text may become. */
export interface ChapterRoom {
  /** Paragraphs, headings, scene breaks, code and raw blocks. */
  leaves: number;
  /** Nodes of any kind: containers, leaves, texts, pictures. */
  nodes: number;
  /** UTF-16 units of all texts and attributes. A link definition counts wherever it is used. */
  characters: number;
}

/** Limits of a chapter. */
export const CHAPTER_ROOM: ChapterRoom = {
  leaves: LIMITS.chapterBlocks,
  nodes: LIMITS.chapterNodes,
  characters: LIMITS.documentBytes,
};

/** Limits for reading any text. Older versions accepted more than a chapter holds now. */
export const ANY_ROOM: ChapterRoom = {
  leaves: Infinity,
  nodes: Infinity,
  characters: 8 * LIMITS.documentBytes,
};

/** Room left while a text is read. Each method throws `PayloadTooLarge` once it is used up. */
export class RoomLeft {
  readonly #room: ChapterRoom;
  #leaves = 0;
  #nodes = 0;
  #characters = 0;

  constructor(room: ChapterRoom) {
    this.#room = room;
  }

  takeLeaf(): void {
    if (++this.#leaves > this.#room.leaves) throw tooManyBlocks();
  }

  takeNodes(count: number): void {
    this.#nodes += count;
    if (this.#nodes > this.#room.nodes) throw tooManyNodes();
  }

  takeCharacters(count: number): void {
    this.#characters += count;
    if (this.#characters > this.#room.characters) throw tooLargeDocument();
  }
}

/** Returns the refusal of a chapter with too many paragraphs. */
export function tooManyBlocks(): PayloadTooLarge {
  return new PayloadTooLarge(
    `The chapter would have more than ${grouped(LIMITS.chapterBlocks)} paragraphs (headings, list entries and scene breaks count); split the chapter.`,
  );
}

/** Returns the refusal of a chapter with too many nodes. */
export function tooManyNodes(): PayloadTooLarge {
  return new PayloadTooLarge(
    `The chapter's document would have more than ${grouped(LIMITS.chapterNodes)} nodes: paragraphs, their containers, and stretches of text between marks; take out marks, or split the chapter.`,
  );
}

/** Returns the refusal of a chapter whose native document is too large. */
export function tooLargeDocument(): PayloadTooLarge {
  return new PayloadTooLarge(
    `The chapter's native document would be larger than ${LIMITS.documentBytes / 1024 / 1024} MiB, for a link holds its whole address wherever it stands; shorten the addresses, or split the chapter.`,
  );
}

/** Returns the refusal of a document whose Markdown is too long. */
export function tooLongMarkdown(): PayloadTooLarge {
  return new PayloadTooLarge(
    `The document's Markdown would be longer than the ${LIMITS.markdownBytes / 1024 / 1024} MiB that a chapter takes; lists and quotes repeat their marks on every line, and signs that mean something get a backslash. Split the chapter.`,
  );
}
