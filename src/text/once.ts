/** Reads a value when it is first asked for, and answers with the same one from then on. */
export function once<Value>(read: () => Value): () => Value {
  let known: { value: Value } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}
