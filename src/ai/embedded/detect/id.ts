/**
 * An id that the same proposal has in every run: `pr_` and 16 hexadecimal digits, 64 bits of FNV-1a over the parts.
 * Source: Fowler, Noll and Vo, FNV-1a.
 */
export function proposalId(...parts: readonly (string | number)[]): string {
  const text = parts.join("\u0000");
  return `pr_${fnv1a(text, 0x811c9dc5)}${fnv1a(text, 0x01234567)}`;
}

function fnv1a(text: string, seed: number): string {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
