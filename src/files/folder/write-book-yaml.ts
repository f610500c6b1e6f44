import { dirname } from "node:path/posix";
import { isDeepStrictEqual } from "node:util";
import type { StoredChapter } from "../../book/book.ts";
import type { Book } from "../../service/interchange/read-book.ts";
import { graftNode } from "../yaml/keep-comments.ts";
import { asKeys, type Keys, openYaml, type Yaml } from "../yaml/open.ts";
import { listLines, pairLines } from "../yaml/write.ts";
import { BOOK_YAML, type ListedBook, readBookYaml } from "./manifest.ts";

/** A chapter that a list names. */
interface Listed {
  chapter: Pick<StoredChapter, "id" | "title" | "part" | "file" | "revision">;
  /** Relative to the folder. */
  file: string;
  /** True for a file without front matter: the list holds its fields. */
  isPlain: boolean;
}

/** A chapter of a book and its file in a folder. */
export interface NamedChapter extends Listed {
  chapter: StoredChapter;
}

/**
 * Writes `book.yaml` for a book and its files; `folders` are those of the parts, by title. The same book always gives
 * the same text.
 */
export function writeBookYaml(
  { id, title, manifest, goal, parts }: Pick<Book, "id" | "title" | "manifest" | "goal" | "parts">,
  files: readonly Listed[],
  folders: ReadonlyMap<string, string>,
): string {
  const { parts: ofParts, chapters: ofChapters, goal: ofGoal, ...rest } = manifest;
  const titles = new Map([...folders].map(([part, folder]) => [folder, part]));
  const lines = [
    ...pairLines({ title, manuscript: id, ...rest }),
    ...(goal === null
      ? ofGoal === undefined
        ? []
        : pairLines({ goal: ofGoal })
      : ["goal:", ...pairLines({ ...goal }).map((line) => `  ${line}`)]),
    ...listLines(
      "parts",
      parts.map((part) => {
        const folder = folders.get(part);
        return { title: part, ...(folder === undefined ? {} : { folder }), ...own(ofParts, part) };
      }),
      "title",
    ),
    ...listLines(
      "chapters",
      files.map(({ chapter, file, isPlain }) => {
        const ofFolder = titles.get(dirname(file)) ?? null;
        return {
          file,
          ...(isPlain ? { title: chapter.title } : {}),
          ...(ofFolder === chapter.part ? {} : { part: chapter.part }),
          ...(isPlain ? { id: chapter.id, revision: chapter.revision } : {}),
          ...own(ofChapters, chapter.file ?? file),
        };
      }),
      "file",
    ),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the unknown keys that another list had for an entry. */
function own(extras: unknown, name: string): Keys {
  const all = asKeys(extras);
  return Object.hasOwn(all, name) ? asKeys(all[name]) : {};
}

/**
 * Brings an earlier `book.yaml` up to date. Entries of equal meaning stay as they are written, with their comments,
 * and so does every unknown key.
 */
export function updateBookYaml(yaml: Yaml, before: string, fresh: string): string {
  const document = openYaml(yaml, before, { file: BOOK_YAML });
  const target = openYaml(yaml, fresh, { file: BOOK_YAML });
  const [old, wanted] = [asKeys(document.toJS()), asKeys(target.toJS())];
  if (isDeepStrictEqual(old, wanted)) return before;
  for (const key of Object.keys(old)) if (!(key in wanted)) document.delete(key);
  for (const [key, value] of Object.entries(wanted)) {
    if (isDeepStrictEqual(old[key], value)) continue;
    document.set(key, graftNode(yaml, document.get(key, true), target.get(key, true)));
  }
  return document.toString({ lineWidth: 0, indentSeq: true, flowCollectionPadding: false });
}

/** Returns a list that also names those files of another one that it lacks. */
export function withFilesOf(yaml: Yaml, text: string, last: Pick<ListedBook, "chapters">): string {
  const own = new Set(readBookYaml(yaml, text).chapters.map(({ file }) => file.normalize("NFC")));
  const missing = last.chapters.flatMap(({ file }) => (own.has(file.normalize("NFC")) ? [] : [{ file }]));
  if (missing.length === 0) return text;
  const document = openYaml(yaml, text, { file: BOOK_YAML });
  const { chapters } = asKeys(document.toJS());
  document.set("chapters", [...(Array.isArray(chapters) ? chapters : []), ...missing]);
  return document.toString();
}
