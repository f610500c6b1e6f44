import { BadRequest } from "../../../refusals.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/structure.ts";

/** Where something goes among its fellows; one of these at most. A position counts from 1. */
export type PlaceOptions = Pick<
  Parameters<CommandsOf<typeof ROWS, "part">["part add"]>[1],
  "before" | "after" | "first" | "last" | "position"
>;

/**
 * The index in `others`, from 0, before which something is to stand; undefined if no option says so. `idOf` finds what
 * `--before` and `--after` name. Throws `BadRequest` for two options, and for a neighbour that is not among the others.
 */
export function placeAmong(
  others: readonly { id: string }[],
  { before, after, first, last, position }: PlaceOptions,
  idOf: (wanted: string) => string,
): number | undefined {
  const asked = [before, after, first, last, position].filter((option) => option !== undefined);
  if (asked.length > 1)
    throw new BadRequest("Give one of --before, --after, --first, --last and --position, not several.");
  if (first) return 0;
  if (last) return others.length;
  if (position !== undefined) return Math.min(position - 1, others.length);
  const neighbour = before ?? after;
  if (neighbour === undefined) return undefined;
  const id = idOf(neighbour);
  const index = others.findIndex((other) => other.id === id);
  if (index < 0) throw new BadRequest(`"${neighbour}" is not another one of the same book.`);
  return before === undefined ? index + 1 : index;
}
