import { Fragment, type JSX } from "preact";
import { Button } from "../parts/button.tsx";
import { KeysTick } from "../parts/choices/keys-tick.tsx";
import { shortcuts } from "../parts/keys.ts";
import { Dialog } from "../parts/view.tsx";

/** The list of shortcuts that work here. */
export function View({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <Dialog label="Keys" onClose={onClose}>
      {(close) => (
        <>
          <h2>Keys</h2>
          <dl>
            {shortcuts.value.map(({ keys, does }) => (
              <Fragment key={keys}>
                <dt>
                  {keys.split(" ").map((key) => (
                    <kbd key={key}>{key.replace("Arrow", "").replaceAll("+", " ")}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </Fragment>
            ))}
          </dl>
          <p>
            <KeysTick />
          </p>
          <p class="acts">
            <Button onClick={close}>Close</Button>
          </p>
        </>
      )}
    </Dialog>
  );
}
