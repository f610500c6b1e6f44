import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import { blockIdOf, type DocNode, textOf } from "../read/nodes.ts";

/** A span of a chapter's prose. */
export interface Span {
  chapterId: string;
  blockId: string;
  from: number;
  to: number;
  text: string;
}

const AROUND = 70;
/** Texts of paragraphs by chapter and revision: they are asked for once, however many passages are shown. */
const texts = new Map<string, Promise<ReadonlyMap<string, string>>>();
const MOST_CHAPTERS = 40;

/** A passage with the words around it, and a way there. */
export function Passage({
  bookId,
  span,
  version,
  title,
}: {
  bookId: string;
  span: Span;
  /** What changes when the chapter does. */
  version: number;
  title: string;
}): JSX.Element {
  const { chapterId, blockId, from, to, text } = span;
  const [paragraph, setParagraph] = useState<string>();
  useEffect(() => {
    let isGone = false;
    textsOf(chapterId, version).then(
      (blocks) => !isGone && setParagraph(blocks.get(blockId)),
      () => undefined, // the words alone are shown
    );
    return () => {
      isGone = true;
    };
  }, [chapterId, blockId, version]);
  const isThere = paragraph?.slice(from, to) === text;
  return (
    <a class="passage" href={`/b/${bookId}/c/${chapterId}#${blockId}`}>
      <q dir="auto">
        {isThere && before(paragraph, from)}
        <mark>{text}</mark>
        {isThere && after(paragraph, to)}
      </q>{" "}
      <small>{title}</small>
    </a>
  );
}

function before(text: string, from: number): string {
  if (from <= AROUND) return text.slice(0, from);
  return `…${text.slice(from - AROUND, from).replace(/^\S*\s/, "")}`;
}

function after(text: string, to: number): string {
  if (text.length - to <= AROUND) return text.slice(to);
  return `${text.slice(to, to + AROUND).replace(/\s\S*$/, "")}…`;
}

function textsOf(chapterId: string, version: number): Promise<ReadonlyMap<string, string>> {
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
