import { mayHoldBlockIds } from "../../prose/block-ids.ts";
import { once } from "../../text/once.ts";
import type { ChapterSource } from "../book-files.ts";
import { splitFrontMatter } from "../front-matter.ts";

/** Style in which the files of a folder are written. */
export interface FileStyle {
  /** True if the file is the prose alone. */
  isPlain(file: string): boolean;
  /** True if the file holds block ids. */
  isMarked(file: string): boolean;
}

/**
 * Returns the style of existing files. Each keeps its own; a new one is written like the others if they agree, else
 * with front matter and without block ids. Files are read on demand.
 */
export function styleOfFiles(chapters: readonly ChapterSource[]): FileStyle {
  const styles = new Map(chapters.map(({ file, text }) => [file, once(() => styleOf(text))]));
  const all = once(() => [...styles.values()].map((style) => style()));
  const areAllMarked = once(() => {
    const withProse = all().filter(({ isBlank }) => !isBlank);
    return withProse.length > 0 && withProse.every(({ isMarked }) => isMarked);
  });
  const areAllPlain = () => styles.size > 0 && all().every(({ isPlain }) => isPlain);
  return {
    isPlain: (file) => styles.get(file)?.().isPlain ?? areAllPlain(),
    isMarked: (file) => {
      const style = styles.get(file)?.();
      return style === undefined || style.isBlank ? areAllMarked() : style.isMarked;
    },
  };
}

function styleOf(text: string): { isPlain: boolean; isMarked: boolean; isBlank: boolean } {
  const { frontMatter, body } = splitFrontMatter(text);
  return { isPlain: frontMatter === "", isMarked: mayHoldBlockIds(body), isBlank: body.trim() === "" };
}
