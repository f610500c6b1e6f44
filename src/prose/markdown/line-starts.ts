const LINE_MARK = /^(?:(?:#{1,6}|[-+*])(?:[ \t]|$)|>|-[- \t]*$|\*[* \t]*$|_[ \t]*_[ \t]*_[_ \t]*$)/;
const LINE_UNDER_TEXT = /^=+[ \t]*$|^(?=.*-)[-|:][-|: \t]*$/;

/**
 * Where a backslash keeps the line that starts at `from` from being a list, a heading, a quote and so on; -1 where it is
 * none. `first`: nothing of the leaf stands before it.
 */
export function lineMarkAt(text: string, from: number, first: boolean): number {
  if (!/[#>\-+*=0-9|:_]/.test(text.charAt(from))) return -1;
  const end = text.indexOf("\n", from);
  const line = text.slice(from, end === -1 ? undefined : end);
  if (LINE_MARK.test(line)) return from;
  if (!first && LINE_UNDER_TEXT.test(line)) return from;
  const ordered = /^\d{1,9}(?=[.)](?:[ \t]|$))/.exec(line);
  return ordered ? from + ordered[0].length : -1;
}
