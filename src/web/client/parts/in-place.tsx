import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** A text that becomes a field when it is pressed. Enter saves, Escape leaves it as it was, going elsewhere saves too. */
export function InPlace({
  value,
  label,
  none,
  isLong = false,
  onSave,
}: {
  value: string;
  label: string;
  /** Shown where there is no text yet. */
  none?: string;
  isLong?: boolean;
  onSave: (value: string) => void;
}): JSX.Element {
  const [draft, setDraft] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const isOver = useRef(false);
  useEffect(() => {
    if (draft === undefined && wasOpen.current) button.current?.focus();
    wasOpen.current = draft !== undefined;
  }, [draft]);
  if (draft === undefined)
    return (
      <button
        type="button"
        ref={button}
        class={value === "" ? "in-place none" : "in-place"}
        aria-label={`${label}: ${value || none || "none"}. Change`}
        onClick={() => {
          isOver.current = false;
          setDraft(value);
        }}
      >
        {value || none}
      </button>
    );
  // A field that goes while it has the focus says so, too: what Enter saved would be saved twice.
  const end = (isKept: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    setDraft(undefined);
    if (isKept && draft.trim() !== value) onSave(draft.trim());
  };
  const field = {
    class: "field in-place-field",
    dir: "auto" as const,
    "aria-label": label,
    value: draft,
    ref: focusAtEnd,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => setDraft(currentTarget.value),
    onBlur: () => end(true),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.isComposing) return;
      if (event.key === "Escape") end(false);
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        end(true);
      }
    },
  };
  return isLong ? <textarea rows={3} {...field} /> : <input type="text" {...field} />;
}

function focusAtEnd(field: HTMLInputElement | HTMLTextAreaElement | null): void {
  if (field === null || field === document.activeElement) return;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}
