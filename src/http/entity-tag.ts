import type { ChapterQuery } from "../service/books/read-chapter.ts";
import type { SeenChapter } from "../service/manuscript.ts";

/**
 * The entity tag of a chapter in the requested form, without quotes. It changes with everything that the form
 * shows and is never used twice. Source: llms.txt, Requests and answers.
 */
export function entityTag({ chapterId, revision, version }: SeenChapter, query: ChapterQuery): string {
  const form = query.bare ? "bare" : (query.format ?? "text");
  const old = query.revision === undefined ? "" : `.at${query.revision}`;
  return `${chapterId}.${revision}.${version}.${form}${old}`;
}

/** The chapters that `If-Match` names, any of which will do; undefined if it asks for nothing. A weak tag matches none. */
export function readIfMatch(header: string | undefined): SeenChapter[] | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  return header.split(",").flatMap((tag) => {
    const [, chapterId, revision, version] = /^\s*"([^".]+)\.(\d+)(?:\.([^".]*)[^"]*)?"\s*$/.exec(tag) ?? [];
    return chapterId === undefined
      ? []
      : [{ chapterId, revision: Number(revision), version: Number(version) }];
  });
}

/**
 * Returns what tells if `If-None-Match` names a tag; undefined without the header. It compares weakly: a proxy may have
 * made the tag a weak one.
 */
export function readIfNoneMatch(header: string | undefined): ((tag: string) => boolean) | undefined {
  if (header === undefined) return undefined;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return (tag) => tags.includes("*") || tags.includes(`"${tag}"`);
}
