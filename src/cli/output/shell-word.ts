/**
 * A text as one word of a shell's command line: in quotes where it holds more than letters, digits and `._/~+-`. On Windows these are
 * double ones, which both of its shells know, and a path with `\` and `:` needs none.
 */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== "win32")
    return /^[\p{L}\p{N}._/~+-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  if (/^[\p{L}\p{N}._/~+:\\-]+$/u.test(text)) return text;
  return `"${text.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => slashes + slashes + (quote && '\\"'))}"`;
}
