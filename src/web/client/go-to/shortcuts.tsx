import type { JSX } from "preact";
import { Button } from "../parts/button.tsx";
import { Tick } from "../parts/fields.tsx";
import { areKeysOn, setKeysOn, shortcuts } from "../parts/keys.ts";
import { Dialog } from "../parts/view.tsx";

/** The list of shortcuts that work here. */
export function View({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <Dialog label="Keys" kind="key-sheet" onClose={onClose}>
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
