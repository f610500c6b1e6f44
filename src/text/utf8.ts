const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes UTF-8, keeping a byte order mark; undefined if the bytes are not UTF-8. Never replaces a character. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Characters of windows-1252 from 0x80 to 0x9f. Some versions of Node read latin-1 there. Source:
 * https://encoding.spec.whatwg.org/index-windows-1252.txt
 */
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * Returns the standard name of an encoding by any of its labels; undefined for none. Source:
 * https://encoding.spec.whatwg.org/#names-and-labels
 */
export function encodingNamed(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/**
 * Decodes bytes in an encoding that `encodingNamed` returned, without a byte order mark. A mark of UTF-16 overrules
 * the encoding. Undefined if the bytes do not fit.
 */
export function decodeAs(bytes: Uint8Array, encoding: string): string | undefined {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString("hex");
  if (encoding === "windows-1252" && !/^(?:fffe|feff)$/.test(mark)) {
    const text = Buffer.from(bytes).toString("latin1");
    return text.replace(/[\u0080-\u009f]/g, (unit) => WINDOWS.charAt(unit.charCodeAt(0) - 0x80));
  }
  const own = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : encoding;
  try {
    return new TextDecoder(own, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
