import type { Cut } from "../reading/excerpt.ts";

/** One leaf block of prose: what is indexed, scored and quoted. `text` is plain, without Markdown. */
export interface SearchedParagraph {
  blockId: string;
  text: string;
}

/** A chapter besides its prose. Title and synopsis are searched; `position` breaks ties. */
export interface SearchedChapter {
  id: string;
  title: string;
  synopsis: string;
  position: number;
}

/** One fact of the cast, with every field that is searched. */
export interface SearchedFact {
  id: string;
  name: string;
  kind: string;
  aliases: readonly string[];
  summary: string;
  attributes: readonly { key: string; value: string }[];
}

/**
 * At most 200 characters around the best match, plain text; a cut end carries "…", which counts.
 * Highlights are `[from, to]` in UTF-16 units of `text`, ascending and apart. `blockId` is null for a title or synopsis.
 */
export interface Excerpt extends Cut {
  blockId: string | null;
}

/** A chapter that answers, with its 1 to 3 best excerpts, best first. `matchCount` counts its matching passages. */
export interface ChapterHit {
  chapterId: string;
  score: number;
  matchCount: number;
  excerpts: Excerpt[];
}

/** The searched fields of a fact, in the order in which `matchedOn` lists them. */
export type FactField = "name" | "aliases" | "kind" | "summary" | "attributes";

/** A fact that answers; `matchedOn` names the fields that hold a word of the question. */
export interface FactHit {
  id: string;
  score: number;
  matchedOn: FactField[];
}

/**
 * The answer to one question. `total` counts chapters and facts before the limit. `relaxed`: nothing held every term
 * together, so these hold some. `ignored`: the words beyond the sixteenth, as typed. Source: llms.txt, GET
 * /books/{bookId}/search.
 */
export interface SearchResult {
  query: string;
  limit: number;
  total: number;
  relaxed: boolean;
  ignored: string[];
  chapters: ChapterHit[];
  facts: FactHit[];
}
