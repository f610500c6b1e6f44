import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { focusOnce } from "../../parts/focus.ts";

interface Field {
  name: string;
  label: string;
  /** Characters that it takes. */
  most: number;
}

/** A button that becomes a form of one line; nothing is added while a field of it is empty. */
export function OneLine({
  opener,
  fields,
  onAdd,
}: {
  opener: string;
  fields: readonly Field[];
  onAdd: (values: Readonly<Record<string, string>>) => void;
}): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <button type="button" class="btn plain" onClick={() => setOpen(true)}>
        {opener}
      </button>
    );
  return (
    <form
      class="one-line"
      onSubmit={(event) => {
        event.preventDefault();
        const values = Object.fromEntries(
          [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]),
        );
        if (Object.values(values).includes("")) return;
        onAdd(values);
        setOpen(false);
      }}
      onKeyDown={({ key }) => key === "Escape" && setOpen(false)}
    >
      {fields.map(({ name, label, most }, index) => (
        <input
          key={name}
          class="field"
          name={name}
          aria-label={label}
          placeholder={label}
          maxLength={most}
          required
          ref={index === 0 ? focusOnce : null}
        />
      ))}
      <button type="submit" class="btn">
        Add
      </button>
    </form>
  );
}
