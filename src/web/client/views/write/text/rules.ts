import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from "prosemirror-inputrules";
import type { Plugin } from "prosemirror-state";
import { sceneBreakAt } from "./commands.ts";
import { schema } from "./schema.ts";

const { nodes } = schema;

/** What typing at the start of a paragraph makes of it, as Markdown has it, and quotation marks where they are wanted. */
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
      ...curly(isCurly),
    ],
  });
}

const sceneBreak = new InputRule(/^(?:\*\*\*|\* \* \*)$/, (state, _match, start) => {
  const $start = state.doc.resolve(start);
  return $start.depth === 1 ? sceneBreakAt(state.tr, $start.before(), $start.after()) : null;
});

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

/** Takes back what a rule just did. */
export const undoRule = undoInputRule;
