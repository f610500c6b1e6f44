/** What is used of JSON Schema. */
export interface ToolSchema {
  type?: string;
  properties?: Record<string, ToolSchema>;
  required?: readonly string[];
  items?: ToolSchema;
  [key: string]: unknown;
}

/**
 * Arguments as a model may have meant them: 3 for "3" and "3" for 3, "true" for true, a list within a string, null for
 * nothing. Whatever else is not as the schema says stays, and is refused by it.
 */
export function lenient(value: unknown, schema: ToolSchema): unknown {
  switch (schema.type) {
    case "string":
      return typeof value === "number" ? String(value) : value;
    case "integer":
      return typeof value === "string" && /^¶?\d{1,15}$/.test(value) ? Number(value.replace("¶", "")) : value;
    case "boolean":
      return value === "true" || value === "false" ? value === "true" : value;
    case "array":
      return lenientList(typeof value === "string" ? parsed(value) : value, schema.items ?? {});
    case "object":
      return lenientObject(typeof value === "string" ? parsed(value) : value, schema);
    default:
      return value;
  }
}

function lenientList(value: unknown, items: ToolSchema): unknown {
  return Array.isArray(value) ? value.map((item) => lenient(item, items)) : value;
}

function lenientObject(value: unknown, { properties, required = [] }: ToolSchema): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || properties === undefined)
    return value;
  const entries = Object.entries(value)
    .filter(([key, given]) => given !== null || required.includes(key))
    .map(([key, given]) => {
      const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return [key, schema === undefined ? given : lenient(given, schema)];
    });
  return Object.fromEntries(entries);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
