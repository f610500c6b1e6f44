import MarkdownIt from "markdown-it";
import { LIMITS } from "../../contract/limits.ts";
import type { RoomLeft } from "../document/room.ts";
import { useBlocks } from "./rules/blocks.ts";
import { useFootnotes } from "./rules/footnotes.ts";
import { useFrontMatter } from "./rules/front-matter.ts";
import { useInlines } from "./rules/inlines.ts";

/**
 * markdown-it for manuscripts: CommonMark with tables, strikethrough, footnotes and front matter; HTML kept; no
 * indented code, because writers indent first lines. Its input has only `\n` as line end and no NUL. It never drops
 * text: if markdown-it would cut off deep nesting it refuses. `parse` returns the tokens of the blocks only;
 * `readInlines` reads what is in them. Source: docs/decisions/014-markdown.md.
 */
export const tokenizer: MarkdownIt = createTokenizer();

function createTokenizer(): MarkdownIt {
  // A list adds two levels at once, and our rule must be asked before markdown-it cuts off.
  const options = { html: true, maxNesting: LIMITS.depth + 3 };
  const md = new MarkdownIt("commonmark", options);
  md.enable(["table", "strikethrough"]).disable(["code", "normalize", "inline", "text_join"]);
  useBlocks(md);
  useFrontMatter(md);
  useFootnotes(md);
  useInlines(md);
  return md;
}

/** What goes along with one text. */
export interface TokenizerEnv {
  references?: References;
  /** What is left for its blocks. */
  room?: RoomLeft;
}

/** Link reference definitions by normalised label, as markdown-it keeps them in its environment. */
export type References = Record<string, { href: string; title: string }>;

// A chapter's, asked for once more with every paragraph of it.
let latest: { definitions: string; references: References | undefined } = {
  definitions: "",
  references: undefined,
};

/** The link reference definitions that the Markdown holds, not to be changed. */
export function listReferences(definitions: string): Readonly<References> {
  readReferences(definitions);
  return latest.definitions === definitions ? (latest.references ?? {}) : {};
}

/** The same for one text's environment: the caller may add to them. Costs the same however many there are. */
export function readReferences(definitions: string): References | undefined {
  if (definitions === "") return undefined;
  if (definitions !== latest.definitions) {
    const env: { references?: References } = {};
    tokenizer.block.parse(definitions, tokenizer, env, []);
    latest = { definitions, references: env.references };
  }
  return latest.references && Object.create(latest.references);
}
