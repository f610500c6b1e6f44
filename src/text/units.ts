/** Buffer for UTF-16 units. Entries behind the end of the last text are meaningless. */
let room = new Uint16Array(1 << 14);
let bytes = Buffer.from(room.buffer);

/**
 * Returns the UTF-16 units of a text, in a buffer that the next call overwrites. Faster than `charCodeAt` for code
 * that reads every unit: V8 keeps strings in several forms and checks which at each call.
 */
export function unitsOf(text: string): Uint16Array {
  if (text.length > room.length) {
    room = new Uint16Array(2 * text.length);
    bytes = Buffer.from(room.buffer);
  }
  bytes.write(text, "utf16le");
  return room;
}
