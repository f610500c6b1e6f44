import type { ChapterQuery } from "../service/books/read-chapter.ts";
import { chapterTag, digest, type RecordTag, tagText } from "../service/entity-tags.ts";
import type { SeenChapter } from "../service/manuscript.ts";

/**
 * The entity tag of a chapter in the requested form, without quotes. It changes with everything that the form
 * shows and is never used twice. Source: llms.txt, Requests and answers.
 */
export function entityTag({ chapterId, revision, version }: SeenChapter, query: ChapterQuery): string {
  const form = query.bare ? "bare" : (query.format ?? "text");
  const old = query.revision === undefined ? "" : `.at${query.revision}`;
  return `${tagText(chapterTag({ id: chapterId, revision, version }))}.${form}${old}`;
}

/** The entity tag of any other record, in an answer that says no more of it than this. */
export function bodyTag(tag: RecordTag, body: Buffer): string {
  return `${tagText(tag)}.${digest(body)}`;
}

/** The states that `If-Match` names, any of which will do; undefined if it asks for nothing. A weak tag matches none. */
export function readIfMatch(header: string | undefined): RecordTag[] | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  return header.split(",").flatMap((tag) => {
    const [, id, own = "", whole] = /^\s*"([^".]+)\.([^".]+)(?:\.([^".]*)[^"]*)?"\s*$/.exec(tag) ?? [];
    return id === undefined ? [] : [{ id, own, whole }];
  });
}
