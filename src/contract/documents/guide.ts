import { sections } from "./llms-sections.ts";
import { toMarkdown } from "./llms-text.ts";
import { SUMMARY } from "./llms-words.ts";

/**
 * The guide for building integrations, `llms.txt`: enough to write a correct client from this text alone.
 * Source: spec, Versioning; llmstxt.org for its shape.
 */
export function guide(baseUrl: string): string {
  const opening = [
    "# Manuscript API",
    `> ${SUMMARY} One bearer key opens three tiers: read is free, ai spends credits, write needs an active subscription.`,
    "This text is the whole contract: every endpoint, parameter, body key, answer key, error and limit. It is made from the same rows as the routes, so it holds for the server that sent it.",
  ];
  return `${[...opening, ...sections(baseUrl).map((section) => toMarkdown(section, 2))].join("\n\n")}\n`;
}
