/** Names, shown as code, and what they are about. */
export interface Term {
  names: readonly string[];
  text: string;
}

/** A part of a section. Text may hold `` `code` `` and `[words](address)`; nothing else in it is markup. */
export type Block =
  | string
  | { list: readonly string[] }
  | { terms: readonly Term[] }
  | { head: readonly string[]; rows: readonly (readonly string[])[] }
  /** Text to be shown as it is. */
  | { code: string }
  /** The same, where words that begin with a capital are records. */
  | { type: string };

/** A piece of the documentation, shown as Markdown by the guide and as HTML by the page. */
export interface Section {
  /** Its address within the page. */
  id: string;
  title: string;
  blocks: readonly Block[];
  sections?: readonly Section[];
}

/** Text of both guides; of two parts the short guide says the first alone, and nothing if that is "". */
export type Words = string | readonly [brief: string, more: string];

/** A piece of the documentation as it is written: what is in `full` or `short` is in that guide alone. */
export interface Draft extends Omit<Section, "blocks" | "sections"> {
  blocks: readonly (
    | Exclude<Block, { list: readonly string[] }>
    | { list: readonly Words[] }
    | { full: Block }
    | { short: Block }
  )[];
  sections?: readonly Draft[];
}

/** The whole of a piece. */
export function inFull(draft: Draft): Section {
  return told(draft, {
    isFull: true,
    words: (text) => (typeof text === "string" ? text : text.filter(Boolean).join(" ")),
  });
}

/** What of a piece the short guide says. */
export function inShort(draft: Draft): Section {
  return told(draft, { isFull: false, words: (text) => (typeof text === "string" ? text : text[0]) });
}

function told(
  { blocks, sections = [], ...head }: Draft,
  how: { isFull: boolean; words: (text: Words) => string },
): Section {
  return {
    ...head,
    blocks: blocks.flatMap((block): Block[] => {
      if (typeof block === "string") return [block];
      if ("full" in block) return how.isFull ? [block.full] : [];
      if ("short" in block) return how.isFull ? [] : [block.short];
      if ("list" in block) return [{ list: block.list.map(how.words).filter((text) => text !== "") }];
      return [block];
    }),
    sections: sections.map((section) => told(section, how)),
  };
}

/** The section and those within it as Markdown; `level` is that of its heading, from 1. */
export function toMarkdown({ title, blocks, sections = [] }: Section, level: number): string {
  const heading = `${"#".repeat(level)} ${title}`;
  return [heading, ...blocks.map(write), ...sections.map((section) => toMarkdown(section, level + 1))].join(
    "\n\n",
  );
}

function write(block: Block): string {
  if (typeof block === "string") return block;
  if ("list" in block) return block.list.map((entry) => `- ${entry}`).join("\n");
  if ("terms" in block) return block.terms.map(({ names, text }) => `- ${codes(names)}: ${text}`).join("\n");
  if ("code" in block) return fence(block.code);
  if ("type" in block) return fence(block.type);
  const rows = [block.head, block.head.map(() => "---"), ...block.rows];
  return rows.map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
}

function fence(code: string): string {
  return `\`\`\`\n${code}\n\`\`\``;
}

/** Words as code, in a list with commas. */
export function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}

function cell(text: string): string {
  return text.replace(/\|/g, "\\|");
}

/** Characters of a line of code; what fits is written on one. */
export const WIDTH = 96;

/** JSON with one line for whatever fits in 96 characters. */
export function layOut(value: unknown, indent = ""): string {
  const flat = JSON.stringify(value);
  if (typeof value !== "object" || value === null || indent.length + flat.length <= WIDTH) return flat;
  const within = `${indent}  `;
  const entries = Array.isArray(value)
    ? value.map((entry) => layOut(entry, within))
    : Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${layOut(entry, within)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${entries.map((entry) => within + entry).join(",\n")}\n${indent}${close}`;
}
