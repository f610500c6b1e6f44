/** Checks an attribute's value. Throws RangeError with the permitted values, never with the value. */
export type AttributeCheck = (value: unknown) => void;

const BAD_PROTOCOL = /^(?:vbscript|javascript|file|data):/;
const IMAGE_DATA = /^data:image\/(?:gif|png|jpeg|webp);/;
const MARKUP = /^(?:\*[ \t]*\*[ \t]*\*[* \t]*|-[ \t]*-[ \t]*-[- \t]*|_[ \t]*_[ \t]*_[_ \t]*)$/;

/**
 * True if a link or image may have this address. All but `javascript:`, `vbscript:`, `file:` and `data:` (except
 * small images) are allowed, as in markdown-it. Leading blanks, line ends and tabs are ignored, as in browsers.
 */
export function isSafeUrl(url: string): boolean {
  const scheme = url.replace(/^[\u0000-\u0020]+|[\t\n\r]+/g, "").toLowerCase();
  return !BAD_PROTOCOL.test(scheme) || IMAGE_DATA.test(scheme);
}

function demand(allowed: string, holds: (value: unknown) => boolean): AttributeCheck {
  return (value) => {
    if (!holds(value)) throw new RangeError(`must be ${allowed}`);
  };
}

function text(allowed: string, pattern: RegExp): AttributeCheck {
  return demand(allowed, (value) => typeof value === "string" && pattern.test(value));
}

function wholeNumber(least: number, most: number): AttributeCheck {
  return demand(
    `a whole number from ${least} to ${most}`,
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  );
}

const wholeNumberOrNull: AttributeCheck = (value) => value === null || wholeNumber(0, 999_999_999)(value);
const link = demand(
  "a link that is not javascript:, vbscript:, file: or data:",
  (value) => typeof value === "string" && isSafeUrl(value),
);
const textOrNull = demand("text or null", (value) => value === null || typeof value === "string");

/** Checks of attributes by kind of value. Shared by schema and documents, so that they cannot disagree. */
export const checks = {
  blockId: demand(
    "null or 1 to 64 of A-Z a-z 0-9 _ -",
    (value) => value === null || (typeof value === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(value)),
  ),
  level: wholeNumber(1, 6),
  order: wholeNumber(0, 999_999_999),
  value: wholeNumberOrNull,
  tight: demand("true or false", (value) => typeof value === "boolean"),
  bullet: text('"-", "*" or "+"', /^[-*+]$/),
  delim: text('"." or ")"', /^[.)]$/),
  markup: text("three or more of * or - or _", MARKUP),
  fence: text("three or more ` or ~", /^(?:`{3,}|~{3,})$/),
  params: text("one line without blanks around it", /^(?:[^\s](?:[^\n\r]*[^\s])?)?$/),
  kind: text('"html", "table" or "front_matter"', /^(?:html|table|front_matter)$/),
  label: text("a footnote label without blanks, brackets or backslashes", /^[^\s[\]\\]{1,200}$/),
  href: link,
  src: link,
  title: textOrNull,
  alt: textOrNull,
  rawText: demand("one HTML tag or comment", (value) => typeof value === "string" && isRaw(value)),
  mentionId: textOrNull,
  factId: demand("the id of a fact", (value) => typeof value === "string" && value !== ""),
} as const satisfies Record<string, AttributeCheck>;

// A link without text is kept as raw_inline: it shows nothing and ProseMirror has no place for it.
function isRaw(value: string): boolean {
  return (value.startsWith("<") && value.endsWith(">")) || value.startsWith("[]");
}
