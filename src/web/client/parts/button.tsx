import type { IconNode } from "lucide";
import { type ComponentChildren, h, type JSX } from "preact";
import { useState } from "preact/hooks";

/** Passed as `ref`, brings the focus to an element that has just been shown. */
export function focusOnce(element: HTMLElement | null): void {
  element?.focus();
}

/** A drawing of lucide's set; its meaning is said beside it, or by the control that it stands in. */
export function Icon({ of }: { of: IconNode }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes], index) => h(tag, { key: index, ...attributes }))}
    </svg>
  );
}

interface ButtonProps extends Omit<JSX.IntrinsicElements["button"], "type" | "class" | "onClick"> {
  type?: "button" | "submit";
  /** "first" for the main action, "plain" for one that stays in the background, and further classes. */
  kind?: string;
  onClick?: () => unknown;
}

/** The page's button. A handler may return a promise. */
export function Button({ type = "button", kind, onClick, ...rest }: ButtonProps): JSX.Element {
  return (
    <button
      type={type}
      class={kind === undefined ? "btn" : `btn ${kind}`}
      onClick={onClick && (() => void onClick())}
      {...rest}
    />
  );
}

/** A button that becomes something else, such as a form, until that is closed. */
export function Opener({
  text,
  kind = "plain",
  isOpen: opensAtOnce = false,
  children,
}: {
  text: ComponentChildren;
  kind?: string | undefined;
  /** True if it begins as what it becomes. */
  isOpen?: boolean | undefined;
  children: (close: () => void) => JSX.Element;
}): JSX.Element {
  const [isOpen, setOpen] = useState(opensAtOnce);
  if (isOpen) return children(() => setOpen(false));
  return (
    <Button kind={kind} onClick={() => setOpen(true)}>
      {text}
    </Button>
  );
}
