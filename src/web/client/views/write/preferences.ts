import { type Signal, signal } from "@preact/signals";

/** The preferences for writing, which this browser remembers, with their defaults. */
const FIRST = { focus: "off", typewriter: "off", curly: "on", sitting: "" } as const;

type Preference = keyof typeof FIRST;

const kept = new Map<Preference, Signal<string>>();

/** One preference: "on" or "off", the focus mode, or the words that a sitting is to bring. */
export function preference(name: Preference): Signal<string> {
  let found = kept.get(name);
  if (found === undefined) {
    found = signal(localStorage.getItem(`manuscript.write.${name}`) ?? FIRST[name]);
    kept.set(name, found);
  }
  return found;
}

/** Changes a preference for good. */
export function setPreference(name: Preference, value: string): void {
  localStorage.setItem(`manuscript.write.${name}`, value);
  preference(name).value = value;
}

/** Turns a preference on or off. */
export function togglePreference(name: Preference): void {
  setPreference(name, preference(name).peek() === "on" ? "off" : "on");
}
