/** Every limit that the contract states, with its unit in its name. Plain values: importing this costs nothing. */
export const LIMITS = {
  markdownBytes: 4 * 1024 * 1024,
  documentBytes: 16 * 1024 * 1024,
  bodyBytes: 1024 * 1024,
  /** The address and all headers of a request. */
  headerBytes: 16 * 1024,
  /** Leaf blocks of a chapter. */
  chapterBlocks: 10_000,
  /** Nodes of a chapter's document, of any kind. */
  chapterNodes: 200_000,
  /** Nesting of a JSON body or of Markdown containers. */
  depth: 100,
  /** All facts of a book together, or all snippets: they are listed whole. */
  listBytes: 32 * 1024 * 1024,
  paragraphMentions: 5000,
  /** Mentions on the same character. */
  mentionDepth: 20,
  nameCharacters: 200,
  titleCharacters: 500,
  synopsisCharacters: 20_000,
  kindCharacters: 100,
  /** Of why somebody proposes something. */
  reasonCharacters: 2000,
  /** Of a proposal's edits and the paragraphs that they name: finding out how it stands takes time by these. */
  proposalCharacters: 400_000,
  attributeCharacters: 2000,
  summaryCharacters: 20_000,
  noteCharacters: 100_000,
  todoCharacters: 2000,
  urlCharacters: 2000,
  queryCharacters: 500,
  /** Of what is to be found and replaced. */
  patternCharacters: 2000,
  queryWords: 16,
  searchDefault: 20,
  searchMaximum: 50,
  actsDefault: 50,
  actsMaximum: 500,
  /** A longer pause between acts on a chapter ends a sitting. */
  sittingPauseMinutes: 10,
  sittingActs: 1000,
  /** Facts, the most mentioned, whose shared paragraphs the story map counts, and pairs that it lists. */
  mapFacts: 500,
  mapPairs: 1000,
  progressDays: 30,
  progressDaysMaximum: 366,
  /** Failed keys a minute from one address before 429. */
  failedKeys: 10,
  /** Of an `Idempotency-Key`. */
  onceCharacters: 255,
  /** How long a repeated request is answered as at first. */
  replayHours: 24,
  /** A longer answer is not kept for that, compressed as it is. */
  replayBytes: 1024 * 1024,
} as const;

/** How many a list takes: the aliases of a fact, its attributes, the items of a to-do list, the edits of a proposal. */
export const LENGTHS = { aliases: 200, attributes: 200, items: 1000, replies: 1000, edits: 1000 } as const;

/** How many paragraphs one move names. */
export const MOVE_LIMIT = 1000;

/** What a page may send for import at once: files, and their bytes as JSON. */
export const IMPORT_LIMITS = { files: 2000, bytes: 32 * 1024 * 1024 } as const;

/** What a timeline lists and counts, and how much of a sentence it shows. */
export const TIMELINE_LIMITS = { times: 2000, ofChapter: 2000, sentenceCharacters: 300 } as const;

/** How much of each a report on style lists. */
export const LANGUAGE_LIMITS = { chapters: 500, findings: 500, words: 20, sentenceCharacters: 300 } as const;
/** Bounds of the report on pace. */
export const PACE_LIMITS = { chapters: 500, scenes: 100, longest: 5 } as const;
