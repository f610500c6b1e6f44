import type { ComponentChildren, JSX } from "preact";
import { number } from "../../parts/numbers.ts";
import type { Outline } from "../../parts/view.tsx";
import { sentenceAfter, sentenceBefore } from "../replace/sentence.ts";
import { useParagraphs } from "./use-paragraphs.ts";

/** A span of a chapter's prose. */
interface Span {
  chapterId: string;
  blockId: string;
  from: number;
  to: number;
  text: string;
}

interface FoundProps {
  title: string;
  count: number;
  acts: ComponentChildren;
  children: ComponentChildren;
}

/** A list of what was found, with what can be done with all of it. */
export function Found({ title, count, acts, children }: FoundProps): JSX.Element {
  return (
    <section class="found">
      <header>
        <h2>
          {title} <small>{number(count)}</small>
        </h2>
        <p class="acts">{acts}</p>
      </header>
      <ul class="rows">{children}</ul>
    </section>
  );
}

/** Passages with the words around them, each a link to its paragraph. */
export function Passages({ book, spans }: { book: Outline; spans: readonly Span[] }): JSX.Element {
  return (
    <>
      {spans.map((span) => (
        <Passage key={`${span.blockId} ${span.from}`} book={book} span={span} />
      ))}
    </>
  );
}

function Passage({ book, span }: { book: Outline; span: Span }): JSX.Element {
  const { chapterId, blockId, from, to, text } = span;
  const chapter = book.chapters.find(({ id }) => id === chapterId); // it may have been deleted since
  const paragraph = useParagraphs(chapterId)?.get(blockId) ?? "";
  const isThere = paragraph.slice(from, to) === text;
  return (
    <a class="passage" href={`/b/${book.id}/c/${chapterId}#${blockId}`}>
      <q dir="auto">
        {isThere && sentenceBefore(paragraph.slice(0, from))}
        <mark>{text}</mark>
        {isThere && sentenceAfter(paragraph.slice(to))}
      </q>{" "}
      <small>{chapter?.title}</small>
    </a>
  );
}
