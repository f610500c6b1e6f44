import * as z from "zod";
import { named } from "../fields.ts";

/** The part of JSON Schema 2020-12 that the contract's schemas come to. */
export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  default?: unknown;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  items?: false | JsonSchema;
  prefixItems?: readonly JsonSchema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  contentMediaType?: string;
  contentSchema?: JsonSchema;
}

/** `input` is what a request must be, unknown keys refused; `output` what an answer is, keys may be added. */
export type Direction = "input" | "output";

const RECORDS = "#/components/schemas/";

/** The schema with every named schema inside it as a `$ref` into `components/schemas`. */
export function jsonSchema(schema: z.ZodType, io: Direction): JsonSchema {
  return tidy(z.toJSONSchema(schema, { io, metadata: named, override: describe }) as Converted, io);
}

/** Every schema that has a name, by its name, in the order of the alphabet. */
export function records(): Record<string, JsonSchema> {
  const uri = (id: string) => RECORDS + id;
  const { schemas } = z.toJSONSchema(named, { io: "output", metadata: named, override: describe, uri });
  return Object.fromEntries(
    Object.entries(schemas)
      .map(([id, schema]) => [id, tidy(schema as Converted, "output")] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The name that a `$ref` into `components/schemas` ends in. */
export function recordName(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

// With a registry of our own, zod no longer looks at what `.describe()` and `.meta()` say.
function describe({ zodSchema, jsonSchema: converted }: { zodSchema: z.core.$ZodType; jsonSchema: object }) {
  Object.assign(converted, z.globalRegistry.get(zodSchema));
}

type Converted = JsonSchema & { $schema?: string; $id?: string; $defs?: object; propertyNames?: object };

function tidy(converted: Converted, io: Direction): JsonSchema {
  const { $schema, $id, $defs, propertyNames, ...schema } = converted;
  const inner = (child: JsonSchema) => tidy(child, io);
  if (schema.$ref !== undefined) schema.$ref = RECORDS + recordName(schema.$ref);
  if (schema.properties !== undefined) {
    // A key that is refused with a message of its own is still an unknown key.
    const taken = Object.entries(schema.properties).filter(([, child]) => !("not" in child));
    schema.properties = Object.fromEntries(taken.map(([key, child]) => [key, inner(child)]));
  }
  if (schema.anyOf !== undefined) schema.anyOf = schema.anyOf.map(inner);
  if (schema.prefixItems !== undefined) schema.prefixItems = schema.prefixItems.map(inner);
  if (typeof schema.items === "object") schema.items = inner(schema.items);
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
  // Bounds and patterns that only say what `integer` and the format say already.
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format !== undefined) delete schema.pattern;
  return schema;
}

/** Words as code, in a list with commas. */
export function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}
