import type { Signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";

/** A row of buttons, one of them pressed. */
export function Switch<Key extends string>({
  label,
  kind = "filters",
  options,
  chosen,
}: {
  label: string;
  kind?: string;
  options: readonly (readonly [key: Key, name: ComponentChildren])[];
  chosen: Signal<Key>;
}): JSX.Element {
  return (
    <fieldset class={kind}>
      <legend class="hidden">{label}</legend>
      {options.map(([key, name]) => (
        <button
          key={key}
          type="button"
          aria-pressed={chosen.value === key}
          onClick={() => {
            chosen.value = key;
          }}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
