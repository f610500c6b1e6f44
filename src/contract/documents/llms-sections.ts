import { mayBeLeftOut } from "../endpoint.ts";
import { type Endpoint, endpoints, type Tier } from "../index.ts";
import { EVENTS_TYPE } from "../media-types.ts";
import { curl } from "./example.ts";
import { NOTATION, notation, remark, remarks } from "./llms-notation.ts";
import { NATIVE, PROSE } from "./llms-prose.ts";
import {
  answerHeadersOf,
  EVERYWHERE,
  mediaTypesOf,
  type Parameter,
  parametersOf,
  problemsOf,
} from "./llms-route.ts";
import { type JsonSchema, jsonSchema, records } from "./llms-schemas.ts";
import { ERRORS, LIMIT_TABLE } from "./llms-tables.ts";
import { type Block, codes, inFull, type Section, type Term, toMarkdown } from "./llms-text.ts";
import { beginning, CONVENTIONS, ending, OWN_BY_PROPOSERS, SUMMARY, TIER_COSTS } from "./llms-words.ts";

/** The whole guide for building integrations, `llms-full.txt`: a correct client can be written from this text alone. */
export function fullGuide(baseUrl: string): string {
  const opening = [
    "# Manuscript API",
    `> ${SUMMARY} One bearer key opens four tiers: read and propose are free, ai spends credits, write needs an active subscription.`,
    "This text is the whole contract (`/llms.txt` is its short form): every endpoint, parameter, body key, answer key, error and limit. It is made from the same rows as the routes, so it holds for the server that sent it.",
  ];
  return `${[...opening, ...sections(baseUrl).map((section) => toMarkdown(section, 2))].join("\n\n")}\n`;
}

/** Everything that the guide and the page say, in order. */
export function sections(baseUrl: string): Section[] {
  return [
    ...[...beginning(baseUrl), CONVENTIONS, PROSE, NATIVE].map(inFull),
    { id: "types", title: "How types are written", blocks: [{ list: NOTATION }] },
    tierSection("read", "Endpoints: read tier", baseUrl),
    tierSection("propose", "Endpoints: propose tier", baseUrl),
    tierSection("ai", "Endpoints: AI tier", baseUrl),
    tierSection("write", "Endpoints: write tier", baseUrl),
    recordSection(),
    ...[ERRORS, LIMIT_TABLE, ...ending(baseUrl)].map(inFull),
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

/** Everything about one endpoint: what it does, takes and answers, how it fails, a line to try it. */
function endpointSection(row: Endpoint, baseUrl: string): Section {
  const { id, method, path, tier, ownByProposers, summary, description, answer } = row;
  const parameters = parametersOf(row).map(parameterTerm);
  return {
    id,
    title: `${method} ${path}`,
    blocks: [
      `${summary}.${description === undefined ? "" : ` ${description}`}`,
      `Operation ${codes([id])}, ${tier} tier.${ownByProposers ? ` ${OWN_BY_PROPOSERS}` : ""}`,
      ...(parameters.length === 0 ? [] : ["Parameters:", { terms: parameters }]),
      ...requestBlocks(row),
      answerSentence(row),
      ...typeBlocks(jsonSchema(answer, "output")),
      errorSentence(row),
      ...siblingBlocks(row),
      { code: curl(row, baseUrl) },
    ],
  };
}

/** What the row that shares the route does with its bodies. */
function siblingBlocks({ sibling }: Endpoint): Block[] {
  if (sibling?.row.body === undefined) return [];
  const { id, tier, summary, description, body, answer } = sibling.row;
  return [
    `A body with the key ${codes([sibling.key])} is another operation, ${codes([id])}, ${tier} tier. ${summary}. ${description ?? ""}`,
    ...typeBlocks(jsonSchema(body.json, "input")),
    answerSentence(sibling.row),
    ...typeBlocks(jsonSchema(answer, "output")),
  ];
}

function parameterTerm({ name, in: place, required, schema, description }: Parameter): Term {
  const type = `${place}, ${required ? "required" : "optional"}, ${codes([notation(schema)])}.`;
  return { names: [name], text: `${type} ${remark({ ...schema, description })}` };
}

function requestBlocks(row: Endpoint): Block[] {
  if (row.body === undefined) return [];
  const bare = mediaTypesOf(row).filter((type) => type !== "application/json");
  const other = bare.length === 0 ? "" : `the bare Markdown as ${codes(bare)} or without a type; or `;
  const left = mayBeLeftOut(row.body) ? ", if any" : "";
  return [`Body${left}, ${other}\`application/json\`:`, ...typeBlocks(jsonSchema(row.body.json, "input"))];
}

function answerSentence(row: Endpoint): string {
  if (row.isStream) return `Answer 200, ${codes([EVENTS_TYPE])}, the data of each event:`;
  const headers = answerHeadersOf(row);
  const status = row.created === undefined ? 200 : 201;
  const carried = headers.length === 0 ? "" : ` with ${codes(headers)}`;
  const bare = row.hasBareForm ? "; bare `text/markdown` where `Accept` asks for it" : "";
  const others = row.hasEntityTag ? `${bare}; 304 without a body while your copy is good` : "";
  return `Answer ${status}${carried}${others}:`;
}

function errorSentence(row: Endpoint): string {
  const own = problemsOf(row).filter(({ code }) => !EVERYWHERE.includes(code));
  const named = codes(own.map(({ status, code }) => `${status} ${code}`));
  return named === "" ? "Errors: those of every call." : `Errors: ${named}, and those of every call.`;
}

/** A type and what it cannot say of its keys. */
function typeBlocks(schema: JsonSchema): Block[] {
  const terms = remarks(schema);
  return [{ type: notation(schema) }, ...(terms.length === 0 ? [] : [{ terms }])];
}
