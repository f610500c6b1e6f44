/** Returns a function that reads the value on its first call and returns the same one from then on. */
export function once<Value>(read: () => Value): () => Value {
  let known: { value: Value } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}
