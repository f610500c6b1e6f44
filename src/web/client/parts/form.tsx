import type { JSX } from "preact";
import { Button } from "./button.tsx";

/** The values of a form's fields by name, trimmed; boxes that are not ticked are left out. */
export type Values = Readonly<Record<string, string>>;

type FormProps = Omit<JSX.IntrinsicElements["form"], "onSubmit" | "onKeyDown"> & {
  onSave: (values: Values, form: HTMLFormElement) => unknown;
  onCancel?: () => void;
};

/** The page's form. Enter saves it, from a long text Ctrl-Enter; Escape cancels. */
export function Form({ onSave, onCancel, ...rest }: FormProps): JSX.Element {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const fields = [...new FormData(event.currentTarget)];
        const values = fields.map(([name, value]) => [name, String(value).trim()]);
        void onSave(Object.fromEntries(values), event.currentTarget);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel?.();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
      {...rest}
    />
  );
}

/** The end of a form: what it does, and the way out. */
export function FormEnd({
  save,
  onCancel,
  isOff = false,
}: {
  save: string;
  onCancel: () => void;
  /** True while it cannot be saved. */
  isOff?: boolean;
}): JSX.Element {
  return (
    <p class="acts">
      <Button type="submit" kind="first" disabled={isOff}>
        {save}
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
    </p>
  );
}
