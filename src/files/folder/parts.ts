import { slug } from "./slug.ts";

/** The part that an index, a slug or a title in a list means, by its place; -1 for none. */
export function findPart(parts: readonly ListedPart[], asked: string | number, counting: 0 | 1 = 1): number {
  const text = String(asked);
  const named = parts.findIndex(({ title, names }) => title === text || names.includes(text));
  if (named >= 0) return named;
  const bySlug = parts.findIndex(({ title }) => slug(title) === text);
  if (bySlug >= 0 || !/^\d{1,6}$/.test(text)) return bySlug;
  const place = Number(text) - counting;
  return place < parts.length ? place : -1;
}

/** A part that a folder's list names. */
export interface ListedPart {
  title: string;
  /** Where its chapters' files are, relative to the folder. */
  folder?: string;
  /** What chapters may call it besides: its slug, id or number. */
  names: readonly string[];
}
