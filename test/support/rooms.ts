/**
 * The rooms of `src/`, from the ground up: what each holds, and what it may import of the others. This table is the design:
 * `test/architecture.test.ts` holds the source to it.
 */
export interface Room {
  holds: string;
  /**
   * What its files may import besides each other, `ids.ts`, `refusals.ts`, `three-way.ts` and `text`: a room (`store/*` is
   * it and every room in it), one file of a room without its ending, or a package (`npm:`). `types:` allows types alone,
   * `lazy:` types and what is loaded when it is needed.
   */
  imports: readonly string[];
}

/** A room imports only what stands above it here; `lazy:` alone may point down. `/*` is a room and all that are in it. */
export const ROOMS: Readonly<Record<string, Room>> = {
  "ids.ts": { holds: "branded ids and how they are made", imports: [] },
  "refusals.ts": { holds: "the answers that a caller can act on, one class a meaning", imports: [] },
  "three-way.ts": { holds: "whose change counts of two sides and what both had", imports: [] },
  text: { holds: "characters, words, folding, distances, caches: it knows no book", imports: [] },

  contract: {
    holds: "limits, enumerations, rules of fields and what an endpoint is",
    imports: ["npm:zod"],
  },
  "contract/rows": { holds: "one row per endpoint", imports: ["contract", "npm:zod"] },
  "contract/index.ts": { holds: "every row, and their types", imports: ["contract", "contract/rows"] },
  "contract/documents": {
    holds: "what is derived from the rows: openapi.json, llms.txt, the page at /docs",
    imports: ["contract", "contract/index.ts", "npm:markdown-it", "npm:zod"],
  },

  "prose/document": {
    holds: "the document as a value: nodes, leaves, marks, text, words",
    imports: ["contract/limits", "npm:prosemirror-model"],
  },
  "prose/markdown/rules": {
    holds: "what our Markdown has beyond CommonMark",
    imports: ["contract/limits", "prose/document", "npm:markdown-it"],
  },
  "prose/markdown": {
    holds: "Markdown to document and back, byte for byte",
    imports: [
      "contract/limits",
      "prose/document",
      "prose/markdown/rules",
      "npm:markdown-it",
      "npm:prosemirror-markdown",
      "types:npm:prosemirror-model",
    ],
  },
  "prose/block-ids": {
    holds: "block ids written into Markdown and taken out again",
    imports: ["prose/document", "prose/markdown"],
  },
  "prose/reconcile": {
    holds: "which old paragraph each new one continues, in its chapter or in another",
    imports: ["prose/document"],
  },
  "prose/plan": {
    holds: "what a write does to each row, paragraph, mention and snippet",
    imports: ["prose/document", "prose/markdown", "prose/reconcile"],
  },
  "prose/merge": {
    holds: "two edits of one text made one, block by block",
    imports: ["prose/document", "prose/markdown", "prose/plan"],
  },

  book: {
    holds: "a whole book outside the file, as one value, and the merge of three of them; pure",
    imports: [
      "types:contract/enums",
      "prose/document",
      "prose/block-ids",
      "prose/markdown",
      "prose/reconcile",
      "prose/plan",
      "prose/merge",
    ],
  },

  "store/driver.ts": {
    holds: "SQLite: the one file that imports it",
    imports: ["types:npm:better-sqlite3"],
  },
  "store/schema/versions": { holds: "the SQL of each version of the file's format, frozen", imports: [] },
  "store/schema": {
    holds: "tables, triggers, and the way from older versions to them",
    imports: ["store/driver.ts", "store/schema/versions"],
  },
  "store/disk": {
    holds: "the file and its log as bytes on a disk: what they say by themselves",
    imports: ["types:store/driver.ts", "store/schema"],
  },
  "store/file": {
    holds: "the open file: its lock, its statements, an act",
    imports: ["store/driver.ts", "store/disk", "store/schema"],
  },
  "store/rows": {
    holds: "reading and writing the rows of each table",
    imports: [
      "types:contract/index.ts",
      "types:contract/enums",
      "contract/limits",
      "types:store/file",
      "store/schema",
    ],
  },
  "store/journal": {
    holds: "acts, what each changed, and their undoing",
    imports: ["types:store/file", "store/rows", "store/schema"],
  },
  "store/review": {
    holds: "proposals and milestones",
    imports: ["types:store/file"],
  },
  store: {
    holds: "the file as a whole: bundled, examined, exchanged with folders",
    imports: ["store/driver.ts", "types:store/file", "store/journal", "store/rows", "store/schema"],
  },
  "store/backups": {
    holds: "copies of the file: made, verified, listed, put in its place",
    imports: ["store/driver.ts", "store/disk", "store/file", "store/schema", "store"],
  },

  "search/terms": { holds: "the words of a text, and the terms that they are found by", imports: [] },
  "search/index": {
    holds: "passages of a book and the terms in them",
    imports: ["search/terms", "npm:minisearch", "npm:stemmer"],
  },
  "search/reading": {
    holds: "what is searched for, taken apart, and the lines shown of what is found",
    imports: ["contract/limits", "search/terms"],
  },
  "search/ranking": {
    holds: "what is found, the best first",
    imports: ["search/terms", "types:search/index", "search/reading"],
  },
  search: {
    holds: "a book's index, and the way of a search through it",
    imports: ["search/index", "search/reading", "search/ranking"],
  },

  reading: { holds: "a chapter, a fact and a book as they are read; types alone", imports: [] },
  "reading/words": { holds: "lists of English words", imports: [] },
  "reading/text": {
    holds: "tokens, sentences and a book's statistics",
    imports: ["reading", "reading/words"],
  },
  "reading/names": {
    holds: "names and whom they mean",
    imports: ["reading", "reading/text", "reading/words"],
  },
  "reading/reports/appearances": {
    holds: "who appears where, and who says how much",
    imports: ["reading", "reading/names", "reading/text", "reading/words"],
  },
  "reading/reports/passages": {
    holds: "sentences that describe a fact",
    imports: ["types:contract/enums", "reading", "reading/names", "reading/text", "reading/words"],
  },

  "reading/reports/timeline": {
    holds: "the times that a book tells, counted from one another",
    imports: ["reading", "reading/text"],
  },

  "reading/reports/style": {
    holds: "what the prose of a book repeats, and how it is built",
    imports: ["reading", "reading/text", "npm:stemmer"],
  },

  ai: {
    holds: "the port behind which every engine of the AI tier answers",
    imports: ["types:contract/index.ts", "types:reading"],
  },
  "ai/llm/server": { holds: "what a language model's server is asked and answers", imports: [] },
  "ai/llm": {
    holds: "a language model behind the port",
    imports: ["types:ai", "ai/llm/server", "types:reading", "reading/names", "reading/text", "npm:zod"],
  },
  "ai/embedded/detect": {
    holds: "proposals for the story map",
    imports: ["types:ai", "reading", "reading/names", "reading/text", "reading/words"],
  },
  "ai/embedded/synopsis": {
    holds: "a chapter in its own sentences",
    imports: ["reading", "reading/names", "reading/text", "reading/words"],
  },
  "ai/embedded/check": {
    holds: "the rules of the consistency check",
    imports: ["types:ai", "reading", "reading/names", "reading/text", "reading/words"],
  },
  "ai/embedded": {
    holds: "the engine that needs no network",
    imports: [
      "types:ai",
      "ai/embedded/detect",
      "reading",
      "reading/text",
      "lazy:ai/embedded/check",
      "lazy:ai/embedded/synopsis",
    ],
  },

  service: {
    holds: "the open manuscript, and what every operation needs",
    imports: ["types:contract/index.ts", "contract/limits", "store/*", "types:ai", "lazy:ai/embedded"],
  },
  "service/account": {
    holds: "keys, credits and the language model",
    imports: [
      "types:contract/local-answers",
      "contract/enums",
      "contract/limits",
      "store/*",
      "types:ai",
      "ai/llm/server/address.ts",
      "lazy:ai/llm/server",
      "lazy:ai/llm",
      "service",
    ],
  },
  "service/backups": {
    holds: "copies of a manuscript: on demand, on a schedule, restored",
    imports: ["types:contract/local-answers", "store/*", "service", "service/account"],
  },
  "service/completion": {
    holds: "what a shell may complete",
    imports: ["store/*", "service", "service/account"],
  },
  "service/shelf": {
    holds: "the manuscripts of a server: whose is which, and which are open",
    imports: ["store/*", "service", "types:service/account"],
  },
  "service/search": {
    holds: "search, and the index that follows the file",
    imports: [
      "types:contract/index.ts",
      "contract/limits",
      "prose/document",
      "store/*",
      "search/*",
      "service",
    ],
  },
  "service/prose": {
    holds: "reading, replacing and comparing prose",
    imports: [
      "types:contract/local-answers",
      "types:contract/index.ts",
      "contract/limits",
      "prose/document",
      "prose/markdown",
      "prose/reconcile",
      "prose/plan",
      "store/*",
      "service",
      "npm:diff",
    ],
  },
  "service/review": {
    holds: "what others propose, and its acceptance",
    imports: [
      "types:contract/index.ts",
      "types:contract/enums",
      "contract/limits",
      "prose/document",
      "prose/markdown",
      "prose/plan",
      "prose/merge",
      "store/*",
      "service",
      "service/prose",
    ],
  },
  "service/health": {
    holds: "whether a file's rows fit together, and mending them",
    imports: [
      "types:contract/local-answers",
      "prose/document",
      "prose/markdown",
      "store/*",
      "service/account",
      "service/prose",
      "service/search",
    ],
  },
  "service/books": {
    holds: "books, parts, chapters",
    imports: [
      "types:contract/local-answers",
      "types:contract/index.ts",
      "contract/enums",
      "contract/limits",
      "prose/document",
      "prose/markdown",
      "prose/plan",
      "store/*",
      "service",
      "service/prose",
      "service/review",
    ],
  },
  "service/annotations": {
    holds: "facts, mentions, snippets, accepted proposals",
    imports: [
      "types:contract/local-answers",
      "types:contract/index.ts",
      "contract/limits",
      "prose/document",
      "store/*",
      "service",
    ],
  },
  "service/naming": {
    holds: "which book, chapter or the like a name means",
    imports: ["types:contract/index.ts", "service", "service/books"],
  },
  "service/history": {
    holds: "acts and undo, milestones, a book as it was: compared, read, put back",
    imports: [
      "types:contract/index.ts",
      "contract/limits",
      "prose/document",
      "prose/markdown",
      "prose/plan",
      "types:book",
      "store/*",
      "service",
      "service/books",
      "service/prose",
    ],
  },
  "service/feed": {
    holds: "acts as they are written, for whoever listens",
    imports: ["store/*", "service", "service/history"],
  },
  "service/reading": {
    holds: "the chapters of a book as they are read, and what is learnt of each",
    imports: [
      "types:contract/index.ts",
      "contract/enums",
      "contract/limits",
      "prose/document",
      "store/*",
      "types:reading",
      "reading/reports/*",
      "service",
    ],
  },
  "service/ai": {
    holds: "the metered calls of the AI tier",
    imports: [
      "types:contract/local-answers",
      "types:contract/index.ts",
      "store/*",
      "types:ai",
      "types:ai/llm",
      "types:reading",
      "service",
      "service/account",
      "service/reading",
    ],
  },
  "service/interchange": {
    holds: "a whole book in and out of the file",
    imports: [
      "types:contract/local-answers",
      "contract/enums",
      "contract/limits",
      "prose/*",
      "book",
      "store/*",
      "service",
      "service/account",
      "service/annotations",
      "service/books",
      "service/health",
      "service/prose",
    ],
  },

  "files/disk": {
    holds: "reading and writing files whole, names, conflicts",
    imports: ["service", "types:service/interchange", "lazy:npm:chokidar"],
  },
  "files/yaml": {
    holds: "YAML opened, read, edited and written, its comments kept",
    imports: ["prose/merge", "lazy:npm:yaml"],
  },
  "files/format": {
    holds: "the keys of a folder's files, and their schemas",
    imports: ["contract/enums", "contract/limits"],
  },
  "files/folder": {
    holds: "our folder of Markdown, front matter and book.yaml",
    imports: [
      "types:contract/local-answers",
      "contract/limits",
      "types:book",
      "prose/document",
      "prose/markdown/rules",
      "prose/block-ids",
      "service",
      "service/interchange",
      "files/disk",
      "files/format",
      "files/yaml",
      "lazy:npm:yaml",
    ],
  },
  "files/annotations": {
    holds: "facts.yaml and notes.yaml",
    imports: [
      "book",
      "types:service",
      "service/interchange",
      "files/disk",
      "files/format",
      "files/yaml",
      "files/folder",
    ],
  },
  "files/bundle": {
    holds: "a manuscript as one JSON file",
    imports: ["service/interchange", "files/disk", "npm:zod"],
  },
  "files/documents": {
    holds: "Word, RTF and their like, turned into Markdown by pandoc",
    imports: ["files/disk"],
  },
  "files/layouts": {
    holds: "what a layout is, and those of one file each",
    imports: [
      "types:files/documents",
      "prose/document",
      "prose/markdown",
      "files/disk",
      "files/yaml",
      "files/folder",
      "files/annotations",
      "lazy:npm:yaml",
    ],
  },
  "files/layouts/mdbook": { holds: "books of mdBook", imports: ["files/disk", "files/layouts"] },
  "files/layouts/novelwriter": {
    holds: "projects of novelWriter",
    imports: ["files/folder", "service", "types:service/interchange", "files/disk", "files/layouts"],
  },
  "files/layouts/one-file": {
    holds: "a whole book in one file",
    imports: [
      "prose/document",
      "prose/markdown",
      "service",
      "files/disk",
      "files/documents",
      "files/folder",
      "files/layouts",
      "lazy:npm:yaml",
    ],
  },
  "files/layouts/document": {
    holds: "documents of Word and its like",
    imports: [
      "service",
      "files/disk",
      "files/documents",
      "types:files/folder",
      "files/layouts",
      "files/layouts/one-file",
    ],
  },
  "files/layouts/scrivener": {
    holds: "projects and exports of Scrivener",
    imports: [
      "service",
      "types:service/interchange",
      "files/disk",
      "files/documents",
      "files/folder",
      "files/layouts",
      "files/layouts/one-file",
    ],
  },
  "files/layouts/read-path.ts": {
    holds: "a path read by the layout that knows it; every layout, in the order in which they are tried",
    imports: [
      "service",
      "files/disk",
      "files/documents",
      "files/folder",
      "files/annotations",
      "files/layouts",
      "files/layouts/*",
    ],
  },
  "files/layouts/read-given.ts": {
    holds: "a book from stdin",
    imports: [
      "files/disk",
      "files/documents",
      "files/layouts",
      "files/layouts/*",
      "types:files/layouts/read-path.ts",
    ],
  },
  files: {
    holds: "import, export, sync",
    imports: [
      "types:contract/local-answers",
      "book",
      "prose/document",
      "service",
      "service/annotations",
      "service/books",
      "service/history",
      "service/interchange",
      "service/review",
      "files/disk",
      "files/format",
      "files/yaml",
      "files/folder",
      "files/annotations",
      "files/layouts",
      "types:files/layouts/read-path.ts",
      "lazy:npm:yaml",
    ],
  },

  web: {
    holds: "the owner's page as the server sees it: an empty page, and the files that it is bundled into",
    imports: [],
  },
  "web/session": {
    holds: "the pages that are signed in to a server",
    imports: ["service", "service/account", "types:service/shelf"],
  },
  "web/owner": {
    holds: "the operations of the owner's page that are no endpoint of the API",
    imports: [
      "types:contract/index.ts",
      "service",
      "service/account",
      "service/ai",
      "service/backups",
      "service/health",
      "files",
      "files/documents",
      "files/layouts",
      "files/layouts/read-path.ts",
      "web/session",
    ],
  },

  "http/worker": {
    holds: "the process that answers what is expensive",
    imports: ["types:contract/index.ts", "service", "types:service/feed", "lazy:service/search", "lazy:http"],
  },
  "http/access": {
    holds: "who may ask: origins, keys, sessions, tiers",
    imports: [
      "types:contract/index.ts",
      "contract/enums",
      "contract/limits",
      "service",
      "service/account",
      "types:service/feed",
      "types:service/shelf",
      "web",
      "web/session",
      "types:npm:express",
    ],
  },
  http: {
    holds: "the HTTP face: routing, bodies, answers",
    imports: [
      "contract/*",
      "service",
      "service/*",
      "web/*",
      "http/access",
      "http/worker",
      "npm:zod",
      "types:npm:express",
    ],
  },

  "mcp/client-settings.ts": { holds: "what goes into the settings of an agent's client", imports: [] },
  "cli/io": { holds: "one call of a command: its streams and its answer", imports: ["service"] },
  "cli/input": {
    holds: "what a command line names: the file, a book, a path, a tier",
    imports: [
      "contract/enums",
      "service",
      "service/naming",
      "service/history",
      "service/shelf",
      "lazy:store/*",
      "cli/io",
    ],
  },
  "cli/output": {
    holds: "answers and refusals in words",
    imports: [
      "contract/act-words",
      "types:contract/index.ts",
      "contract/problems",
      "types:service/history",
      "types:service/interchange",
      "types:service/review",
      "service/prose",
      "files/disk",
      "cli/io",
    ],
  },
  "mcp/tool": {
    holds: "what a tool of an agent is, and how its arguments are read",
    imports: ["contract", "types:service", "npm:zod"],
  },
  "mcp/rows": {
    holds: "one row per tool, and the shapes of their arguments",
    imports: ["contract/enums", "mcp/tool", "lazy:mcp/tools", "npm:zod"],
  },
  "mcp/answers": {
    holds: "what tools have in common: pages, fences, names, paragraphs by number, edits by words",
    imports: [
      "types:contract/index.ts",
      "service",
      "service/annotations",
      "service/naming",
      "service/prose",
      "cli/output",
      "types:mcp/rows",
    ],
  },
  "mcp/tools": {
    holds: "what each tool answers",
    imports: [
      "types:contract/index.ts",
      "contract",
      "contract/rows",
      "service",
      "service/*",
      "cli/output",
      "mcp/tool",
      "types:mcp/rows",
      "mcp/answers",
    ],
  },
  mcp: {
    holds: "an agent's face: the protocol over two streams",
    imports: ["service", "cli/output", "mcp/tool", "mcp/rows", "npm:@modelcontextprotocol/server"],
  },
  "cli/rows/answers.ts": {
    holds: "the shapes of what `--json` prints",
    imports: ["contract", "contract/rows", "files/layouts", "npm:zod"],
  },
  "cli/rows": {
    holds: "one row per command",
    imports: [
      "contract/enums",
      "contract/limits",
      "files/layouts",
      "types:service/completion",
      "mcp/client-settings.ts",
      "types:cli/io",
      "lazy:cli/commands/*",
    ],
  },
  "cli/complete": {
    holds: "completion for shells",
    imports: [
      "service/backups",
      "service/completion",
      "service/naming",
      "cli/io",
      "cli/input",
      "cli/output",
      "cli/rows",
    ],
  },
  "cli/commands/*": {
    holds: "what each command does, by the groups of the help",
    imports: [
      "contract/act-words",
      "types:contract/index.ts",
      "types:contract/enums",
      "contract/problems",
      "service/*",
      "files/*",
      "lazy:http",
      "lazy:http/worker",
      "mcp/client-settings.ts",
      "lazy:mcp",
      "cli/io",
      "cli/input",
      "cli/output",
      "types:cli/rows/answers.ts",
      "cli/complete",
    ],
  },
  cli: {
    holds: "the program: from words to a command",
    imports: [
      "contract/problems",
      "types:service",
      "cli/rows",
      "cli/io",
      "cli/output",
      "lazy:cli/input",
      "lazy:cli/complete",
      "npm:commander",
    ],
  },

  "index.ts": { holds: "the package for other programs", imports: ["service", "http"] },
};
