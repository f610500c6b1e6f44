import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { Button } from "./button.tsx";

interface Toast {
  id: number;
  text: string;
  isProblem: boolean;
  undo: (() => void) | undefined;
}

const SHOWN_MS = 8000;
const toasts = signal<readonly Toast[]>([]);
let count = 0;

/** Says something for a while: what was done, with its Undo, or a problem, which stays until it is closed. */
export function tell(
  text: string,
  { isProblem = false, undo }: { isProblem?: boolean; undo?: () => void } = {},
): void {
  const id = ++count;
  toasts.value = [
    ...toasts.value.filter((toast) => toast.text !== text).slice(-3),
    { id, text, isProblem, undo },
  ];
  if (!isProblem) setTimeout(() => close(id), SHOWN_MS);
}

function close(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** The latest messages, read out by screen readers. */
export function Toasts(): JSX.Element {
  return (
    <div class="toasts" aria-live="polite">
      {toasts.value.map(({ id, text, isProblem, undo }) => (
        <p key={id} class={isProblem ? "toast problem" : "toast"}>
          <span>{text}</span>
          {undo && (
            <Button
              kind="plain"
              onClick={() => {
                close(id);
                undo();
              }}
            >
              Undo
            </Button>
          )}
          <Button kind="plain close" aria-label="Close" onClick={() => close(id)}>
            ×
          </Button>
        </p>
      ))}
    </div>
  );
}
