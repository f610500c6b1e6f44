import * as z from "zod";
import { count } from "./fields.ts";

const CHOICE = "With `Prefer: return=minimal`, its length instead of the list.";

/**
 * A list of an answer that `Prefer: return=minimal` turns into its length. Typed as the list alone: operations always
 * return the list, and only the edge counts it.
 */
export function orCount<Item extends z.ZodType>(
  list: z.ZodArray<Item>,
): z.ZodType<z.output<Item>[], z.input<Item>[]> {
  return z.union([list, count]).describe(CHOICE) as unknown as z.ZodArray<Item>;
}

/** The keys of an answer whose lists may come as their lengths. */
export function countableLists(answer: z.ZodType): string[] {
  if (!(answer instanceof z.ZodObject)) return [];
  return Object.entries(answer.shape)
    .filter(
      ([, field]) =>
        field instanceof z.ZodUnion && field.options.some((option) => option instanceof z.ZodArray),
    )
    .map(([key]) => key);
}
