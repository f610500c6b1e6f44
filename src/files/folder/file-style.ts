import { mayHoldBlockIds } from "../../prose/block-ids/syntax.ts";
import { once } from "../../text/once.ts";
import type { ChapterSource } from "./book-files.ts";
import { splitFrontMatter } from "./front-matter.ts";

/** How the files of a folder are written. */
export interface FileStyle {
  /** Tells files that are the prose alone. */
  isPlain(file: string): boolean;
  /** Tells files that hold block ids. */
  isMarked(file: string): boolean;
}

/**
 * How files are written so that they are written again like that: each as it is, one that is not there yet as the others
 * are if they agree, else with front matter and without block ids. A file is looked into when it is asked for.
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
