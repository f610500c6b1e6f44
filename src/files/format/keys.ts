import { type METADATA, SNIPPET_KINDS, STATUSES } from "../../contract/enums.ts";
import { LENGTHS, LIMITS } from "../../contract/limits.ts";

/** A piece of JSON Schema, draft 7, for a value. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** A key of one of a folder's files. */
export interface FileKey {
  /** Description in Markdown. */
  about: string;
  value: ValueSchema;
}

/** Keys of a file or an entry, in the order in which an export writes them. */
export type FileKeys<Key extends string> = Readonly<Record<Key, FileKey>>;

// A number or a date is read as text; a key without a value says nothing.
const text = (maxLength?: number): ValueSchema => ({
  type: ["string", "number", "boolean", "null"],
  ...(maxLength === undefined ? {} : { maxLength }),
});
const texts = (maxItems: number, maxLength: number): ValueSchema => ({
  anyOf: [{ type: "array", items: text(maxLength), maxItems }, text(maxLength)],
});
const id = (prefix: string): ValueSchema => ({ type: ["string", "null"], examples: [`${prefix}_…`] });
const revision: FileKey = {
  about:
    "The chapter's revision that the file holds, kept up to date by export, and by sync outside git: what an edited file is merged from.",
  value: { type: ["integer", "null"], minimum: 1 },
};

/** Keys of front matter that are fields of a chapter. Any other key is the writer's own and is kept. */
export const FRONT_MATTER_KEYS = {
  title: {
    about:
      "The chapter's title, on one line; several are taken as one. Without it the first heading is the title, else the file's name.",
    value: text(LIMITS.titleCharacters),
  },
  part: {
    about:
      "The title, slug or number of the part that the chapter stands in; empty for none. Without it the folder says that.",
    value: text(LIMITS.titleCharacters),
  },
  status: {
    about: `${STATUSES.map((status) => `\`${status}\``).join(", ")}. Where another program wrote the block, its words for these count too, and any other means \`draft\`.`,
    value: { anyOf: [{ enum: [...STATUSES] }, text()] },
  },
  synopsis: {
    about: "The chapter in a few sentences, the writer's own.",
    value: text(LIMITS.synopsisCharacters),
  },
  id: {
    about:
      "The chapter that the file is of. An export writes it; a copy of the file is a chapter of its own.",
    value: id("ch"),
  },
  revision,
} as const satisfies FileKeys<string>;

/** Keys of an entry of `facts.yaml`. */
export const FACT_KEYS = {
  id: { about: "The fact that the entry is of. An entry without one is a new fact.", value: id("fa") },
  name: {
    about: "Its name.",
    value: { ...text(LIMITS.nameCharacters), type: ["string", "number", "boolean"] },
  },
  kind: { about: "character, place, or any other word.", value: text(LIMITS.kindCharacters) },
  aliases: {
    about: "Other names by which the prose calls it.",
    value: texts(LENGTHS.aliases, LIMITS.nameCharacters),
  },
  attributes: {
    about:
      "Keys and values, such as `eyes: grey`; a list of such where a key repeats or holds from a chapter on: `{hair: black, from: 12-ash.md}`.",
    value: {
      anyOf: [
        { type: "object", additionalProperties: text(LIMITS.attributeCharacters) },
        { type: "array", items: { type: "object", additionalProperties: text(LIMITS.attributeCharacters) } },
        { type: "null" },
      ],
    },
  },
  summary: { about: "What there is to know of it.", value: text(LIMITS.summaryCharacters) },
} as const satisfies FileKeys<string>;

/** Keys of an entry of `notes.yaml`. */
export const NOTE_KEYS = {
  id: { about: "The note that the entry is of. An entry without one is a new note.", value: id("sn") },
  kind: {
    about: `${SNIPPET_KINDS.map((kind) => `\`${kind}\``).join(", ")}; without it \`note\`, or \`todo\` where there are items.`,
    value: { enum: [...SNIPPET_KINDS, null] },
  },
  chapter: {
    about:
      "The file of the chapter that it stands beside, relative to the folder; without it the note is the book's.",
    value: text(),
  },
  block: { about: "The id of its paragraph, as `export --block-ids` writes them.", value: id("b") },
  quote: {
    about: "Words of its paragraph: they find it where the id does not, and a note needs no id.",
    value: text(),
  },
  nth: {
    about: "Which of several paragraphs with these words is meant, from 1 on.",
    value: { type: ["integer", "string", "null"], minimum: 1, pattern: "^[1-9]\\d{0,6}$" },
  },
  detached: {
    about: "Where it stood before its paragraph went: `quote`, and `block` if that is known.",
    value: { type: ["object", "null"], properties: { quote: text(), block: id("b") } },
  },
  text: { about: "What it says.", value: text(LIMITS.noteCharacters) },
  url: {
    about: "An address: http, https or mailto.",
    value: {
      type: ["string", "null"],
      maxLength: LIMITS.urlCharacters,
      pattern: "^$|^(?:[Hh][Tt][Tt][Pp][Ss]?|[Mm][Aa][Ii][Ll][Tt][Oo]):",
    },
  },
  items: {
    about: "Of a `todo`: each with `text`, and `done` as true or false; or the text alone.",
    value: {
      type: ["array", "null"],
      maxItems: LENGTHS.items,
      items: {
        anyOf: [
          {
            type: "object",
            properties: { text: text(LIMITS.todoCharacters), done: { type: ["boolean", "null"] } },
          },
          text(LIMITS.todoCharacters),
        ],
      },
    },
  },
  author: { about: "Who said it, if not the writer.", value: text(LIMITS.nameCharacters) },
  about: {
    about: "The words that it is about, if not the whole paragraph.",
    value: text(LIMITS.noteCharacters),
  },
  replies: {
    about: "What was answered to it: each with `author`, `text`, and `at`, when it was said.",
    value: {
      type: ["array", "null"],
      maxItems: LENGTHS.replies,
      items: {
        type: "object",
        properties: { author: text(LIMITS.nameCharacters), text: text(LIMITS.noteCharacters), at: text() },
      },
    },
  },
  resolved: { about: "True if it is settled.", value: { type: ["boolean", "null"] } },
} as const satisfies FileKeys<string>;

const title = text(LIMITS.titleCharacters);
const count: ValueSchema = { type: "integer", minimum: 1 };
const FILE: ValueSchema = { type: "string" };
const METADATA_KEYS = {
  author: { about: "Who wrote it.", value: title },
  language: { about: "Its language, as BCP 47 names it: `en`, `pt-BR`.", value: text(LIMITS.nameCharacters) },
  rights: { about: "Who may do what with it.", value: text(LIMITS.urlCharacters) },
  identifier: { about: "An ISBN, or another name of this edition.", value: title },
  description: { about: "What readers are told of it.", value: text(LIMITS.summaryCharacters) },
  cover: { about: "A picture's path in this folder.", value: title },
} as const satisfies FileKeys<(typeof METADATA)[number]>;

/** Keys of `book.yaml`. Any other key is the writer's own and is kept. */
export const BOOK_KEYS = {
  title: { about: "The book's title.", value: title },
  manuscript: {
    about: "The book that the folder is of. An export writes it; `sync` finds the book by it.",
    value: id("bk"),
  },
  ...METADATA_KEYS,
  goal: {
    about:
      "How many words the book is to have: `targetWords`, and if you like `deadline`, a day as YYYY-MM-DD, and `dailyWords`.",
    value: {
      type: ["object", "null"],
      properties: {
        targetWords: count,
        deadline: { type: ["string", "null"], pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
        dailyWords: { anyOf: [count, { type: "null" }] },
      },
    },
  },
  parts: {
    about: "The parts in order: a title, or `title` and `folder`, where the files of its chapters are.",
    value: {
      type: ["array", "null"],
      items: { anyOf: [{ type: "string" }, { type: "object", properties: { title, folder: text() } }] },
    },
  },
  chapters: {
    about:
      "The chapters in reading order: a file, or `file` with `title`, `part`, and where the file has no front matter, `id` and `revision`. What a file's front matter says counts before this.",
    value: {
      type: ["array", "null"],
      items: {
        anyOf: [
          FILE,
          {
            type: "object",
            required: ["file"],
            properties: {
              file: FILE,
              title,
              part: { type: ["string", "integer", "null"] },
              id: id("ch"),
              revision: revision.value,
            },
          },
        ],
      },
    },
  },
} as const satisfies FileKeys<string>;
