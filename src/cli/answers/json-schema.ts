/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Any text. */
export const text = { type: "string" };
/** A whole number from 0. */
export const count = { type: "integer", minimum: 0 };
/** True or false. */
export const flag = { type: "boolean" };
/** A moment, ISO 8601 in UTC. */
export const time = { type: "string", format: "date-time" };
/** The same, or null. */
export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });
/** A list of these. */
export const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });
/** One of these texts. */
export const words = (...values: readonly string[]): JsonSchema => ({ enum: values });

/** An object whose keys are all there, except those named in `optional`. */
export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: "object", properties, required };
}
