import type { MarkSpec, Node, NodeSpec, TagParseRule } from "prosemirror-model";
import { Schema } from "prosemirror-model";
import { checks } from "../../../../../prose/document/attributes.ts";
import { schema as stored } from "../../../../../prose/document/schema.ts";

/** The part of an element that the schema reads; the tests have no browser to take its types from. */
interface Tag {
  getAttribute(name: string): string | null;
}

const ID = "data-block";
const idOf = (tag: Tag) => ({ blockId: kept("blockId", tag.getAttribute(ID), null) });
const withId = ({ attrs }: Node) => (attrs.blockId === null ? {} : { [ID]: attrs.blockId as string });
const whole = { preserveWhitespace: "full" } as const;

/** Returns the value of a pasted element, or `otherwise` if the document does not take it. */
function kept<Otherwise>(name: keyof typeof checks, value: string | null, otherwise: Otherwise) {
  try {
    checks[name](value);
    return value;
  } catch {
    return otherwise;
  }
}

/** The attributes of a pasted element; false, so that it is passed over, where the document does not take one of them. */
function allKept(attrs: Readonly<Record<string, string | null>>): Record<string, string | null> | false {
  const isTaken = Object.entries(attrs).every(
    ([name, value]) => kept(name as keyof typeof checks, value, undefined) !== undefined,
  );
  return isTaken ? attrs : false;
}

function numberOf(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function rawText(text: string | null): Record<string, string | null> | false {
  return kept("rawText", text, undefined) === undefined ? false : { text };
}

/** Reads a mark of its tags, unless their style says otherwise, and of a style, which `paste` has put where it can be read. */
function marked(tags: readonly string[], property: string, on: string): readonly TagParseRule[] {
  const said = new RegExp(`(?:^|[;\\s])${property}:\\s*(?:(${on})|[\\w-]+)`, "i");
  const read = (tag: Tag) => said.exec(tag.getAttribute("data-style") ?? "");
  return [
    {
      tag: "[data-style]",
      priority: 60,
      consuming: false,
      getAttrs: (tag) => Boolean(read(tag)?.[1]) && null,
    },
    ...tags.map((tag) => ({ tag, getAttrs: (tag: Tag) => (read(tag) ?? [0, 1])[1] !== undefined && null })),
  ];
}

/** How each kind of block and inline is shown, and read back from what is pasted. */
const SHOWN: Readonly<Record<string, Partial<NodeSpec>>> = {
  paragraph: {
    toDOM: (node) => ["p", { class: "b", ...withId(node) }, 0],
    parseDOM: [{ tag: "p", getAttrs: idOf }],
  },
  heading: {
    toDOM: (node) => [`h${node.attrs.level}`, withId(node), 0],
    parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({
      tag: `h${level}`,
      getAttrs: (tag: Tag) => ({ level, ...idOf(tag) }),
    })),
  },
  blockquote: { toDOM: () => ["blockquote", 0], parseDOM: [{ tag: "blockquote" }] },
  bullet_list: { toDOM: () => ["ul", 0], parseDOM: [{ tag: "ul" }] },
  ordered_list: {
    toDOM: ({ attrs }) => ["ol", { start: String(attrs.order) }, 0],
    parseDOM: [
      {
        tag: "ol",
        getAttrs: (tag: Tag) => ({ order: numberOf(tag.getAttribute("start")) ?? 1 }),
      },
    ],
  },
  list_item: {
    toDOM: ({ attrs }) => ["li", attrs.value === null ? {} : { value: String(attrs.value) }, 0],
    parseDOM: [{ tag: "li", getAttrs: (tag: Tag) => ({ value: numberOf(tag.getAttribute("value")) }) }],
  },
  footnote: {
    toDOM: ({ attrs }) => ["aside", { class: "footnote", "data-label": attrs.label }, 0],
    parseDOM: [
      {
        tag: "aside.footnote[data-label]",
        getAttrs: (tag: Tag) => allKept({ label: tag.getAttribute("data-label") }),
      },
    ],
  },
  code_block: {
    toDOM: (node) => ["pre", { ...withId(node), "data-params": node.attrs.params }, ["code", 0]],
    parseDOM: [
      {
        tag: "pre",
        ...whole,
        getAttrs: (tag: Tag) => ({
          ...idOf(tag),
          params: kept("params", tag.getAttribute("data-params"), ""),
        }),
      },
    ],
  },
  raw_block: {
    toDOM: (node) => ["pre", { ...withId(node), class: "raw", "data-kind": node.attrs.kind }, 0],
    parseDOM: [
      {
        tag: "pre.raw[data-kind]",
        priority: 60,
        ...whole,
        getAttrs: (tag: Tag) => ({ ...idOf(tag), kind: kept("kind", tag.getAttribute("data-kind"), "html") }),
      },
    ],
  },
  scene_break: {
    toDOM: (node) => ["hr", { ...withId(node), "data-markup": node.attrs.markup }],
    parseDOM: [
      {
        tag: "hr",
        getAttrs: (tag: Tag) => ({
          ...idOf(tag),
          markup: kept("markup", tag.getAttribute("data-markup"), "***"),
        }),
      },
    ],
  },
  hard_break: { toDOM: () => ["br"], parseDOM: [{ tag: "br" }], leafText: () => "\n" },
  // The address of a picture is kept and never asked for by the browser: a node view shows what the book keeps there.
  image: {
    toDOM: ({ attrs }) => [
      "span",
      { class: "picture", "data-src": attrs.src, "data-title": attrs.title ?? "" },
      attrs.alt ?? attrs.src,
    ],
    parseDOM: [
      {
        tag: "span.picture[data-src]",
        getAttrs: (tag: Tag & { textContent?: string | null }) =>
          allKept({
            src: tag.getAttribute("data-src"),
            alt: tag.textContent || null,
            title: tag.getAttribute("data-title") || null,
          }),
      },
    ],
  },
  footnote_ref: {
    toDOM: ({ attrs }) => ["sup", { class: "ref", "data-label": attrs.label }, attrs.label],
    parseDOM: [
      {
        tag: "sup.ref[data-label]",
        getAttrs: (tag: Tag) => allKept({ label: tag.getAttribute("data-label") }),
      },
    ],
  },
  raw_inline: {
    toDOM: ({ attrs }) => ["span", { class: "raw", title: attrs.text }, "‹›"],
    parseDOM: [{ tag: "span.raw[title]", getAttrs: (tag: Tag) => rawText(tag.getAttribute("title")) }],
  },
};

const SHOWN_MARKS: Readonly<Record<string, Partial<MarkSpec>>> = {
  link: {
    toDOM: ({ attrs }) => ["a", { href: attrs.href, title: attrs.title ?? attrs.href, rel: "noreferrer" }, 0],
    parseDOM: [{ tag: "a[href]", getAttrs: (tag: Tag) => allKept({ href: tag.getAttribute("href") }) }],
  },
  em: { toDOM: () => ["em", 0], parseDOM: marked(["em", "i"], "font-style", "italic") },
  strong: {
    toDOM: () => ["strong", 0],
    parseDOM: marked(["strong", "b"], "font-weight", "bold(?:er)?|[5-9]\\d\\d"),
  },
  strike: {
    toDOM: () => ["s", 0],
    parseDOM: marked(["s", "del"], "text-decoration(?:-line)?", "line-through"),
  },
  code: { toDOM: () => ["code", 0], parseDOM: [{ tag: "code" }] },
  mention: {
    toDOM: ({ attrs }) => [
      "span",
      { class: "mention", "data-fact": attrs.factId, "data-mention": attrs.mentionId ?? "" },
      0,
    ],
    parseDOM: [
      {
        tag: "span.mention[data-fact]",
        getAttrs: (tag: Tag) =>
          allKept({
            factId: tag.getAttribute("data-fact"),
            mentionId: tag.getAttribute("data-mention") || null,
          }),
      },
    ],
  },
};

const SOFT_BREAK: NodeSpec = {
  inline: true,
  group: "inline",
  selectable: false,
  leafText: () => "\n",
  toDOM: () => ["span", { class: "soft" }, " "],
  parseDOM: [{ tag: "span.soft" }],
};

/**
 * The document's schema with what a browser needs: how each node is shown, and a line end within a paragraph as a node of its
 * own. As a character it would be read back from the page as a blank, and the first key would re-flow the writer's source.
 */
export const schema: Schema<StoredNode | "soft_break", StoredMark> = new Schema({
  nodes: { ...specs(stored.spec.nodes, SHOWN), soft_break: SOFT_BREAK } as Record<
    StoredNode | "soft_break",
    NodeSpec
  >,
  marks: specs(stored.spec.marks, SHOWN_MARKS) as Record<StoredMark, MarkSpec>,
});

type StoredNode = typeof stored extends Schema<infer Name, string> ? Name : never;
type StoredMark = typeof stored extends Schema<string, infer Name> ? Name : never;

function specs<Spec extends NodeSpec | MarkSpec>(
  known: { forEach(each: (name: string, spec: Spec) => void): void },
  shown: Readonly<Record<string, Partial<Spec>>>,
): Record<string, Spec> {
  const all: Record<string, Spec> = {};
  known.forEach((name, spec) => {
    all[name] = { ...spec, ...shown[name] };
  });
  return all;
}
