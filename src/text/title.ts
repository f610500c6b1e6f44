// What stands for a break between scenes where a title would be: "#", "# # #", "***", "⁂", "~".
const BREAK = /[\s#*~⁂•·_.–—-]+/gu;
// As notes are tagged: "#draft #sea/ferry". A number is no tag: "#1" may be a title.
const TAGS = /^(?:#(?=[^\s#]*[\p{L}_])[\p{L}\p{M}\p{N}_/-]+\s*)+$/u;

/** Whether a heading's text names what stands below it: not if it is empty, a scene break, or tags alone. */
export function isTitle(text: string): boolean {
  return text.replace(BREAK, "") !== "" && !isTags(text);
}

/** Whether a text is nothing but tags: `#draft #sea/ferry`. */
export function isTags(text: string): boolean {
  return TAGS.test(text.trim());
}
