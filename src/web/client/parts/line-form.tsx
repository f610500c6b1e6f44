import type { JSX } from "preact";
import { focusOnce } from "./button.tsx";
import { FormEnd } from "./fields.tsx";
import { Form, type Values } from "./form.tsx";

/** The fields of a form in one line, and what adds their values: undefined after a refusal. */
export interface LineFormProps {
  fields: readonly (JSX.IntrinsicElements["input"] & { name: string; label: string })[];
  onAdd: (values: Values) => Promise<unknown>;
  onDone: () => void;
}

/** A form in one line. */
export function View({ fields, onAdd, onDone }: LineFormProps): JSX.Element {
  const add = async (values: Values) => {
    if ((await onAdd(values)) !== undefined) onDone();
  };
  return (
    <Form class="line" onCancel={onDone} onSave={add}>
      {fields.map(({ label, ...own }, index) => (
        <input
          key={own.name}
          class="field"
          aria-label={label}
          placeholder={label}
          required
          ref={index === 0 ? focusOnce : null}
          {...own}
        />
      ))}
      <FormEnd save="Add" onCancel={onDone} />
    </Form>
  );
}
