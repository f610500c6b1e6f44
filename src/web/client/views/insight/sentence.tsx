import type { JSX } from "preact";

/** A sentence in which some of its words are marked. */
export function Sentence({ text, marked }: { text: string; marked: string }): JSX.Element {
  const [before = "", ...after] = text.split(marked);
  return (
    <>
      {before}
      {after.length > 0 && <mark>{marked}</mark>}
      {after.join(marked)}
    </>
  );
}
