import type { JSX } from "preact";
import { counted } from "../../parts/numbers.ts";

const NAMED = 4;

/** The mentions and places of notes that a write would cost; there are some. */
export function Losses({
  mentions,
  notes,
}: {
  mentions: readonly { text: string }[];
  notes: readonly unknown[];
}): JSX.Element {
  const names = [...new Set(mentions.map(({ text }) => text))].slice(0, NAMED);
  return (
    <>
      {mentions.length > 0 && (
        <>
          {counted(mentions.length, "mention")} (<i>{names.join(", ")}</i>)
        </>
      )}
      {mentions.length > 0 && notes.length > 0 && " and "}
      {notes.length > 0 && `the place of ${counted(notes.length, "note")}`}
    </>
  );
}
