import { mayBeMarked } from "../../prose/block-ids/syntax.ts";
import type { ChapterFile } from "../book-files.ts";
import { splitFrontMatter } from "./front-matter.ts";

/**
 * How the files of a folder are written, so that they are written again like that: each as it is, one that is not there yet
 * as the others are where they agree, else with front matter and without block ids.
 */
export function styleOfFiles(chapters: readonly ChapterFile[]): {
  isPlain(file: string): boolean;
  isMarked(file: string): boolean;
  areAnyMarked: boolean;
} {
  const files = chapters.map(({ file, text }) => {
    const { frontMatter, body } = splitFrontMatter(text);
    return {
      file,
      isPlain: frontMatter === "",
      isMarked: mayBeMarked(body),
      isBlank: body.trim() === "",
    };
  });
  const styles = new Map(files.map((file) => [file.file, file]));
  const withProse = files.filter(({ isBlank }) => !isBlank);
  const areAllPlain = files.length > 0 && files.every(({ isPlain }) => isPlain);
  const areAllMarked = withProse.length > 0 && withProse.every(({ isMarked }) => isMarked);
  return {
    isPlain: (file) => styles.get(file)?.isPlain ?? areAllPlain,
    isMarked: (file) => {
      const style = styles.get(file);
      return style === undefined || style.isBlank ? areAllMarked : style.isMarked;
    },
    areAnyMarked: files.some(({ isMarked }) => isMarked),
  };
}
