import type { Signal } from "@preact/signals";
import { kept } from "./kept.ts";

/** A choice that the root element bears as an attribute, so that the style alone asks for it (`tokens.css`); "" is none. */
export function look<Value extends string>(name: string): Signal<Value | ""> {
  const choice = kept<Value | "">(`manuscript.${name}`, "");
  choice.subscribe((value) => {
    document.documentElement.dataset[name] = value;
  });
  return choice;
}

/** The chosen theme; "" is the system's own. */
export const theme = look<"light" | "dark">("theme");

// How prose is set: borne from the start, changed in the settings alone, which make these again.
for (const name of ["face", "size", "measure", "lead", "paragraphs"]) look(name);
