import type { ComponentChildren, JSX } from "preact";

/** A row of buttons, one of them pressed. */
export function Switch<Key extends string>({
  label,
  kind = "filters",
  options,
  chosen,
  onChoose,
}: {
  label: string;
  kind?: string;
  options: readonly (readonly [key: Key, name: ComponentChildren])[];
  chosen: Key;
  onChoose: (key: Key) => void;
}): JSX.Element {
  return (
    <fieldset class={kind}>
      <legend class="hidden">{label}</legend>
      {options.map(([key, name]) => (
        <button key={key} type="button" aria-pressed={chosen === key} onClick={() => onChoose(key)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
