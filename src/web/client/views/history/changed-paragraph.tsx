import type { JSX } from "preact";
import { counted } from "../../parts/numbers.ts";
import type { Changed } from "./rows.ts";
import "../../style/diff.css";

interface ChangedProps {
  status: string;
  /** The fate of the paragraph as a whole. */
  said?: string | undefined;
  changes: Changed["changes"];
}

/** A paragraph with what is new in it and what was taken out of it. */
export function ChangedParagraph({ status, said, changes }: ChangedProps): JSX.Element {
  return (
    <p class={`b changed ${status}`} dir="auto">
      {said && <small>{said}</small>}
      {changes.map(({ op, text }, index) =>
        op === "added" ? (
          <ins key={index}>{text}</ins>
        ) : op === "removed" ? (
          <del key={index}>{text}</del>
        ) : (
          text
        ),
      )}
    </p>
  );
}

const NAMED = 4;

interface LossesProps {
  mentions: readonly { text: string }[];
  notes: readonly unknown[];
}

/** The mentions and places of notes that a write would cost; there are some. */
export function Losses({ mentions, notes }: LossesProps): JSX.Element {
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
