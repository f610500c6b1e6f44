/** UTF-16 units with room to spare; those behind the end of the text last read mean nothing. */
let room = new Uint16Array(1 << 14);
let bytes = Buffer.from(room.buffer);

/**
 * The UTF-16 units of a text, as many as it is long, in a place that the next call writes over. For whoever looks at every
 * one: V8 keeps strings in many ways and asks at each `charCodeAt` which it is, which takes several times as long.
 */
export function unitsOf(text: string): Uint16Array {
  if (text.length > room.length) {
    room = new Uint16Array(2 * text.length);
    bytes = Buffer.from(room.buffer);
  }
  bytes.write(text, "utf16le");
  return room;
}
