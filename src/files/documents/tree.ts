import { BadRequest } from "../../refusals.ts";
import { SCENE_BREAK } from "../../text/scene-break.ts";

/** An element of pandoc's document tree. Source: https://hackage.haskell.org/package/pandoc-types. */
interface Element {
  t: string;
  c?: unknown;
}

/** A document as pandoc reads it, reduced to what a chapter's prose has. */
export interface Tree {
  /** The document as JSON for pandoc. */
  json: string;
  /** Metadata as text. */
  metadata: ReadonlyMap<string, string>;
  pictures: number;
  /** Commented texts, each with its paragraph. */
  commented: { id: string; paragraph: string }[];
}

const MOST_DEEP = 400;
const NO_ATTRIBUTES = ["", [], []];
/**
 * Reads the output of `pandoc -t json`. Styles, anchors and pictures are removed, underlined text is emphasized, and
 * a paragraph that is a scene break becomes one. Throws `BadRequest` if it is no such tree.
 */
export function readTree(text: string, name: string, footnotes: Footnotes = new Map()): Tree {
  const { blocks, meta, ...rest } = parse(text, name);
  const reducer = new Reducer(name, footnotes);
  const json = JSON.stringify({ ...rest, meta: {}, blocks: reducer.reduce(blocks, 0) });
  const metadata = Object.entries(meta).map(([key, value]) => [key, textOf(value).trim()] as const);
  return {
    json,
    metadata: new Map(metadata.filter(([, value]) => value !== "")),
    pictures: reducer.pictures,
    commented: reducer.commented,
  };
}

/** Returns the text of a document in pandoc's JSON, one line a paragraph. Throws `BadRequest`. */
export function textOfTree(json: string, name: string): string {
  const { blocks } = parse(json, name);
  return (blocks as unknown[])
    .map((block) => textOf(block).trim())
    .join("\n")
    .trim();
}

/** Texts of Scrivener's footnotes by id, one line a paragraph. A link to the id marks the footnote's place. */
export type Footnotes = ReadonlyMap<string, string>;

function parse(text: string, name: string): { blocks: unknown; meta: object } {
  try {
    const { blocks, meta = {}, ...rest } = JSON.parse(text);
    if (Array.isArray(blocks) && typeof meta === "object" && meta !== null) return { ...rest, blocks, meta };
  } catch {
    // told below
  }
  throw new BadRequest(`${name}: pandoc returned no document; is the program that was found really pandoc?`);
}

class Reducer {
  pictures = 0;
  readonly commented: Tree["commented"] = [];
  readonly #name: string;
  readonly #footnotes: Footnotes;

  constructor(name: string, footnotes: Footnotes) {
    this.#name = name;
    this.#footnotes = footnotes;
  }

  /** Returns a value of the tree with each element replaced by its reduced form. */
  reduce(value: unknown, depth: number): unknown {
    if (depth > MOST_DEEP) throw new BadRequest(`${this.#name} is nested too deep to be read.`);
    if (Array.isArray(value))
      return value.flatMap((entry) =>
        isElement(entry) ? this.#take(entry, depth) : [this.reduce(entry, depth + 1)],
      );
    return isElement(value) ? (this.#take(value, depth)[0] ?? { t: "Null" }) : value;
  }

  #take({ t, c }: Element, depth: number): unknown[] {
    const inner = (at: number) => this.reduce((c as unknown[])[at], depth + 1) as unknown[];
    switch (t) {
      case "Span":
      case "Div":
      case "Cite":
        return inner(1);
      case "SmallCaps":
        return this.reduce(c, depth + 1) as unknown[];
      case "RawInline":
      case "RawBlock":
        return [];
      case "Image":
        this.pictures++;
        return [];
      case "Underline":
        return underlined(this.reduce(c, depth + 1) as unknown[]);
      case "Link":
        return this.#linked(c as unknown[], inner(1));
      case "Header":
        return titled((c as unknown[])[0], inner(2));
      case "Para":
      case "Plain":
        return this.#paragraph(t, c, depth);
      default:
        return [c === undefined ? { t } : { t, c: this.reduce(c, depth + 1) }];
    }
  }

  /** Reduces a link. One that leads out of the document stays; any other becomes its words and its footnote. */
  #linked(content: unknown[], words: unknown[]): unknown[] {
    const target = targetOf(content);
    if (/^(?:https?|mailto):/i.test(target)) return [{ t: "Link", c: [NO_ATTRIBUTES, words, content[2]] }];
    const footnote = target.startsWith(COMMENT)
      ? this.#footnotes.get(target.slice(COMMENT.length))
      : undefined;
    if (footnote === undefined) return words;
    const lines = footnote.split("\n").filter((line) => line.trim() !== "");
    return [...words, { t: "Note", c: lines.map((line) => ({ t: "Para", c: [{ t: "Str", c: line }] })) }];
  }

  #paragraph(t: string, content: unknown, depth: number): unknown[] {
    const first = this.commented.length;
    for (const id of commentsIn(content))
      if (!this.#footnotes.has(id)) this.commented.push({ id, paragraph: "" });
    const inlines = this.reduce(content, depth + 1) as unknown[];
    const text = textOf(inlines.filter((inline) => !isElement(inline) || inline.t !== "Note")).trim();
    for (const place of this.commented.slice(first)) place.paragraph = text;
    return paragraph(t, inlines);
  }
}

function isElement(value: unknown): value is Element {
  return typeof value === "object" && value !== null && "t" in value && typeof value.t === "string";
}

/** Emphasizes underlined text: typescripts underline what print has in italics. Underlined links stay as they are. */
function underlined(inlines: unknown[]): unknown[] {
  const isLink = inlines.every((inline) => isElement(inline) && /^(?:Link|Space)$/.test(inline.t));
  return isLink ? inlines : [{ t: "Emph", c: inlines }];
}

/** Returns the comments that a paragraph's links lead to. */
function commentsIn(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((inline) => {
    if (!isElement(inline)) return commentsIn(inline);
    const target = inline.t === "Link" ? targetOf(inline.c as unknown[]) : "";
    return [...(target.startsWith(COMMENT) ? [target.slice(COMMENT.length)] : []), ...commentsIn(inline.c)];
  });
}

/** Returns the target of a link. */
function targetOf([, , target]: unknown[]): string {
  return String((Array.isArray(target) ? target : [])[0] ?? "");
}

const COMMENT = "scrivcmt://";

function titled(level: unknown, inlines: unknown[]): unknown[] {
  return textOf(inlines).trim() === "" ? [] : [{ t: "Header", c: [level, NO_ATTRIBUTES, inlines] }];
}

function paragraph(t: string, inlines: unknown[]): unknown[] {
  const text = textOf(inlines);
  if (SCENE_BREAK.test(text)) return [{ t: "HorizontalRule" }];
  return text.trim() === "" ? [] : [{ t, c: inlines }];
}

/** Returns the text of a part of the tree. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join("");
  if (!isElement(value)) return "";
  if (value.t === "Str" || value.t === "MetaString") return String(value.c ?? "");
  if (/^(?:Space|SoftBreak|LineBreak)$/.test(value.t)) return " ";
  if (value.t === "Code" || value.t === "Math") return String((value.c as unknown[])[1] ?? "");
  if (value.t === "MetaList") return (value.c as unknown[]).map(textOf).join(", ");
  return textOf(value.c);
}
