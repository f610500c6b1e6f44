/** The keys of an object that nobody has vouched for. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object's keys; none for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
