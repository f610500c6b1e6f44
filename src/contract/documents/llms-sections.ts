import { endpoints, type Tier } from "../index.ts";
import { NATIVE } from "./llms-document.ts";
import { endpointSection, typeBlocks } from "./llms-endpoint.ts";
import { NOTATION } from "./llms-notation.ts";
import { PROSE } from "./llms-prose.ts";
import { records } from "./llms-schemas.ts";
import { ERRORS, LIMIT_TABLE } from "./llms-tables.ts";
import { type Section, toMarkdown } from "./llms-text.ts";
import { beginning, CONVENTIONS, ending, SUMMARY, TIER_COSTS } from "./llms-words.ts";

/**
 * The guide for building integrations, `llms.txt`: enough to write a correct client from this text alone. Source:
 * https://llmstxt.org.
 */
export function guide(baseUrl: string): string {
  const opening = [
    "# Manuscript API",
    `> ${SUMMARY} One bearer key opens three tiers: read is free, ai spends credits, write needs an active subscription.`,
    "This text is the whole contract: every endpoint, parameter, body key, answer key, error and limit. It is made from the same rows as the routes, so it holds for the server that sent it.",
  ];
  return `${[...opening, ...sections(baseUrl).map((section) => toMarkdown(section, 2))].join("\n\n")}\n`;
}

/** Everything that the guide and the page say, in order. */
export function sections(baseUrl: string): Section[] {
  return [
    ...beginning(baseUrl),
    CONVENTIONS,
    PROSE,
    NATIVE,
    { id: "types", title: "How types are written", blocks: [{ list: NOTATION }] },
    tierSection("read", "Endpoints: read tier", baseUrl),
    tierSection("ai", "Endpoints: AI tier", baseUrl),
    tierSection("write", "Endpoints: write tier", baseUrl),
    recordSection(),
    ERRORS,
    LIMIT_TABLE,
    ...ending(baseUrl),
  ];
}

function tierSection(tier: Tier, title: string, baseUrl: string): Section {
  const rows = endpoints.filter((row) => row.tier === tier);
  return {
    id: `${tier}-tier`,
    title,
    blocks: [TIER_COSTS[tier]],
    sections: rows.map((row) => endpointSection(row, baseUrl)),
  };
}

function recordSection(): Section {
  return {
    id: "records",
    title: "Records",
    blocks: ["The records that bodies and answers name."],
    sections: Object.entries(records()).map(([name, { description = "", ...schema }]) => ({
      id: name,
      title: name,
      blocks: [description, ...typeBlocks(schema)],
    })),
  };
}
