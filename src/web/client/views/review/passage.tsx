import type { JSX } from "preact";
import { useParagraphs } from "./use-paragraphs.ts";

/** A span of a chapter's prose. */
export interface Span {
  chapterId: string;
  blockId: string;
  from: number;
  to: number;
  text: string;
}

const AROUND = 70;

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
  const paragraph = useParagraphs(chapterId, version)?.get(blockId);
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
