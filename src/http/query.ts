import * as z from "zod";
import type { Endpoint } from "../contract/endpoint.ts";
import { beginningOf, validate } from "../contract/validate.ts";
import { BadRequest } from "../refusals.ts";

/**
 * A reader of a row's query: digits become numbers if the row wants one. It throws `BadRequest` for a parameter
 * that is unknown, given twice or not UTF-8: a misspelt `dryRun` must not write. Made once a row, for zod compiles a
 * schema at its first use.
 */
export function queryReader({ shape }: Endpoint["query"]): (url: string) => Record<string, unknown> {
  const schema = z.strictObject(shape);
  const { data: none } = schema.safeParse({});
  return (url) => {
    const start = url.indexOf("?");
    if (start < 0 && none !== undefined) return { ...none };
    const given: Record<string, unknown> = Object.create(null);
    if (start >= 0) {
      for (const pair of url.slice(start + 1).split("&")) {
        if (pair !== "") addParameter(given, pair, schema);
      }
    }
    return validate(schema, given, "The query");
  };
}

function addParameter(given: Record<string, unknown>, pair: string, schema: Endpoint["query"]): void {
  const split = pair.indexOf("=");
  const name = decode(split < 0 ? pair : pair.slice(0, split));
  if (Object.hasOwn(given, name)) {
    const shown = beginningOf(name);
    throw new BadRequest(`The query gives ${shown} twice; send it once.`, [
      { path: `/${shown}`, message: "given twice" },
    ]);
  }
  const value = decode(split < 0 ? "" : pair.slice(split + 1));
  given[name] = isNumber(schema.shape[name]) && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch {
    throw new BadRequest("The query is not valid percent-encoded UTF-8.");
  }
}

function isNumber(field: z.core.$ZodType | undefined): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) return isNumber(field.unwrap());
  if (field instanceof z.ZodUnion) return field.options.some((option) => isNumber(option as z.core.$ZodType));
  return field instanceof z.ZodNumber;
}
