// Signs of a scene break in place of a title: "#", "# # #", "***", "⁂", "~".
const BREAK = /[\s#*~⁂•·_.–—-]+/gu;
// Tags as in notes: "#draft #sea/ferry". A number is no tag: "#1" may be a title.
const TAGS = /^(?:#(?=[^\s#]*[\p{L}_])[\p{L}\p{M}\p{N}_/-]+\s*)+$/u;

/** True if a heading's text is a title: not empty, no scene break, not only tags. */
export function isTitle(text: string): boolean {
  return text.replace(BREAK, "") !== "" && !isTags(text);
}

/** True if a text holds only tags: `#draft #sea/ferry`. */
export function isTags(text: string): boolean {
  return TAGS.test(text.trim());
}
