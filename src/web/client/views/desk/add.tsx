import type { JSX } from "preact";
import { write } from "../../api/write.ts";
import { Button, focusOnce, Opener } from "../../parts/button.tsx";
import { Form } from "../../parts/form.tsx";

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
  return (
    <Opener text={`Add a ${what}`} kind="plain add">
      {(close) => (
        <Form
          class="add"
          onSave={async ({ title = "" }) => title !== "" && (await onAdd(title)) !== undefined && close()}
          onCancel={close}
        >
          <input class="field" name="title" aria-label={`Title of the new ${what}`} ref={focusOnce} />
          <Button type="submit">Add</Button>
        </Form>
      )}
    </Opener>
  );
}
