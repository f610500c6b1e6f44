import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../parts/numbers.ts";
import type { DocNode } from "../read/nodes.ts";
import { ChangedParagraph } from "./changed-paragraph.tsx";
import { type Changed, type DiffRow, folded, rowsOf, type Stretch } from "./rows.ts";

interface WordDiffProps {
  before: DocNode;
  after: DocNode;
  paragraphs: readonly Changed[];
}

/** The changes between two revisions, word by word in one column; unchanged paragraphs are folded. */
export function WordDiff({ before, after, paragraphs }: WordDiffProps): JSX.Element {
  if (paragraphs.length === 0) return <p class="soft">No words differ.</p>;
  return (
    <div class="prose diff">
      {folded(rowsOf(before, after, paragraphs)).map((stretch) => (
        <Shown key={stretch.rows[0]?.blockId} stretch={stretch} />
      ))}
    </div>
  );
}

function Shown({ stretch: { rows, isFolded } }: { stretch: Stretch }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  if (isFolded && !isOpen)
    return (
      <button type="button" class="same bare" aria-expanded={false} onClick={() => setOpen(true)}>
        <span>{counted(rows.length, "paragraph")} unchanged</span>
      </button>
    );
  return (
    <>
      {rows.map((row) => (
        <Paragraph key={row.blockId} row={row} />
      ))}
    </>
  );
}

const SAID: Readonly<Partial<Record<Changed["status"], string>>> = {
  moved: "moved here",
  new: "new",
  removed: "taken out",
};

function Paragraph({ row }: { row: DiffRow }): JSX.Element {
  if (!("changed" in row))
    return (
      <p class="b" dir="auto">
        {row.text}
      </p>
    );
  const { status, changes } = row.changed;
  return <ChangedParagraph {...{ status, changes }} said={SAID[status]} />;
}
