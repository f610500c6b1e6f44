import { LIMITS } from "../limits.ts";
import { type ProblemCode, problemExample } from "./example.ts";
import { API_PROBLEMS, EVERYWHERE } from "./llms-route.ts";
import { codes, type Draft, layOut, type Term } from "./llms-text.ts";

/** Keys that some errors have beside `error` and `message`. */
const EXTRAS: readonly Term[] = [
  { names: ["details"], text: "`[{path: string, message: string}]`, each fault with its JSON Pointer." },
  { names: ["required", "available"], text: "`integer`, credits." },
  {
    names: ["currentRevision"],
    text: "`integer`, the chapter's revision now; also with the `conflict` of `anchorMentions`.",
  },
  {
    names: ["standing"],
    text: "`[{table: string, id: string, reason: string}]`, with the `conflict` of `undoAct`: what has changed since.",
  },
  { names: ["requestId"], text: "`string`, what to quote in a report." },
];

/** Every error. */
export const ERRORS: Draft = {
  id: "errors",
  title: "Errors",
  blocks: [
    "Every error is JSON of one form: `{error, message}`, `error` a stable code, `message` a sentence that says what is wrong and what to do.",
    {
      full: "After an error nothing has been written. The table is in the order in which a request is checked.",
    },
    {
      full: {
        head: ["Status", "`error`", "When", "Besides"],
        rows: API_PROBLEMS.map(({ code, status, when }) => [
          String(status),
          codes([code]),
          when,
          besides(code),
        ]),
      },
    },
    {
      short: { list: API_PROBLEMS.map(({ code, status, when }) => `${status} ${codes([code])}: ${when}`) },
    },
    { full: { terms: EXTRAS } },
    { full: `Any call may answer ${codes(EVERYWHERE)}. A path that there is none of is 404.` },
    "Mend the request after 400, 413 and 415; read the chapter again after 409 and 412; wait and send again after 429 (`Retry-After` in seconds) and 503.",
    { full: { code: layOut(problemExample("bad_request").body) } },
  ],
};

function besides(code: ProblemCode): string {
  const { body, headers } = problemExample(code);
  const keys = Object.keys(body).filter((key) => key !== "error" && key !== "message");
  return codes([...keys, ...headers]);
}

const LIMIT_WORDS: Readonly<Record<keyof typeof LIMITS, string>> = {
  markdownBytes: "Markdown of one chapter, bare or in JSON",
  documentBytes: "a JSON body that may hold a chapter's prose",
  bodyBytes: "any other body",
  chapterBlocks: "paragraphs of one chapter: headings, list entries, scene breaks, code and raw blocks count",
  chapterNodes: "nodes of one chapter's document: paragraphs, containers, stretches of text",
  depth: "levels of nested containers in a document or in Markdown",
  listBytes: "all facts of a book together, or all its snippets",
  paragraphMentions: "mentions in one paragraph",
  mentionDepth: "mentions on the same character",
  nameCharacters: "characters of a fact's name or alias",
  titleCharacters: "characters of a title",
  synopsisCharacters: "characters of a synopsis",
  kindCharacters: "characters of a fact's kind",
  reasonCharacters: "characters of a proposal's reason",
  proposalCharacters: "characters of a proposal's edits, those of the paragraphs that they name included",
  attributeCharacters: "characters of an attribute's value",
  summaryCharacters: "characters of a fact's summary",
  noteCharacters: "characters of a snippet's text",
  todoCharacters: "characters of one item of a to-do list",
  urlCharacters: "characters of a snippet's url",
  queryCharacters: "characters of `q` in a search",
  patternCharacters: "characters of `find` and `with` in a replacement",
  queryWords: "words of `q` that count; the rest are named in `ignored`",
  searchDefault: "`limit` of a search where it is not sent",
  searchMaximum: "`limit` of a search at most; more is read as this",
  actsDefault: "`limit` of the change feed where it is not sent",
  actsMaximum: "`limit` of the change feed at most; more is read as this",
  sittingPauseMinutes: "minutes without a write to its chapter, after which a sitting is over",
  sittingActs: "acts of one sitting, and acts undone by one request",
  mapFacts:
    "facts, the most mentioned, whose shared paragraphs a story map counts; `leftOut` counts the others",
  mapPairs: "pairs in a story map; `leftOut` counts the others",
  progressDays: "days in the `progress` of an outline where `days` is not sent",
  progressDaysMaximum: "`days` at most",
  failedKeys: "failed keys a minute from one address before 429",
  onceCharacters: "characters of an `Idempotency-Key`, printable ASCII",
  replayHours: "hours in which a POST that is repeated under its `Idempotency-Key` is answered as at first",
  replayBytes: "an answer that is kept for that, compressed; a longer one is not repeated, and 409 says so",
};

/** Every limit with its number. */
export const LIMIT_TABLE: Draft = {
  id: "limits",
  title: "Limits",
  blocks: [
    {
      head: ["Limit", "What it is about"],
      rows: Object.entries(LIMIT_WORDS).map(([key, words]) => [amount(key as keyof typeof LIMITS), words]), // its own keys
    },
    "Over a limit in MiB, and over those of one chapter and of mentions, the answer is 413 `payload_too_large`, over any other 400 `bad_request`, unless the table says otherwise. Other bounds are told where a field is.",
  ],
};

function amount(key: keyof typeof LIMITS): string {
  const value = LIMITS[key];
  return key.endsWith("Bytes") ? `${value / 1024 / 1024} MiB` : value.toLocaleString("en-GB");
}
