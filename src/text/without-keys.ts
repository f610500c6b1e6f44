/** The text, each API key and page's session in it, or the beginning of one, cut down to what says that it was one. */
export function withoutKeys(text: string): string {
  return text.replace(/(ms[ks])_\w+/g, "$1_…");
}
