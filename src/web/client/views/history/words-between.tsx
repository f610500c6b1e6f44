import type { JSX } from "preact";
import { useRead } from "../../api/reads.ts";
import { Await } from "../../parts/states.tsx";
import type { DocNode } from "../read/nodes.ts";
import { docOf } from "../read/nodes.ts";
import { WordDiff } from "./word-diff.tsx";

interface WordsBetweenProps {
  chapterId: string;
  /** A revision, or a moment such as a milestone. */
  from: string | number;
  /** Undefined for now. */
  to?: string | number | undefined;
  /** Shown above, of the prose as it was. */
  above?: (before: DocNode) => JSX.Element | null;
}

/** The words that two states of a chapter do not share; one that was not there yet is empty. */
export function WordsBetween({ chapterId, from, to, above }: WordsBetweenProps): JSX.Element {
  const params = { chapterId };
  const diff = useRead("compareRevisions", { params, query: { from, to } });
  const at = (revision: number | undefined) =>
    revision ? ({ params, query: { format: "doc", revision } } as const) : undefined;
  const before = useRead("readChapter", at(diff.answer?.from));
  const after = useRead("readChapter", at(diff.answer?.to));
  if (diff.answer === undefined) return <Await read={diff} />;
  if (diff.answer.from > 0 && before.answer === undefined) return <Await read={before} />;
  if (after.answer === undefined) return <Await read={after} />;
  const doc = before.answer === undefined ? { type: "doc" } : docOf(before.answer);
  return (
    <>
      {above?.(doc)}
      <WordDiff before={doc} after={docOf(after.answer)} paragraphs={diff.answer.paragraphs} />
    </>
  );
}
