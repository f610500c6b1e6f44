/**
 * True if a text holds an unresolved conflict of a version control system: a line that opens one, or its middle and
 * end if the opening was deleted. Source: https://git-scm.com/docs/git-merge#_how_conflicts_are_presented.
 */
export function hasConflictMarkers(text: string): boolean {
  if (/^<{7} \S/m.test(text)) return true;
  const middle = /^={7}[ \t]*\r?$/m.exec(text); // the first will do: what ends one stands behind it
  return middle !== null && /^>{7} \S/m.test(text.slice(middle.index));
}

/** Message about such a text, after its file's name. */
export const CONFLICT_MARKERS_LEFT =
  'holds a merge that is not resolved ("<<<<<<<" … ">>>>>>>"); decide there what it is to say';
