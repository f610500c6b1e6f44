import MarkdownIt from "markdown-it";

type BlockRule = Parameters<MarkdownIt["block"]["ruler"]["at"]>[1];
type InlineRule = Parameters<MarkdownIt["inline"]["ruler"]["at"]>[1];

/** Returns markdown-it's own block rule of that name, to be wrapped by ours. */
export function stockBlockRule(name: string): BlockRule {
  const { ruler } = new MarkdownIt().block;
  ruler.enableOnly([name]);
  return onlyRule(name, ruler.getRules(""));
}

/** Returns markdown-it's own inline rule of that name, to be wrapped by ours. */
export function stockInlineRule(name: string): InlineRule {
  const { ruler } = new MarkdownIt().inline;
  ruler.enableOnly([name]);
  return onlyRule(name, ruler.getRules(""));
}

function onlyRule<Rule>(name: string, rules: Rule[]): Rule {
  const rule = rules[0];
  if (rule === undefined) throw new Error(`markdown-it has no rule "${name}"`);
  return rule;
}
