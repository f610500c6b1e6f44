import { useEffect, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import { blockIdOf, type DocNode, textOf } from "../read/nodes.ts";

/** The texts of a chapter's paragraphs by their ids, in order. */
type Paragraphs = ReadonlyMap<string, string>;

/** By chapter and revision: they are asked for once, however many passages are shown. */
const texts = new Map<string, Promise<Paragraphs>>();
const MOST_CHAPTERS = 40;

/** A chapter's paragraphs; undefined until they are there. `version` changes when the chapter does. */
export function useParagraphs(chapterId: string, version: number): Paragraphs | undefined {
  const [paragraphs, setParagraphs] = useState<Paragraphs>();
  useEffect(() => {
    let isGone = false;
    textsOf(chapterId, version).then(
      (blocks) => !isGone && setParagraphs(blocks),
      () => undefined, // what is shown does without
    );
    return () => {
      isGone = true;
    };
  }, [chapterId, version]);
  return paragraphs;
}

function textsOf(chapterId: string, version: number): Promise<Paragraphs> {
  const key = `${chapterId} ${version}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const [oldest] = texts.keys();
  if (texts.size >= MOST_CHAPTERS && oldest !== undefined) texts.delete(oldest);
  const asked = ask("readChapter", { params: { chapterId }, query: { format: "doc" } }).then((chapter) => {
    const blocks = new Map<string, string>();
    if ("doc" in chapter) collect(chapter.doc as DocNode, blocks);
    return blocks;
  });
  asked.catch(() => texts.delete(key));
  texts.set(key, asked);
  return asked;
}

function collect(node: DocNode, blocks: Map<string, string>): void {
  const id = blockIdOf(node);
  if (id !== undefined) blocks.set(id, textOf(node));
  else for (const child of node.content ?? []) collect(child, blocks);
}
