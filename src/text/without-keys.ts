/** The text, each API key in it, or the beginning of one, cut down to what says that it was one. */
export function withoutKeys(text: string): string {
  return text.replace(/msk_\w+/g, "msk_…");
}
