import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { kept } from "./choices/kept.ts";

/** One shortcut: `keys` as it is pressed, such as "e", "g d" or "Alt+ArrowUp", and what it does, for the sheet. */
export interface Shortcut {
  keys: string;
  does: string;
  run: () => void;
  /** Works within text fields too; only with Ctrl or Alt. */
  isEverywhere?: boolean;
}

/** How long the first key of a pair waits for the second. */
const PAIR_MS = 1200;

/** Every shortcut that works now; what came last goes first. */
export const shortcuts = signal<readonly Shortcut[]>([]);
/** "1" where single letters are turned off, as WCAG 2.1.4 asks for. */
export const noKeys = kept<"" | "1">("manuscript.no-keys", "");

/** These shortcuts work as soon as the view is shown, and as long; `changes` says when they do something else. */
export function useKeys(own: readonly Shortcut[], changes: readonly unknown[]): void {
  useLayoutEffect(() => {
    shortcuts.value = [...own, ...shortcuts.peek()];
    return () => {
      shortcuts.value = shortcuts.peek().filter((shortcut) => !own.includes(shortcut));
    };
  }, changes);
}

let first: string | undefined;
let since = 0;

/** Listens for shortcuts from now on. */
export function followKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const pressed = nameOf(event);
    if (pressed === undefined) return;
    const pair = first !== undefined && event.timeStamp - since < PAIR_MS ? `${first} ${pressed}` : undefined;
    const isFree =
      !isTyping(event.target) && (!noKeys.value || event.ctrlKey || event.altKey || event.metaKey);
    const found = shortcuts.value.find(
      ({ keys, isEverywhere }) => (keys === pair || keys === pressed) && (isEverywhere || isFree),
    );
    first = found === undefined && !isTyping(event.target) ? pressed : undefined;
    since = event.timeStamp;
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  });
}

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | undefined {
  if (["Control", "Shift", "Alt", "Meta"].includes(key)) return undefined;
  const held = [
    ctrlKey || metaKey ? "Ctrl" : "",
    altKey ? "Alt" : "",
    shiftKey && (key.length > 1 || ctrlKey || metaKey) ? "Shift" : "",
  ];
  return [
    ...held.filter((one) => one !== ""),
    key.length === 1 && (ctrlKey || metaKey) ? key.toLowerCase() : key,
  ].join("+");
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName) || isTextField(target))
  );
}

function isTextField(target: HTMLElement): boolean {
  return (
    target instanceof HTMLInputElement && !/^(?:checkbox|radio|button|submit|range|color)$/.test(target.type)
  );
}
