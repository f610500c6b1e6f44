import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { write } from "../../api/write.ts";
import { focusOnce } from "../../parts/focus.ts";

/** A line that becomes the field of a new chapter's title. */
export function AddChapter({ bookId, partId }: { bookId: string; partId: string | null }): JSX.Element {
  const add = (title: string) =>
    write("createChapter", { params: { bookId }, body: { title, partId } }, `“${title}” is added.`);
  return <Add what="chapter" onAdd={add} />;
}

/** The same for a part. */
export function AddPart({ bookId }: { bookId: string }): JSX.Element {
  const add = (title: string) =>
    write("createPart", { params: { bookId }, body: { title } }, `“${title}” is added.`);
  return <Add what="part" onAdd={add} />;
}

function Add({ what, onAdd }: { what: string; onAdd: (title: string) => Promise<unknown> }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <button type="button" class="btn plain add" onClick={() => setOpen(true)}>
        Add a {what}
      </button>
    );
  return (
    <form
      class="add"
      onSubmit={(event) => {
        event.preventDefault();
        const title = String(new FormData(event.currentTarget).get("title")).trim();
        if (title !== "") void onAdd(title).then((answer) => answer !== undefined && setOpen(false));
      }}
      onKeyDown={({ key }) => key === "Escape" && setOpen(false)}
    >
      <input class="field" name="title" aria-label={`Title of the new ${what}`} ref={focusOnce} />
      <button type="submit" class="btn">
        Add
      </button>
    </form>
  );
}
