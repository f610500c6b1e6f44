import { BadRequest } from "../../refusals.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { type NumberedParagraph, numberParagraphs } from "../../service/prose/numbered-paragraphs.ts";

/** The paragraphs of a chapter at a revision that an agent has read. */
export interface ReadParagraphs {
  chapterId: string;
  revision: number;
  paragraphs: readonly NumberedParagraph[];
}

/** The paragraphs of a chapter at that revision. Throws `NotFound`. */
export function paragraphsAt(manuscript: Manuscript, chapterId: string, revision: number): ReadParagraphs {
  return { chapterId, ...numberParagraphs(manuscript, chapterId, revision) };
}

/** The paragraph of a number, "12" or "¶12", or of a block id. Throws `BadRequest` for none. */
export function findParagraph({ revision, paragraphs }: ReadParagraphs, wanted: string): NumberedParagraph {
  const number = /^¶?\s*(\d+)$/.exec(wanted.trim())?.[1];
  const found =
    number === undefined
      ? paragraphs.find(({ blockId }) => blockId === wanted)
      : paragraphs[Number(number) - 1];
  if (found !== undefined) return found;
  throw new BadRequest(
    `There is no paragraph ${wanted.slice(0, 50)} at revision ${revision}: they are ¶1 to ¶${paragraphs.length}. Read the chapter again.`,
  );
}
