/** Formats a number with separators for thousands: 210,000. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Counts things in words: "1 word", "2,194 words", "1 entry", "2 matches". Pass `plural` for an irregular noun. */
export function counted(count: number, noun: string, plural = pluralOf(noun)): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** Returns the noun with its article: "a paragraph", "an ordered list". */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
