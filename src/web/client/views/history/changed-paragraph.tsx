import type { JSX } from "preact";
import type { Changed } from "./rows.ts";

/** A paragraph with what is new in it and what was taken out of it. */
export function ChangedParagraph({
  status,
  said,
  changes,
}: {
  status: string;
  /** What became of it as a whole. */
  said?: string | undefined;
  changes: Changed["changes"];
}): JSX.Element {
  return (
    <p class={`b changed ${status}`} dir="auto">
      {said && <small class="said">{said}</small>}
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
