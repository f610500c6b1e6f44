/** A text as one word of a shell's command line: in single quotes where it holds more than letters, digits and `._/~+-`. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}._/~+-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
