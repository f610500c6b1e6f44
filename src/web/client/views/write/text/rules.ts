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
import { typesetter } from "./typeset.ts";

const { nodes } = schema;
const { code, em, link, strike, strong } = schema.marks;

/** Turns Markdown signs into marks and blocks as they are typed and, if `isCurly` says so, sets quotes and dashes by the language. */
export function typingRules(isCurly: () => boolean, language: string): Plugin {
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
      typeset(isCurly, language),
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

function typeset(isOn: () => boolean, language: string): InputRule {
  const setAs = typesetter(language);
  return new InputRule(
    /[\s\S]$/,
    ({ tr }, { 0: last, input = "" }, start, end) => {
      const set = isOn() ? setAs(input) : input;
      if (set === input) return null;
      let from = 0;
      while (set[from] === input[from]) from++;
      let rest = 0;
      while (rest < input.length - from && set.at(-1 - rest) === input.at(-1 - rest)) rest++;
      const posAt = (index: number) => start + 1 - input.length + index;
      tr.insertText(last, start, end);
      return tr.insertText(set.slice(from, set.length - rest), posAt(from), posAt(input.length - rest));
    },
    notInCode,
  );
}

/** Takes back what a rule just did: what was typed stands there as it was typed. */
export const undoRule: Command = undoInputRule;
