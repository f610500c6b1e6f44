import { countWords } from "../../text/count-words.ts";
import { unitsOf } from "../../text/units.ts";
import { leavesOf } from "./leaves.ts";
import { withoutMarkup, yearsIn } from "./text.ts";
import type { DocNode } from "./types.ts";

/**
 * Counts the words of a top-level block that readers read, containers included. Hard breaks and images separate
 * words; marks, tags and footnote references do not. Comments, raw HTML, front matter, scene breaks and the signs of
 * `withoutMarkup` count 0; the years of `yearsIn` count.
 */
export function countBlockWords(block: DocNode): number {
  let words = yearsIn(block).size;
  for (const leaf of leavesOf(block)) words += countLeaf(leaf);
  return words;
}

/** Counts words as versions before 0.3 did: everything that is not a node of its own. */
export function countWordsAsBefore(block: DocNode): number {
  const count = (leaf: DocNode) => countWords(countedText(leaf, leaf.content ?? []));
  return leavesOf(block).reduce((sum, leaf) => sum + count(leaf), 0);
}

// Cached counts: a write counts a leaf for the plan, and again for its row with the same content.
const counted = new WeakMap<readonly DocNode[], number>();

function countLeaf(leaf: DocNode): number {
  const known = leaf.content && counted.get(leaf.content);
  if (known !== undefined) return known;
  const text = countedText(leaf, withoutMarkup(leaf));
  const words = countWords(text, unitsOf(text));
  if (leaf.content) counted.set(leaf.content, words);
  return words;
}

function countedText({ type, attrs }: DocNode, content: readonly DocNode[]): string {
  if (type === "raw_block") return attrs?.kind === "table" ? readCells(content[0]?.text ?? "") : "";
  if (content.length === 1) return content[0]?.text ?? "";
  let text = "";
  for (const child of content) {
    if (child.text !== undefined) text += child.text;
    else if (child.type === "hard_break" || child.type === "image") text += " ";
  }
  return text;
}

// Returns the text of a table's cells, without markup and with entities decoded: tables are kept verbatim.
function readCells(text: string): string {
  return text
    .replace(/\[\^[^\s[\]\\]{1,200}\](?!\()/g, "") // footnote references
    .replace(/!\[[^[\]\n]*\](?:\([^()\n]*\))?/g, " ") // images
    .replace(/\]\([^()\n]*\)/g, "]")
    .replace(/<[^<>\n]*>/g, "")
    .replace(ENTITY, readEntity);
}

const ENTITY = /&(?:#(?:x([0-9a-f]{1,6})|(\d{1,7}))|([a-z]{1,8})(\d{1,2})?);/gi;
/** Names of entities for letters: Latin ones with a sign, ligatures, and the Greek alphabet. */
const LETTER =
  /^(?:[a-z](?:acute|breve|caron|cedil|circ|dot|grave|macr|midot|ogon|ring|slash|strok|tilde|uml)|(?:ae|oe|sz|ij)lig|eth|thorn|inodot|imath|alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|omicron|pi|rho|sigmaf?|tau|upsilon|phi|chi|psi|omega)$/i;

/** Decodes an entity for the count of words: the character of a number, a letter, an apostrophe, nothing or a gap. */
function readEntity(_: string, hex?: string, decimal?: string, name = ""): string {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (code <= 0x10ffff) return String.fromCodePoint(code);
  if (LETTER.test(name)) return "x";
  if (/^(?:apos|rsquo|lsquo)$/i.test(name)) return "’";
  return /^(?:shy|zwn?j|lrm|rlm)$/i.test(name) ? "" : " ";
}
