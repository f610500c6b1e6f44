import type { Endpoint } from "../index.ts";
import { curl } from "./example.ts";
import { notation, remark, remarks } from "./llms-notation.ts";
import {
  answerHeadersOf,
  EVERYWHERE,
  mediaTypesOf,
  type Parameter,
  parametersOf,
  problemsOf,
} from "./llms-route.ts";
import { type JsonSchema, jsonSchema } from "./llms-schemas.ts";
import { type Block, codes, type Section, type Term } from "./llms-text.ts";

/** Everything about one endpoint: what it does, takes and answers, how it fails, a line to try it. */
export function endpointSection(row: Endpoint, baseUrl: string): Section {
  const { id, method, path, tier, summary, description, answer } = row;
  const parameters = parametersOf(row).map(parameterTerm);
  return {
    id,
    title: `${method} ${path}`,
    blocks: [
      `${summary}.${description === undefined ? "" : ` ${description}`}`,
      `Operation ${codes([id])}, ${tier} tier.`,
      ...(parameters.length === 0 ? [] : ["Parameters:", { terms: parameters }]),
      ...requestBlocks(row),
      answerSentence(row),
      ...typeBlocks(jsonSchema(answer, "output")),
      errorSentence(row),
      { code: curl(row, baseUrl) },
    ],
  };
}

function parameterTerm({ name, in: place, required, schema, description }: Parameter): Term {
  const type = `${place}, ${required ? "required" : "optional"}, ${codes([notation(schema)])}.`;
  return { names: [name], text: `${type} ${remark({ ...schema, description })}` };
}

function requestBlocks(row: Endpoint): Block[] {
  if (row.body === undefined) return [];
  const bare = mediaTypesOf(row).filter((type) => type !== "application/json");
  const other = bare.length === 0 ? "" : `the bare Markdown as ${codes(bare)} or without a type; or `;
  return [`Body, ${other}\`application/json\`:`, ...typeBlocks(jsonSchema(row.body.json, "input"))];
}

function answerSentence(row: Endpoint): string {
  const headers = answerHeadersOf(row);
  const status = row.created === undefined ? 200 : 201;
  const carried = headers.length === 0 ? "" : ` with ${codes(headers)}`;
  const others = row.hasEntityTag
    ? "; bare `text/markdown` where `Accept` asks for it; 304 without a body while your copy is good"
    : "";
  return `Answer ${status}${carried}${others}:`;
}

function errorSentence(row: Endpoint): string {
  const own = problemsOf(row).filter(({ code }) => !EVERYWHERE.includes(code));
  const named = codes(own.map(({ status, code }) => `${status} ${code}`));
  return named === "" ? "Errors: those of every call." : `Errors: ${named}, and those of every call.`;
}

/** A type and what it cannot say of its keys. */
export function typeBlocks(schema: JsonSchema): Block[] {
  const terms = remarks(schema);
  return [{ type: notation(schema) }, ...(terms.length === 0 ? [] : [{ terms }])];
}
