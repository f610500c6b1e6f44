import { readFileSync } from "node:fs";
import { groupBy } from "../text/group-by.ts";
import { once } from "../text/once.ts";
import { anyOf, bounds, terse, WORD_SETS } from "./documents/llms-notation.ts";
import {
  API_PROBLEMS,
  DOCUMENTS,
  mediaTypesOf,
  parametersOf,
  SUMMARY,
  TIER_COSTS,
} from "./documents/llms-route.ts";
import { codes, type JsonSchema, jsonSchema, recordName, records } from "./documents/llms-schemas.ts";
import { type Endpoint, endpoints, type Tier } from "./index.ts";

/** Text of the guide with `{{name}}` where something is derived from the rows. The build puts a copy beside the program. */
const template = once(() => readFileSync(new URL("guide.md", import.meta.url), "utf8"));

/**
 * The guide for building integrations, `llms.txt`, at most 16 kB: all that reading and the specification's writes need.
 * It lists the other routes; `openapi.json` describes them. Source: https://llmstxt.org.
 */
export function guide(baseUrl: string): string {
  const slots: Readonly<Record<string, string>> = {
    base: baseUrl,
    summary: SUMMARY,
    read: tierText("read"),
    propose: tierText("propose"),
    ai: tierText("ai"),
    write: tierText("write"),
    records: recordList(),
    errors: API_PROBLEMS.map(({ code, status, when }) => `- ${status} ${codes([code])}: ${when}`).join("\n"),
    documents: DOCUMENTS.map(({ path }) => `- [GET ${path}](${baseUrl}${path})`).join("\n"),
  };
  return template().replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const text = slots[name];
    if (text === undefined) throw new Error(`guide.md names ${name}, which nothing is derived for`);
    return text;
  });
}

/** A tier's routes; those beyond the specification by name alone. */
function tierText(tier: Tier): string {
  const rows = endpoints.filter((row) => row.tier === tier);
  const beyond = inGroups(rows.filter((row) => row.beyond));
  const besides = beyond.length === 0 ? [] : [`Besides: ${codes(beyond)}.`];
  return [TIER_COSTS[tier], ...besides, ...rows.filter((row) => !row.beyond).map(endpointText)].join("\n\n");
}

/** Routes by name: those of one path together, then those that differ in the last word of their path alone. */
function inGroups(rows: readonly Endpoint[]): string[] {
  const paths = [...groupBy(rows, ({ path }) => path)].map(([path, own]) => {
    const [, parent = "", last = ""] = /^(.*\/)([^/]*)$/.exec(path) ?? [];
    return { start: `${own.map(({ method }) => method).join("|")} ${parent}`, last };
  });
  const groups = groupBy(paths, ({ start, last }) => (last.startsWith("{") ? `${start}${last}` : start));
  return [...groups.values()].map((group) => group[0].start + group.map(({ last }) => last).join("|"));
}

function endpointText(row: Endpoint): string {
  const { method, path, summary, body } = row;
  // Every write takes dryRun, as is told once.
  const query = parametersOf(row).filter(({ name, in: place }) => place === "query" && name !== "dryRun");
  const asked = query.map(({ name, required, schema }) => {
    const range = bounds(schema);
    return `${codes([`${name}${required ? "" : "?"}: ${terse(schema)}`])}${range === "" ? "" : ` (${range})`}`;
  });
  const isBare = mediaTypesOf(row).length > 1;
  const status = row.created === undefined ? "" : " 201";
  const lines = [
    `${summary}.${asked.length === 0 ? "" : ` Query: ${asked.join(", ")}.`}`,
    ...(body === undefined
      ? []
      : [
          `Body${isBare ? ", bare Markdown or JSON" : ""}: ${codes([terse(jsonSchema(body.json, "input"))])}`,
        ]),
    `Answer${status}: ${codes([terse(jsonSchema(row.answer, "output"))])}`,
  ];
  return `### ${method} ${path}\n\n${lines.join("\n")}`;
}

/** The records that the specification's routes name, and those that these name. */
function recordList(): string {
  const all = records();
  const used = new Set<string>();
  const add = (schema: JsonSchema) => {
    for (const name of namedIn(schema)) {
      const record = all[name];
      if (record === undefined || used.has(name)) continue;
      used.add(name);
      add(record);
    }
  };
  for (const row of endpoints.filter(({ beyond }) => !beyond)) add(jsonSchema(row.answer, "output"));
  const lines = Object.entries(all)
    .filter(([name]) => used.has(name))
    .map(([name, record]) => `- ${codes([name])}: ${codes([terse(record)])}`);
  const sets = Object.entries(WORD_SETS).map(
    ([name, words]) => `- ${codes([name])}: ${codes([anyOf(words)])}`,
  );
  return [...lines, ...sets].join("\n");
}

function namedIn(schema: JsonSchema): string[] {
  const names = JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g);
  return Array.from(names, ([, ref = ""]) => recordName(ref));
}
