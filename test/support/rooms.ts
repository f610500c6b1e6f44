/**
 * The rooms of `src/`, from the ground up: what each holds, and what it may import of the others. What lies in a room's own
 * folder is its face, which other rooms may import; what lies in a folder within it is private to it.
 * `test/architecture.test.ts` holds the source to this table.
 */
export interface Room {
  holds: string;
  /**
   * What its files may import besides each other, `text` and the files beside the rooms: a room, one file of its face
   * without the ending, or a package (`npm:`). `types:` allows types alone, `lazy:` types and what is loaded when it is needed.
   */
  imports: readonly string[];
}

/**
 * A room imports only rooms that stand above it here. `service/*` is `service` and each folder in it: each is a room, with a
 * face of its own, and no two import each other in a circle. `*.ts` are the files beside the rooms.
 */
export const ROOMS: Readonly<Record<string, Room>> = {
  "*.ts": {
    holds:
      "ids; refusals, one class for each thing that a caller can do about it; whose change counts of two sides; what a picture is; how a file lasts and is renamed on every system",
    imports: [],
  },
  text: { holds: "characters, words, lines, distances, caches: it knows no book", imports: [] },
  contract: {
    holds: "one row per endpoint, and what is derived from the rows; limits, enumerations, rules of fields",
    imports: ["npm:markdown-it", "npm:zod"],
  },

  "prose/document": {
    holds: "the document as a value: nodes, leaves, marks, text, words",
    imports: ["contract/limits", "npm:prosemirror-model"],
  },
  prose: {
    holds:
      "Markdown to document and back, byte for byte; what a write does to each paragraph; the merge of two texts",
    imports: [
      "contract/limits",
      "prose/document",
      "npm:markdown-it",
      "npm:prosemirror-markdown",
      "types:npm:prosemirror-model",
    ],
  },
  book: {
    holds: "a whole book outside the file, as one value, and the merge of three of them; pure",
    imports: ["contract/enums", "prose/document", "prose"],
  },

  "store/file": {
    holds: "the open file: SQLite, its tables and their older versions, its lock and log, an act",
    imports: ["types:contract/enums", "types:npm:better-sqlite3"],
  },
  "store/rows": {
    holds: "reading and writing the rows of each table",
    imports: ["types:contract/index", "types:contract/enums", "contract/limits", "store/file"],
  },
  "store/journal": {
    holds: "acts, what each changed, and their undoing",
    imports: ["store/file", "store/rows"],
  },
  store: {
    holds: "the file as a whole: copied, bundled, examined, mended, exchanged with folders",
    imports: ["store/file", "store/rows", "store/journal"],
  },

  search: {
    holds: "a book's index, and the way of a search through it",
    imports: ["contract/limits", "types:npm:minisearch", "npm:stemmer"],
  },
  reading: {
    holds: "chapters as they are read: names, times, language, pace, and what is told of whom",
    imports: ["types:contract/enums"],
  },
  ai: {
    holds: "the engines of the AI tier: the one that needs no network, and a language model",
    imports: ["types:contract/index", "reading", "npm:zod"],
  },

  publish: {
    holds: "a book compiled once for readers, and a writer for each format of a whole document",
    imports: ["types:contract/enums", "prose/document", "prose", "types:book", "npm:fflate"],
  },

  "service/*": {
    holds: "the open manuscript, and its operations by what they work on",
    imports: [
      "contract/enums",
      "contract/limits",
      "types:contract/index",
      "types:contract/local-answers",
      "prose/document",
      "prose",
      "book",
      "store/file",
      "store/rows",
      "store/journal",
      "store",
      "search",
      "lazy:publish",
      "reading",
      "types:ai/reader",
      "ai/embedded-reader",
      "ai/model-address",
      "lazy:ai",
      "npm:diff",
    ],
  },
  files: {
    holds: "import, export and sync: our folder, other programs' layouts, a manuscript as one JSON file",
    imports: [
      "contract/enums",
      "contract/limits",
      "types:contract/local-answers",
      "prose/document",
      "prose",
      "book",
      "publish",
      "service/*",
      "lazy:npm:chokidar",
      "npm:fflate",
      "npm:saxes",
      "lazy:npm:yaml",
      "npm:zod",
    ],
  },

  web: {
    holds:
      "the owner's page as the server sees it: its files, its sessions and the operations that are its own",
    imports: ["types:contract/index", "service/*", "files"],
  },
  http: {
    holds: "the HTTP face: access, routing, bodies, answers, and the process that answers what is expensive",
    imports: ["contract", "service/*", "web", "npm:zod", "types:npm:express"],
  },
  mcp: {
    holds: "an agent's face: the protocol over two streams, and one row per tool",
    imports: ["contract", "service/*", "npm:zod", "npm:@modelcontextprotocol/server"],
  },
  cli: {
    holds: "the program: one row per command, what each does, and its answers in words",
    imports: [
      "contract",
      "lazy:store/file",
      "service/*",
      "files",
      "lazy:http",
      "mcp/client-settings",
      "lazy:mcp",
      "npm:commander",
      "npm:zod",
    ],
  },
  "index.ts": { holds: "the package for other programs", imports: ["service/*", "http"] },
};
