import type { Tier } from "../endpoint.ts";
import { endpoints } from "../index.ts";
import { LIMITS } from "../limits.ts";
import type { JsonSchema } from "./llms-schemas.ts";
import { codes, type Draft } from "./llms-text.ts";

/** What the service is, in two sentences. */
export const SUMMARY =
  "A writer's own manuscript over HTTP with JSON bodies: books, chapters, the facts of the story map, marginalia. It stores the text that it is sent and writes no prose of its own.";

/** What each tier costs and needs. */
export const TIER_COSTS: Readonly<Record<Tier, string>> = {
  read: "Free; a valid key is enough.",
  propose: "Free; a key that may propose or write. Changes no prose, so no subscription is needed.",
  ai: "Spends the owner's credits or the subscription's allowance; a valid key, no subscription needed.",
  write: "No extra cost; a valid key and an active subscription.",
};

/** What a row says that `ownByProposers` marks. */
export const OWN_BY_PROPOSERS = "A key that may propose but not write may use it on what it made itself.";

/** The documents that the API answers about itself, relative to the base address; none needs a key. */
export const DOCUMENTS: readonly {
  path: string;
  id: string;
  type: string;
  schema: JsonSchema;
  summary: string;
}[] = [
  {
    path: "/openapi.json",
    id: "readOpenApi",
    type: "application/json",
    schema: { type: "object" },
    summary: "The contract for machines, in OpenAPI 3.1",
  },
  {
    path: "/llms.txt",
    id: "readGuide",
    type: "text/plain",
    schema: { type: "string" },
    summary: "The guide for building integrations, in plain text, short",
  },
  {
    path: "/llms-full.txt",
    id: "readFullGuide",
    type: "text/plain",
    schema: { type: "string" },
    summary: "The whole of it: every endpoint, parameter, key, error and limit, with examples",
  },
  {
    path: "/docs",
    id: "readDocs",
    type: "text/html",
    schema: { type: "string" },
    summary: "The same as a page for people; a browser gets it at / too",
  },
];

const KEY: Draft = {
  id: "key",
  title: "The key",
  blocks: [
    "Send `Authorization: Bearer <API_KEY>` with every request, in every tier. Only the documents listed at the end need none.",
    "The owner makes a key on the command line with `manuscript key create`; `--allow read,ai` limits it to these tiers.",
    {
      full: "A key is shown once, when it is made: only its hash is stored. It never belongs in an address or a log.",
    },
    { full: "A key reaches its owner's books, chapters, facts and snippets and nothing else." },
    { full: "What is missing and what is another owner's are answered alike: 404 `not_found`." },
    {
      full: "After 10 failed keys in a minute an address is answered 429 with `Retry-After`; a valid key is never limited.",
    },
  ],
};

/** How to get in: where to begin, the key, the tiers. */
export function beginning(baseUrl: string): Draft[] {
  return [
    {
      id: "start",
      title: "Start",
      blocks: [
        `The base address is \`${baseUrl}\`; every path is relative to it, and what is in braces is an id.`,
        {
          list: [
            "`GET /books` lists the books, `GET /books/{bookId}` a book's parts and chapters, each with its id.",
            "`GET /chapters/{chapterId}` gives the prose as plain text, with `?format=doc` as a document in which every paragraph has a `blockId`.",
            [
              "",
              "`PATCH /chapters/{chapterId}/paragraphs/{blockId}` changes one paragraph and costs least; `PUT /chapters/{chapterId}/prose` replaces a whole chapter. Read about prose writes before you send one.",
            ],
            [
              "",
              "`POST /books/{bookId}/mentions/reanchor` puts back, free of charge, the mentions that a prose write dropped and that are names still; `POST /chapters/{chapterId}/detect` finds more and spends credits.",
            ],
          ],
        },
        { code: `KEY=msk_...   # the API key\ncurl "${baseUrl}/books" -H "Authorization: Bearer $KEY"` },
        {
          full: "The curl lines read the key from the variable `KEY` and ids from variables of their names: `bookId=bk_...`.",
        },
      ],
    },
    KEY,
    {
      id: "tiers",
      title: "Tiers and their cost",
      blocks: [
        {
          full: {
            head: ["Tier", "Cost and requirement", "Operations"],
            rows: Object.entries(TIER_COSTS).map(([tier, cost]) => [tier, cost, operationsOf(tier)]),
          },
        },
        {
          list: [
            [
              "An AI call costs max(1, ceil(words of the chapter / 1000)) credits, drawn from the subscription's monthly allowance first, then from credits. A call that fails, times out or is refused costs nothing.",
              "Nor does asking again while the chapter, the facts and the engine are the same, nor an empty chapter.",
            ],
            "`X-Credits-Cost` tells what the call cost, `X-Credits-Remaining` what is left, a number or `unlimited`. When both are out the answer is 402 `insufficient_credits` with `required` and `available`.",
          ],
        },
        {
          full: "`X-AI-Engine` names who answered. Where the owner has set a language model and it fails, the embedded engine answers in its place, free of charge, as `embedded; fallback=timeout` or another reason; where it has read a part of the chapter alone, that is free, too: `llm/NAME; partial=timeout`.",
        },
        {
          full: "A write without an active subscription is 403 `subscription_required`. A tier that is switched off for the key or for the server is 403 `category_disabled`.",
        },
        {
          full: `A key that may propose but not write may also use ${codes(endpoints.filter((row) => row.ownByProposers).map(({ id }) => id))}, on notes and proposals that it made itself; on another's it is answered 403 \`category_disabled\`.`,
        },
      ],
    },
  ];
}

function operationsOf(tier: string): string {
  return codes(endpoints.filter((row) => row.tier === tier).map(({ id }) => id));
}

/** What holds for every request and answer. */
export const CONVENTIONS: Draft = {
  id: "conventions",
  title: "Requests and answers",
  blocks: [
    {
      list: [
        [
          "Bodies and answers are JSON in UTF-8. Prose may also be sent as bare Markdown.",
          "Keys are in camelCase. An answer is always an object; its lists have names, as in `{books: [...], total}`.",
        ],
        "Requests are read strictly: an unknown body key or query parameter, or one given twice, is 400 and says what was probably meant. Answers are to be read loosely: ignore keys that you do not know.",
        ["", "Ids are opaque strings. A malformed one is simply not found."],
        [
          "Offsets (`from`, `to`, `highlights`) are UTF-16 code units from 0; `to` is behind the last one.",
          "In prose they count the block's text: the concatenation of its text nodes.",
        ],
        [
          "",
          "A create answers 201, updates and deletes 200. A create answers with `id`, the record and a `Location` header. A PATCH that would change nothing, without any key, is 400.",
        ],
        "Every write is one act, all or nothing. Its id is answered as `act`; `POST /acts/{act}/undo` puts everything back.",
        [
          "`?dryRun=1` on any write checks and answers as if it were done and writes nothing.",
          "`act` is then null and new ids are not kept.",
        ],
        [
          "Reading one book, chapter, fact or snippet, and writing to it, answers an `ETag`. With `If-None-Match` a read answers 304 without a body while your copy is good. With `If-Match` a write answers 412 `revision_conflict` when somebody changed that record since you read it; `ifRevision` does the same by number for prose.",
          "For a write of prose only its revision counts, for an edit of a fact or snippet only what it says, not how often it is mentioned; for a book's title and goal only those. A merge takes the tag of either fact, a part that of its book, too. `*` asks for nothing but that the record is there, a weak tag never matches, and an act or the list of books has none. To change what is there: read, send the change with the tag, and after 412 begin again.",
        ],
        [
          "`Idempotency-Key: UUID` on any POST: repeated within 24 hours, that request is answered as at first and not done twice.",
          `The key is 1 to ${LIMITS.onceCharacters} characters of printable ASCII and belongs to your API key. The answer has the body and the headers of the first and \`Idempotent-Replayed: true\`; an AI call is not charged again. A repeat while the first still runs waits for it. Under the key of another request the answer is 409 \`conflict\`, also where the first answer was longer than 1 MiB, compressed: then it was not kept, and nothing is done again. An error is not kept, so that the request can be mended and sent under its key; nor is a dry run.`,
        ],
        [
          "",
          "Every answer has `X-Request-Id`. HEAD is answered wherever GET is. Send bodies without `Content-Encoding`.",
        ],
      ],
    },
  ],
};

/** What may change and what may not. */
export function ending(baseUrl: string): Draft[] {
  return [
    {
      id: "versions",
      title: "Versions and stability",
      blocks: [
        "Within v1 endpoints, parameters and keys of answers may be added; none is removed or changes its name, type or meaning.",
        {
          full: "The version is in the base address: it ends in `/api/v1`. Error codes are stable strings; messages are for people and may change. The contract for machines has the version 1.0.0.",
        },
      ],
    },
    {
      id: "documents",
      title: "Documents",
      blocks: [
        {
          list: DOCUMENTS.map(({ path, summary }) => [`[GET ${path}](${baseUrl}${path})`, `: ${summary}.`]),
        },
      ],
    },
  ];
}
