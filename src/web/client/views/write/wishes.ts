import { type Signal, signal } from "@preact/signals";

/** How one likes to write; this browser remembers it. */
const FIRST = { focus: "off", typewriter: "off", curly: "off" } as const;

type Wish = keyof typeof FIRST;

const kept = new Map<Wish, Signal<string>>();

/** One wish: "on" or "off", or what stands out while writing. */
export function wish(name: Wish): Signal<string> {
  let found = kept.get(name);
  if (found === undefined) {
    found = signal(localStorage.getItem(`manuscript.write.${name}`) ?? FIRST[name]);
    kept.set(name, found);
  }
  return found;
}

/** Changes a wish for good. */
export function setWish(name: Wish, value: string): void {
  localStorage.setItem(`manuscript.write.${name}`, value);
  wish(name).value = value;
}

/** Turns a wish on or off. */
export function toggleWish(name: Wish): void {
  setWish(name, wish(name).peek() === "on" ? "off" : "on");
}
