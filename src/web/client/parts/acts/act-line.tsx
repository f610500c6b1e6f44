import type { JSX } from "preact";
import { doneOf } from "../../../../contract/act-words.ts";
import { counted } from "../numbers.ts";
import { type Act, whoOf } from "./act-words.ts";

/** Who did what, in which chapter, or with what else. */
export function ActLine({ act }: { act: Act }): JSX.Element {
  const { length } = act.touched.chapters;
  const [name] = Object.values(act.names);
  return (
    <span>
      {whoOf(act)} {act.sitting !== undefined && act.sitting.count > 1 ? "wrote" : doneOf(act)}
      {length > 1
        ? `, ${counted(length, "chapter")}`
        : name && (
            <>
              {length ? " in " : ": "}
              <i class="serif" dir="auto">
                {name}
              </i>
            </>
          )}
    </span>
  );
}
