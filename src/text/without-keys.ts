/** Returns the text with each API key and page session, or the beginning of one, cut down to its prefix. */
export function withoutKeys(text: string): string {
  return text.replace(/(ms[ks])_\w+/g, "$1_…");
}
