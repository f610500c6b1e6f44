/** What each closed set of words of the contract holds, in the order that messages list them. */
export const STATUSES = ["draft", "revising", "done"] as const;
/** Fields of a book besides its title, in the order in which they are shown. */
export const METADATA = ["author", "language", "rights", "identifier", "description", "cover"] as const;
/** Who asked for an act: a face, or an operation that writes on its own account. */
export const ACT_SOURCES = ["api", "page", "cli", "mcp", "import", "undo", "restore"] as const;
/** Kinds of marginalia. */
export const SNIPPET_KINDS = ["note", "reference", "todo", "research"] as const;
/** The tiers, from free to writing. */
export const TIERS = ["read", "propose", "ai", "write"] as const;
/** What a key may do if nobody says otherwise; who may write may propose. */
export const USUAL_TIERS = ["read", "ai", "write"] as const;
/** What `GET /chapters/{chapterId}?format=` may be. */
export const FORMATS = ["text", "doc", "markdown", "blocks"] as const;
/** Formats in which a whole book is exported as one document. */
export const PUBLISH_FORMATS = ["docx", "epub", "html", "review"] as const;
/** The media type of each, and how the name of its file ends. */
export const PUBLISHED = {
  docx: ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  epub: ["application/epub+zip", "epub"],
  html: ["text/html; charset=utf-8", "html"],
  review: ["text/html; charset=utf-8", "review.html"],
} as const satisfies Readonly<
  Record<(typeof PUBLISH_FORMATS)[number], readonly [type: string, ending: string]>
>;
/** What became of a paragraph in a prose write. */
export const BLOCK_STATUSES = ["kept", "moved", "edited", "new"] as const;
/** Why a prose write could not keep a mention. */
export const DROP_REASONS = ["edited", "removed", "markdown", "unmarked", "unknown_fact"] as const;
/** What an edit that somebody proposes does to the paragraph that it names. */
export const PROPOSAL_OPS = ["replace", "insert_after", "delete"] as const;
/** What became of a proposal, and of each of its edits. */
export const PROPOSAL_STATES = ["open", "stale", "accepted", "rejected"] as const;
/** Which proposals are listed. */
export const PROPOSAL_FILTERS = [...PROPOSAL_STATES, "all"] as const;
/** Why an edit cannot be accepted as things are. */
export const STALE_REASONS = ["gone", "changed", "crowded", "unwritable"] as const;
/** What a describing sentence tells of. */
export const PASSAGE_ATTRIBUTES = [
  "eyes",
  "hair",
  "looks",
  "body",
  "age",
  "family",
  "possessions",
  "title",
  "profession",
  "place",
  "death",
] as const;

/** What a time of the timeline is. */
export const TIME_KINDS = [
  "date",
  "month",
  "year",
  "weekday",
  "season",
  "feast",
  "relative",
  "timeOfDay",
  "age",
] as const;
/** Kinds of marks of a line editor, in the order of the report; the last two are questions. */
export const LANGUAGE_KINDS = [
  "filter",
  "intensifier",
  "tag",
  "tag_adverb",
  "padding",
  "repeat",
  "opening",
  "tic",
  "spelling",
  "tense",
  "viewpoint",
] as const;

/** The `Content-Type` of bare Markdown, in requests and answers. */
export const MARKDOWN_TYPE = "text/markdown";
/** Other types that are read as Markdown; no type at all is too. The last is curl's default. */
const READ_AS_MARKDOWN = [
  "text/plain",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
] as const;
/** Every type that may hold bare Markdown, the usual one first. */
export const MARKDOWN_TYPES: readonly string[] = [MARKDOWN_TYPE, ...READ_AS_MARKDOWN];
/** The `Content-Type` of an answer that goes on. */
export const EVENTS_TYPE = "text/event-stream";

/** Ways to import the tracked changes of a Word document. */
export const TRACKED_CHANGES = ["propose", "accept", "reject"] as const;
/** One of them. */
export type TrackedChanges = (typeof TRACKED_CHANGES)[number];
