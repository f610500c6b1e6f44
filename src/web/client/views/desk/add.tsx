import type { JSX } from "preact";
import { write } from "../../api/write.ts";
import { OneLine } from "../../parts/one-line.tsx";

/** A button that becomes the field of a new chapter's title. */
export function AddChapter({ bookId, partId }: { bookId: string; partId: string | null }): JSX.Element {
  const add = (title: string) =>
    write("createChapter", { params: { bookId }, body: { title, partId } }, `“${title}” is added.`);
  return <Add what="chapter" onAdd={add} />;
}

/** A button that becomes the field of a new part's title. */
export function AddPart({ bookId }: { bookId: string }): JSX.Element {
  const add = (title: string) =>
    write("createPart", { params: { bookId }, body: { title } }, `“${title}” is added.`);
  return <Add what="part" onAdd={add} />;
}

function Add({ what, onAdd }: { what: string; onAdd: (title: string) => Promise<unknown> }): JSX.Element {
  const fields = [{ name: "title", label: `Title of the new ${what}` }];
  return (
    <div class="add">
      <OneLine opener={`Add a ${what}`} fields={fields} onAdd={({ title = "" }) => onAdd(title)} />
    </div>
  );
}
