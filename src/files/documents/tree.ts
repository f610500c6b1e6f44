import { BadRequest } from "../../refusals.ts";

/** An element of pandoc's document tree. Source: https://hackage.haskell.org/package/pandoc-types. */
interface Element {
  t: string;
  c?: unknown;
}

/** A document as pandoc reads it, reduced to what a chapter's prose has. */
export interface Tree {
  /** The document, to be given back to pandoc. */
  json: string;
  /** Its metadata, each as text. */
  metadata: ReadonlyMap<string, string>;
  pictures: number;
}

const MOST_DEEP = 400;
const NO_ATTRIBUTES = ["", [], []];
/** What stands between two scenes: "#", "* * *", "***", "⁂", "~". */
const BREAK = /^\s*(?:#|⁂|~|(?:[*•·]\s*){3,}|(?:#\s+){2,}#|[-–—]\s?[-–—]\s?[-–—])\s*$/u;

/**
 * Reads what `pandoc -t json` wrote: styles, anchors and pictures go, underlined is emphasized, and a paragraph that is a scene
 * break becomes one. Throws `BadRequest` for what is no such tree.
 */
export function readTree(text: string, name: string): Tree {
  const { blocks, meta, ...rest } = parse(text, name);
  const reducer = new Reducer(name);
  const json = JSON.stringify({ ...rest, meta: {}, blocks: reducer.reduce(blocks, 0) });
  const metadata = Object.entries(meta).map(([key, value]) => [key, textOf(value).trim()] as const);
  return {
    json,
    metadata: new Map(metadata.filter(([, value]) => value !== "")),
    pictures: reducer.pictures,
  };
}

function parse(text: string, name: string): { blocks: unknown; meta: object } {
  try {
    const { blocks, meta = {}, ...rest } = JSON.parse(text);
    if (Array.isArray(blocks) && typeof meta === "object" && meta !== null) return { ...rest, blocks, meta };
  } catch {
    // told below
  }
  throw new BadRequest(`${name}: pandoc answered what is no document; is it pandoc that was found?`);
}

class Reducer {
  pictures = 0;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** A value of the tree, each element in it replaced by those that it comes to. */
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
        return isOutside(c) ? [{ t, c: [NO_ATTRIBUTES, inner(1), (c as unknown[])[2]] }] : inner(1);
      case "Header":
        return titled((c as unknown[])[0], inner(2));
      case "Para":
      case "Plain":
        return paragraph(t, this.reduce(c, depth + 1) as unknown[]);
      default:
        return [c === undefined ? { t } : { t, c: this.reduce(c, depth + 1) }];
    }
  }
}

function isElement(value: unknown): value is Element {
  return typeof value === "object" && value !== null && "t" in value && typeof value.t === "string";
}

/** Typescripts underline what print has in italics; a link is underlined by itself. */
function underlined(inlines: unknown[]): unknown[] {
  const isLink = inlines.every((inline) => isElement(inline) && /^(?:Link|Space)$/.test(inline.t));
  return isLink ? inlines : [{ t: "Emph", c: inlines }];
}

/** Whether a link leads out of the document. */
function isOutside(content: unknown): boolean {
  const [, , target] = content as [unknown, unknown, [unknown]?];
  return /^(?:https?|mailto):/i.test(String(target?.[0] ?? ""));
}

function titled(level: unknown, inlines: unknown[]): unknown[] {
  return textOf(inlines).trim() === "" ? [] : [{ t: "Header", c: [level, NO_ATTRIBUTES, inlines] }];
}

function paragraph(t: string, inlines: unknown[]): unknown[] {
  const text = textOf(inlines);
  if (BREAK.test(text)) return [{ t: "HorizontalRule" }];
  return text.trim() === "" ? [] : [{ t, c: inlines }];
}

/** The text of a part of the tree. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join("");
  if (!isElement(value)) return "";
  if (value.t === "Str" || value.t === "MetaString") return String(value.c ?? "");
  if (/^(?:Space|SoftBreak|LineBreak)$/.test(value.t)) return " ";
  if (value.t === "Code" || value.t === "Math") return String((value.c as unknown[])[1] ?? "");
  if (value.t === "MetaList") return (value.c as unknown[]).map(textOf).join(", ");
  return textOf(value.c);
}
