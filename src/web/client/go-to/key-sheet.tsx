import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { Button } from "../parts/button.tsx";
import { Tick } from "../parts/form.tsx";
import { areKeysOn, setKeysOn, shortcuts, useKeys } from "../parts/keys.ts";
import { Dialog } from "../parts/view.tsx";
import { BOOK_VIEWS, go } from "../router.ts";

const isOpen = signal(false);
const setOpen = (open: boolean) => {
  isOpen.value = open;
};

/** The shortcuts that work here, behind `?`; and the keys that lead to the views of a book. */
export function KeySheet({ bookId }: { bookId: string | undefined }): JSX.Element | null {
  const views = bookId === undefined ? [] : BOOK_VIEWS;
  useKeys(
    [
      { keys: "?", does: "This sheet", run: () => setOpen(true) },
      ...views.map(({ key, name, at }) => ({
        keys: `g ${key}`,
        does: name,
        run: () => go(`/b/${bookId}${at}`),
      })),
      { keys: "g s", does: "Settings", run: () => go("/settings") },
    ],
    [bookId],
  );
  if (!isOpen.value) return null;
  return (
    <Dialog label="Keys" kind="key-sheet" onClose={() => setOpen(false)}>
      {(close) => (
        <>
          <h2>Keys</h2>
          <dl>
            {shortcuts.value.map(({ keys, does }) => (
              <div key={keys}>
                <dt>
                  {keys.split(" ").map((key) => (
                    <kbd key={key}>{key.replace("Arrow", "").replaceAll("+", " ")}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <Tick isOn={areKeysOn.value} onChange={setKeysOn}>
            Use single letters as shortcuts
          </Tick>
          <Button onClick={close}>Close</Button>
        </>
      )}
    </Dialog>
  );
}
