import { type AttributeSpec, Schema } from "prosemirror-model";
import { checks } from "./attributes.ts";

function attribute(name: keyof typeof checks, ...defaults: [] | [unknown]): AttributeSpec {
  const validate = checks[name];
  return defaults.length === 0 ? { validate } : { default: defaults[0], validate };
}

const blockId = attribute("blockId", null);
const tight = attribute("tight", true);

/**
 * A chapter: the names of prosemirror-markdown's schema wherever it has one, plus what lossless Markdown needs. Leaf
 * blocks carry `blockId` at any depth. Text may hold `\n`, a soft line break; `raw_block` and `code_block` hold their
 * text verbatim without the last line end. Source: llms.txt, The forms of a chapter; docs/decisions/014-markdown.md.
 */
export const schema = new Schema({
  nodes: {
    doc: { content: "block*" },
    paragraph: { content: "inline*", group: "block", attrs: { blockId } },
    heading: {
      content: "inline*",
      group: "block",
      defining: true,
      attrs: { blockId, level: attribute("level", 1) },
    },
    blockquote: { content: "block+", group: "block" },
    bullet_list: {
      content: "list_item+",
      group: "block",
      attrs: { bullet: attribute("bullet", "-"), tight },
    },
    ordered_list: {
      content: "list_item+",
      group: "block",
      attrs: { order: attribute("order", 1), delim: attribute("delim", "."), tight },
    },
    list_item: { content: "block+", defining: true, attrs: { value: attribute("value", null) } },
    footnote: { content: "block+", group: "block", attrs: { label: attribute("label") } },
    code_block: {
      content: "text*",
      group: "block",
      code: true,
      defining: true,
      marks: "mention",
      attrs: { blockId, params: attribute("params", ""), fence: attribute("fence", "```") },
    },
    raw_block: {
      content: "text*",
      group: "block",
      code: true,
      marks: "mention",
      attrs: { blockId, kind: attribute("kind", "html") },
    },
    scene_break: { group: "block", attrs: { blockId, markup: attribute("markup", "***") } },
    text: { group: "inline" },
    hard_break: { inline: true, group: "inline", selectable: false },
    image: {
      inline: true,
      group: "inline",
      attrs: { src: attribute("src"), alt: attribute("alt", null), title: attribute("title", null) },
    },
    footnote_ref: { inline: true, group: "inline", attrs: { label: attribute("label") } },
    raw_inline: { inline: true, group: "inline", attrs: { text: attribute("rawText") } },
  },
  marks: {
    link: { attrs: { href: attribute("href"), title: attribute("title", null) }, inclusive: false },
    em: {},
    strong: {},
    strike: {},
    code: { code: true },
    mention: {
      attrs: { mentionId: attribute("mentionId", null), factId: attribute("factId") },
      excludes: "",
      inclusive: false,
    },
  },
});
