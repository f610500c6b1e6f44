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

/** What a view shows, or says in its place, once it is there and no window is over it. */
const SHOWN = ":root:not(:has(:modal)) :is(#content > :not(.loading), .callout)";

let first: string | undefined;
let since = 0;

/** Listens for shortcuts from now on. Only those that work everywhere do until the view is shown, and beneath a window over it. */
export function followKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const pressed = nameOf(event);
    if (pressed === undefined) return;
    const pair = first !== undefined && event.timeStamp - since < PAIR_MS ? `${first} ${pressed}` : undefined;
    const isHere = !isTyping(event.target) && document.querySelector(SHOWN);
    const isFree = isHere && (!noKeys.value || pressed.length > 1);
    const found = shortcuts.value.find(
      ({ keys, isEverywhere }) => (keys === pair || keys === pressed) && (isEverywhere || isFree),
    );
    first = found === undefined && isHere ? pressed : undefined;
    since = event.timeStamp;
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  });
}

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | undefined {
  if (["Control", "Shift", "Alt", "Meta"].includes(key)) return undefined;
  const isHeld = ctrlKey || metaKey;
  const isLetter = key.length === 1;
  const shift = shiftKey && (isHeld || !isLetter) ? "Shift+" : "";
  return `${isHeld ? "Ctrl+" : ""}${altKey ? "Alt+" : ""}${shift}${isHeld && isLetter ? key.toLowerCase() : key}`;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(":read-write, select");
}
