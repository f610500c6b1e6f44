const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of bytes, a byte order mark included; undefined if they are not UTF-8: no character is ever replaced. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
