import { counted } from "../../text/counted.ts";

/** What a change of prose costs besides: "2 mentions, and 1 note its paragraph"; "" for nothing. */
export function costInWords({
  mentionsDropped,
  snippetsDetached,
}: {
  mentionsDropped: readonly unknown[];
  snippetsDetached: readonly unknown[];
}): string {
  const mentions = mentionsDropped.length === 0 ? [] : [counted(mentionsDropped.length, "mention")];
  const notes =
    snippetsDetached.length === 0 ? [] : [`${counted(snippetsDetached.length, "note")} its paragraph`];
  return [...mentions, ...notes].join(", and ");
}
