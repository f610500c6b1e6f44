import type { JSX } from "preact";
import { areKeysOn, setKeysOn, shortcuts } from "../parts/keys.ts";

/** What each key does here, and whether single letters do anything. */
export function View({ onDone }: { onDone: () => void }): JSX.Element {
  return (
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
      <label>
        <input
          type="checkbox"
          checked={areKeysOn.value}
          onChange={({ currentTarget }) => setKeysOn(currentTarget.checked)}
        />{" "}
        Single letters are shortcuts
      </label>
      <button type="button" class="btn" onClick={onDone}>
        Close
      </button>
    </>
  );
}
