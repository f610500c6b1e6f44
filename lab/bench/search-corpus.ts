import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A paragraph of a book: `id` is its chapter's and its ordinal there. */
export interface Paragraph {
  id: string;
  chapterId: string;
  text: string;
}

export interface Book {
  name: string;
  paragraphs: Paragraph[];
  /** Chapter ids in reading order. */
  chapters: string[];
  wordCount: number;
}

/** The books named, read from a folder of folders with one Markdown file a chapter, as one book. */
export function readBooks(root: string, names: readonly string[], name = names.join(" + ")): Book {
  const paragraphs: Paragraph[] = [];
  const chapters: string[] = [];
  for (const book of names) {
    for (const file of readdirSync(join(root, book)).sort()) {
      if (!file.endsWith(".md")) continue;
      const chapterId = `${book}/${file.slice(0, -3)}`;
      chapters.push(chapterId);
      for (const [index, text] of plainParagraphs(readFileSync(join(root, book, file), "utf8")).entries()) {
        paragraphs.push({ id: `${chapterId}.${index}`, chapterId, text });
      }
    }
  }
  return {
    name,
    paragraphs,
    chapters,
    wordCount: paragraphs.reduce((sum, { text }) => sum + wordCount(text), 0),
  };
}

function wordCount(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

function plainParagraphs(markdown: string): string[] {
  return markdown
    .split(/\n[>\s]*\n/)
    .filter((block) => !/^(?:#|\||!\[|\s*\* \* \*)/.test(block))
    .map((block) =>
      block
        .replace(/^>\s?/gm, "")
        .replace(/\\$/gm, "")
        .replace(/\[\^[^\]]*\]:?/g, "")
        .replace(/\\([\\`*_{}[\]()#+\-.!])/g, "$1")
        .replace(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}/g, "")
        .trim(),
    )
    .filter((text) => /\p{L}/u.test(text));
}
