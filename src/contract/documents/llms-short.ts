import { groupBy } from "../../text/group-by.ts";
import { TIERS } from "../enums.ts";
import { type Endpoint, endpoints, type Tier } from "../index.ts";
import { anyOf, remark, TERSE_NOTATION, terse, WORD_SETS } from "./llms-notation.ts";
import { NATIVE, PROSE } from "./llms-prose.ts";
import { mediaTypesOf, parametersOf } from "./llms-route.ts";
import { type JsonSchema, jsonSchema, recordName, records } from "./llms-schemas.ts";
import { ERRORS } from "./llms-tables.ts";
import { codes, inShort, type Section, toMarkdown } from "./llms-text.ts";
import { beginning, CONVENTIONS, ending, SUMMARY, TIER_COSTS } from "./llms-words.ts";

/**
 * The guide for building integrations, `llms.txt`, at most 16 kB: all that reading and the specification's writes need;
 * what goes beyond is named, and told by `llms-full.txt`. Source: https://llmstxt.org.
 */
export function guide(baseUrl: string): string {
  const opening = [
    "# Manuscript API",
    `> ${SUMMARY} One bearer key opens four tiers: read and propose are free, ai spends credits, write needs an active subscription.`,
    `The short form; examples, bounds and all other routes: [llms-full.txt](${baseUrl}/llms-full.txt).`,
  ];
  const sections: Section[] = [
    ...[...beginning(baseUrl), CONVENTIONS, PROSE, NATIVE].map(inShort),
    { id: "types", title: "How types are written", blocks: [TERSE_NOTATION] },
    ...TIERS.map(tierSection),
    recordSection(),
    ...[ERRORS, ...ending(baseUrl)].map(inShort),
  ];
  return `${[...opening, ...sections.map((section) => toMarkdown(section, 2))].join("\n\n")}\n`;
}

const TITLES: Readonly<Record<Tier, string>> = {
  read: "Endpoints: read tier",
  propose: "Endpoints: propose tier",
  ai: "Endpoints: AI tier",
  write: "Endpoints: write tier",
};

/** A tier's routes of the specification, and the names of those beyond it. */
function tierSection(tier: Tier): Section {
  const rows = endpoints.filter((row) => row.tier === tier);
  const beyond = inGroups(rows.filter((row) => row.beyond));
  return {
    id: `${tier}-tier`,
    title: TITLES[tier],
    blocks: [TIER_COSTS[tier], ...(beyond.length === 0 ? [] : [`Besides: ${codes(beyond)}.`])],
    sections: rows.filter((row) => !row.beyond).map(endpointSection),
  };
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

function endpointSection(row: Endpoint): Section {
  const { id, method, path, summary, body } = row;
  // Every write takes dryRun, as is told once.
  const query = parametersOf(row).filter(({ name, in: place }) => place === "query" && name !== "dryRun");
  const asked = query.map(({ name, required, schema: { description: _, ...schema } }) => {
    const bounds = remark(schema).replace(/\.$/, "").toLowerCase();
    return `${codes([`${name}${required ? "" : "?"}: ${terse(schema)}`])}${bounds === "" ? "" : ` (${bounds})`}`;
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
  return { id, title: `${method} ${path}`, blocks: [lines.join("\n")] };
}

/** The records that the specification's routes name, and those that these name. */
function recordSection(): Section {
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
  return { id: "records", title: "Records", blocks: [[...lines, ...sets].join("\n")] };
}

function namedIn(schema: JsonSchema): string[] {
  const names = JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g);
  return Array.from(names, ([, ref = ""]) => recordName(ref));
}
