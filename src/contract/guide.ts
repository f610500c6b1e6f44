import { readFileSync } from "node:fs";
import { groupBy } from "../text/group-by.ts";
import { once } from "../text/once.ts";
import { curl, DOCUMENT, type ProblemCode, problemExample } from "./documents/example.ts";
import { anyOf, notation, remark, remarks, terse, WORD_SETS } from "./documents/llms-notation.ts";
import {
  API_PROBLEMS,
  answerHeadersOf,
  DOCUMENTS,
  EVERYWHERE,
  mediaTypesOf,
  OWN_BY_PROPOSERS,
  type Parameter,
  parametersOf,
  problemsOf,
  SUMMARY,
  TIER_COSTS,
} from "./documents/llms-route.ts";
import {
  codes,
  type JsonSchema,
  jsonSchema,
  layOut,
  recordName,
  records,
  type Term,
} from "./documents/llms-schemas.ts";
import { mayBeLeftOut } from "./endpoint.ts";
import { EVENTS_TYPE } from "./enums.ts";
import { type Endpoint, endpoints, type Tier } from "./index.ts";
import { LIMITS } from "./limits.ts";

type Form = "full" | "short";

/**
 * The guide as it is written, a Markdown text: `<full>` and `<short>` enclose what one of its forms alone says, `{{name}}` stands for
 * what is derived from the rows. The build puts a copy beside the program.
 */
const template = once(() => readFileSync(new URL("guide.md", import.meta.url), "utf8"));

/** The whole guide for building integrations, `llms-full.txt`: a correct client can be written from this text alone. */
export function fullGuide(baseUrl: string): string {
  return fill("full", baseUrl);
}

/**
 * The guide for building integrations, `llms.txt`, at most 16 kB: all that reading and the specification's writes need;
 * what goes beyond is named, and told by `llms-full.txt`. Source: https://llmstxt.org.
 */
export function guide(baseUrl: string): string {
  return fill("short", baseUrl);
}

function fill(form: Form, baseUrl: string): string {
  const other = form === "full" ? "short" : "full";
  const slots: Readonly<Record<string, string>> = {
    ...amounts(),
    base: baseUrl,
    summary: SUMMARY,
    tiers: table(
      ["Tier", "Cost and requirement", "Operations"],
      Object.entries(TIER_COSTS).map(([tier, cost]) => [tier, cost, operations((row) => row.tier === tier)]),
    ),
    proposers: operations((row) => row.ownByProposers === true),
    document: layOut(DOCUMENT),
    read: tierText("read", form, baseUrl),
    propose: tierText("propose", form, baseUrl),
    ai: tierText("ai", form, baseUrl),
    write: tierText("write", form, baseUrl),
    records: form === "full" ? fullRecords() : shortRecords(),
    errors: form === "full" ? errorTable() : errorList(),
    everywhere: codes(EVERYWHERE),
    refusal: layOut(problemExample("bad_request").body),
    documents: DOCUMENTS.map(
      ({ path, summary }) => `- [GET ${path}](${baseUrl}${path})${form === "full" ? `: ${summary}.` : ""}`,
    ).join("\n"),
  };
  return template()
    .replace(new RegExp(`\\n<${other}>.*?</${other}>(?=\\n)`, "gs"), "") // whole lines of a list
    .replace(new RegExp(`<${other}>.*?</${other}>`, "gs"), "")
    .replace(/<\/?(?:full|short)>/g, "")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const text = slots[name];
      if (text === undefined) throw new Error(`guide.md names ${name}, which nothing is derived for`);
      return text;
    });
}

function amounts(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(LIMITS).map(([key, value]) => [
      key,
      key.endsWith("Bytes") ? size(value) : value.toLocaleString("en-GB"),
    ]),
  );
}

function size(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`;
}

function operations(isMeant: (row: Endpoint) => boolean): string {
  return codes(endpoints.filter(isMeant).map(({ id }) => id));
}

/** A tier's routes; the short form says what is beyond the specification by name alone. */
function tierText(tier: Tier, form: Form, baseUrl: string): string {
  const rows = endpoints.filter((row) => row.tier === tier);
  if (form === "full")
    return [TIER_COSTS[tier], ...rows.map((row) => fullEndpoint(row, baseUrl))].join("\n\n");
  const beyond = inGroups(rows.filter((row) => row.beyond));
  const besides = beyond.length === 0 ? [] : [`Besides: ${codes(beyond)}.`];
  return [TIER_COSTS[tier], ...besides, ...rows.filter((row) => !row.beyond).map(shortEndpoint)].join("\n\n");
}

/** Everything about one endpoint: what it does, takes and answers, how it fails, a line to try it. */
function fullEndpoint(row: Endpoint, baseUrl: string): string {
  const { id, method, path, tier, ownByProposers, summary, description, answer } = row;
  const parameters = parametersOf(row).map(parameterTerm);
  return [
    `### ${method} ${path}`,
    `${summary}.${description === undefined ? "" : ` ${description}`}`,
    `Operation ${codes([id])}, ${tier} tier.${ownByProposers ? ` ${OWN_BY_PROPOSERS}` : ""}`,
    ...(parameters.length === 0 ? [] : ["Parameters:", terms(parameters)]),
    ...requestText(row),
    answerSentence(row),
    ...(row.mediaTypes === undefined ? typeText(jsonSchema(answer, "output")) : []),
    errorSentence(row),
    ...siblingText(row),
    fence(curl(row, baseUrl)),
  ].join("\n\n");
}

/** Body middleware of the row that shares the route. */
function siblingText({ sibling }: Endpoint): string[] {
  if (sibling?.row.body === undefined) return [];
  const { id, tier, summary, description, body, answer } = sibling.row;
  return [
    `A body with the key ${codes([sibling.key])} is another operation, ${codes([id])}, ${tier} tier. ${summary}. ${description ?? ""}`,
    ...typeText(jsonSchema(body.json, "input")),
    answerSentence(sibling.row),
    ...typeText(jsonSchema(answer, "output")),
  ];
}

function parameterTerm({ name, in: place, required, schema, description }: Parameter): Term {
  const type = `${place}, ${required ? "required" : "optional"}, ${codes([notation(schema)])}.`;
  return { names: [name], text: `${type} ${remark({ ...schema, description })}` };
}

function requestText(row: Endpoint): string[] {
  if (row.body === undefined) return [];
  const bare = mediaTypesOf(row).filter((type) => type !== "application/json");
  const other = bare.length === 0 ? "" : `the bare Markdown as ${codes(bare)} or without a type; or `;
  const left = mayBeLeftOut(row.body) ? ", if any" : "";
  return [`Body${left}, ${other}\`application/json\`:`, ...typeText(jsonSchema(row.body.json, "input"))];
}

function answerSentence(row: Endpoint): string {
  if (row.isStream) return `Answer 200, ${codes([EVENTS_TYPE])}, the data of each event:`;
  if (row.mediaTypes !== undefined) {
    const tag = row.hasEntityTag ? " With `ETag`; 304 without a body while your copy is good." : "";
    return `Answer 200, a file: ${codes(row.mediaTypes)}.${tag}`;
  }
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
function typeText(schema: JsonSchema): string[] {
  const said = remarks(schema);
  return [fence(notation(schema)), ...(said.length === 0 ? [] : [terms(said)])];
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

function shortEndpoint(row: Endpoint): string {
  const { method, path, summary, body } = row;
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
  return `### ${method} ${path}\n\n${lines.join("\n")}`;
}

function fullRecords(): string {
  return Object.entries(records())
    .map(([name, { description = "", ...schema }]) =>
      [`### ${name}`, description, ...typeText(schema)].join("\n\n"),
    )
    .join("\n\n");
}

/** The records that the specification's routes name, and those that these name. */
function shortRecords(): string {
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

function errorTable(): string {
  return table(
    ["Status", "`error`", "When", "Besides"],
    API_PROBLEMS.map(({ code, status, when }) => [String(status), codes([code]), when, besides(code)]),
  );
}

function errorList(): string {
  return API_PROBLEMS.map(({ code, status, when }) => `- ${status} ${codes([code])}: ${when}`).join("\n");
}

function besides(code: ProblemCode): string {
  const { body, headers } = problemExample(code);
  const keys = Object.keys(body).filter((key) => key !== "error" && key !== "message");
  return codes([...keys, ...headers]);
}

function terms(list: readonly Term[]): string {
  return list.map(({ names, text }) => `- ${codes(names)}: ${text}`).join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => text.replace(/\|/g, "\\|");
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
}

function fence(code: string): string {
  return `\`\`\`\n${code}\n\`\`\``;
}
