import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from "prosemirror-inputrules";
import type { MarkType } from "prosemirror-model";
import type { Command, Plugin } from "prosemirror-state";
import { isSafeUrl } from "../../../../../prose/document/attributes.ts";
import { sceneBreakAt } from "./commands.ts";
import { schema } from "./schema.ts";

const { nodes } = schema;
const { code, em, link, strike, strong } = schema.marks;

/** What is typed becomes what Markdown means by it, and quotation marks where they are wanted. */
export function typingRules(isCurly: () => boolean): Plugin {
  return inputRules({
    rules: [
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
      wrappingInputRule(/^\s*[-+]\s$/, nodes.bullet_list),
      wrappingInputRule(/^(?![1-9]\d{3}\.)(\d{1,9})\.\s$/, nodes.ordered_list, (match) => ({
        order: Number(match[1]),
      })),
      textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, (match) => ({ level: match[1]?.length })),
      sceneBreak,
      signed,
      linked,
      ...curly(isCurly),
    ],
  });
}

const sceneBreak = new InputRule(/^(?:\*\*\*|\* \* \*)$/, (state, _match, start) => {
  const $start = state.doc.resolve(start);
  return $start.depth === 1 ? sceneBreakAt(state.tr, $start.before(), $start.after()) : null;
});

const notInCode = { inCodeMark: false };

/** Signs on both sides of words, and the marks that they mean. */
const SIGNS: Readonly<Record<string, readonly MarkType[]>> = {
  "*": [em],
  _: [em],
  "**": [strong],
  __: [strong],
  "***": [em, strong],
  "~~": [strike],
  "`": [code],
};
const SIGNED = /(?<![\p{L}\p{N}\\*_~`])(\*{1,3}|__?|~~|`)(?![\s*_~`])(?:(?!\1).)+(?<![\s\\])\1$/u;

// The last character is not in the text yet, unless it was composed.
const signed = new InputRule(
  SIGNED,
  ({ tr }, { 0: whole, 1: sign = "" }, start, end) => {
    const last = start + whole.length - sign.length;
    const marks = SIGNS[sign] ?? [];
    tr.delete(last, end);
    for (const mark of marks) tr.addMark(start + sign.length, last, mark.create());
    tr.delete(start, start + sign.length);
    for (const mark of marks) tr.removeStoredMark(mark);
    return tr;
  },
  notInCode,
);

const linked = new InputRule(
  /(?<![!\\])\[([^[\]]+)\]\(([^\s()<>]+)\)$/,
  ({ tr }, { 1: words = "", 2: href = "" }, start, end) => {
    const last = start + 1 + words.length;
    if (!isSafeUrl(href)) return null;
    return tr
      .delete(last, end)
      .addMark(start + 1, last, link.create({ href }))
      .delete(start, start + 1);
  },
  notInCode,
);

/** The characters that a quotation opens behind: the start, a blank, a bracket, a dash, another opening mark. */
const OPENS = String.raw`(?:^|[\s([{<\-\u2010-\u2015'"\u2018\u201c])`;

function curly(isOn: () => boolean): InputRule[] {
  const rule = (pattern: RegExp, text: string) =>
    new InputRule(pattern, (state, match, start, end) => {
      if (!isOn()) return null;
      const last = match[1] ?? match[0];
      return state.tr.insertText(text, start + match[0].length - last.length, end);
    });
  return [
    rule(new RegExp(`${OPENS}(")$`, "u"), "“"),
    rule(/"$/, "”"),
    rule(new RegExp(`${OPENS}(')$`, "u"), "‘"),
    rule(/'$/, "’"),
    rule(/\.\.\.$/, "…"),
  ];
}

/** Takes back what a rule just did: what was typed stands there as it was typed. */
export const undoRule: Command = undoInputRule;
