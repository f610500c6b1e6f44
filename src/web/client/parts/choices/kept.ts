import { type Signal, signal } from "@preact/signals";

/** A choice that this browser keeps, as it was left there; `first` until another one is made. */
export function kept<Value extends string>(key: string, first: Value): Signal<Value> {
  const choice = signal((localStorage.getItem(key) ?? first) as Value);
  choice.subscribe((value) => {
    if (value === first) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  });
  return choice;
}
