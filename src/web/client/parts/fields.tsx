import type { ComponentChildren, JSX } from "preact";

/** A field with its label before it. */
export function Field({ label, ...rest }: JSX.IntrinsicElements["input"] & { label: string }): JSX.Element {
  return (
    <label>
      {label} <input class="field" {...rest} />
    </label>
  );
}

/** A box to tick, with its label behind it. */
export function Tick({
  isOn,
  onChange,
  children,
  ...rest
}: {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ComponentChildren;
  disabled?: boolean;
  indeterminate?: boolean;
}): JSX.Element {
  return (
    <label>
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        {...rest}
      />{" "}
      {children}
    </label>
  );
}

type ChoiceProps = Omit<JSX.IntrinsicElements["select"], "label" | "onChange" | "role"> & {
  label: string;
  /** True if the label is shown before the list, not only read out. */
  isShown?: boolean;
  options: readonly (readonly [value: string | number, name: ComponentChildren])[];
  onChange?: (value: string) => void;
};

/** A list that one is chosen from. */
export function Choice({ label, isShown = false, options, onChange, ...rest }: ChoiceProps): JSX.Element {
  const list = (
    <select
      class="field"
      aria-label={isShown ? undefined : label}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      {...rest}
    >
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
  if (!isShown) return list;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the list is within it
    <label>
      {label} {list}
    </label>
  );
}
