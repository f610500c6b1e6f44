import { withoutJoiners } from "../../prose/document/text.ts";

/** First line of an XML file. */
export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

// XML 1.0 has no way to say these: https://www.w3.org/TR/xml/#charsets.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for content and quoted attributes. Characters that XML cannot say are left out. */
export function escaped(text: string): string {
  return withoutJoiners(text)
    .toWellFormed()
    .replace(FORBIDDEN, "")
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
