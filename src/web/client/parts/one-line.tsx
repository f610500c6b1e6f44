import type { ComponentChildren, JSX } from "preact";
import { focusOnce, Opener } from "./button.tsx";
import { Form, FormEnd, type Values } from "./form.tsx";

interface OneLineProps {
  opener: ComponentChildren;
  kind?: string;
  /** Words of the button that saves; "Add" unless given. */
  save?: string;
  /** True if it begins as the form. */
  isOpen?: boolean;
  fields: readonly (JSX.IntrinsicElements["input"] & { name: string; label: string })[];
  /** Adds what was typed; its promise is undefined after a refusal. */
  onAdd: (values: Values) => Promise<unknown>;
}

/** A button that becomes a form in one line, which closes once what is in it has been added. */
export function OneLine({ opener, kind, save = "Add", isOpen, fields, onAdd }: OneLineProps): JSX.Element {
  return (
    <Opener text={opener} kind={kind} isOpen={isOpen}>
      {(close) => (
        <Form
          class="line"
          onCancel={close}
          onSave={async (values) => (await onAdd(values)) !== undefined && close()}
        >
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
          <FormEnd save={save} onCancel={close} />
        </Form>
      )}
    </Opener>
  );
}
