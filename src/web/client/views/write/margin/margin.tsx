import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useRead } from "../../../api/reads.ts";
import { later } from "../../../parts/later.tsx";
import { Note } from "../../read/note.tsx";
import { NoteForm } from "../../read/note-form.tsx";
import { findLeaf, placedLeaves } from "../text/leaves.ts";
import type { Clash } from "../text/merge-blocks.ts";
import type { Writer } from "../writer.ts";
import { layOut } from "./lay-out.ts";

const ClashCard = later(() => import("./clash-card.tsx"));

interface MarginProps {
  writer: Writer;
  at: { bookId: string; chapterId: string };
  newNoteAt: string | undefined;
  onNoted: () => void;
}

/** The margin of the text: notes, a new note, and clashes. */
export function Margin({ writer, at, newNoteAt, onNoted }: MarginProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const { view, shape, clashes } = writer;
  const notes = useRead("listSnippets", {
    params: { bookId: at.bookId },
    query: { chapterId: at.chapterId },
  }).answer;
  const open = clashes.value;
  const order = placedLeaves(view.state.doc).map(({ id }) => id);
  const ids = new Set([
    ...(notes?.snippets ?? []).map(({ blockId }) => blockId),
    ...open.map((clash) => nearest(writer, clash)),
    newNoteAt,
  ]);
  useLayoutEffect(() => {
    if (place.current === null) return;
    const { current } = place;
    const again = () => layOut(current, view);
    const observer = new ResizeObserver(again);
    observer.observe(view.dom);
    for (const group of current.children) observer.observe(group);
    again();
    return () => observer.disconnect();
  }, [notes, open, newNoteAt, shape.value]);
  const close = (clash: Clash) => {
    clashes.value = clashes.peek().filter((one) => one !== clash);
  };
  return (
    <div class="margin" ref={place}>
      {order.map(
        (id) =>
          id !== null &&
          ids.has(id) && (
            <div key={id} data-beside={id}>
              {open
                .filter((clash) => nearest(writer, clash) === id)
                .map((clash, index) => (
                  <ClashCard
                    key={index}
                    clash={clash}
                    writer={writer}
                    beside={id}
                    onDone={() => close(clash)}
                  />
                ))}
              {notes?.snippets
                .filter(({ blockId }) => blockId === id)
                .map((snippet) => (
                  <Note key={snippet.id} snippet={snippet} />
                ))}
              {newNoteAt === id && <NoteForm at={{ ...at, blockId: id }} onDone={onNoted} />}
            </div>
          ),
      )}
    </div>
  );
}

/** The paragraph that a clash is shown beside: its own, or where that is gone the one before on their side. */
function nearest({ view, saver }: Writer, { blockId }: Clash): string | null {
  const { doc } = view.state;
  if (findLeaf(doc, blockId) !== undefined) return blockId;
  const theirs = placedLeaves(saver.saved).map(({ id }) => id);
  const here = new Set(placedLeaves(doc).map(({ id }) => id));
  const before = theirs.slice(0, theirs.indexOf(blockId)).findLast((id) => id !== null && here.has(id));
  return before ?? placedLeaves(doc).find(({ id }) => id !== null)?.id ?? null;
}
