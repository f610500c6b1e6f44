import { count, list, object, orNull, text, words } from "./json-schema.ts";

/** A mention that a write dropped. */
export const mention = object({
  id: text,
  factId: text,
  name: text,
  blockId: text,
  from: count,
  to: count,
  text,
  reason: words("edited", "removed", "markdown", "unmarked", "unknown_fact"),
});

/** A note that lost its paragraph. */
export const detached = object({
  id: text,
  kind: words("note", "reference", "todo", "research"),
  blockId: orNull(text),
  quote: text,
});

/** What changed between two versions of a chapter. */
export const compared = {
  chapterId: text,
  title: text,
  words: object({ added: count, removed: count }),
  paragraphs: list(
    object({
      blockId: text,
      status: words("edited", "new", "removed", "moved"),
      changes: list(object({ op: words("same", "removed", "added"), text })),
    }),
  ),
};

const imported = object(
  {
    id: text,
    title: text,
    file: orNull(text),
    status: words("created", "updated", "same", "left", "conflict"),
    wordCount: count,
    words: compared.words,
    paragraphs: object({ kept: count, moved: count, edited: count, new: count, removed: count }),
    changes: compared.paragraphs,
    conflict: object({
      revision: count,
      fields: list(words("title", "status", "synopsis", "part")),
      paragraphs: list(object({ mine: orNull(text), theirs: orNull(text) })),
      markdown: text,
    }),
    mentionsDropped: list(mention),
    snippetsDetached: list(detached),
  },
  ["changes", "conflict"],
);

const entry = {
  id: text,
  status: words("created", "updated", "same", "left", "conflict", "deleted"),
  /** The side that took it out. */
  gone: words("file", "manuscript"),
};

const importedFact = object(
  {
    ...entry,
    name: text,
    fields: list(words("name", "kind", "aliases", "attributes", "summary")),
    mentionsDropped: list(mention),
  },
  ["fields", "gone", "mentionsDropped"],
);

const importedNote = object(
  {
    ...entry,
    kind: words("note", "reference", "todo", "research"),
    fields: list(words("kind", "text", "url", "items", "anchor")),
    /** The words that its place was looked for by. */
    lost: text,
  },
  ["fields", "gone", "lost"],
);

/** What `import` and `sync` both answer. */
export const importedBook = {
  bookId: text,
  title: text,
  book: object({
    status: words("created", "updated", "same", "left", "conflict"),
    /** What was written of it: title, goal, order, other keys … */
    fields: list(text),
    conflicts: list(text),
  }),
  deleted: list(object({ id: text, file: text })),
  chapters: list(imported),
  facts: list(importedFact),
  notes: list(importedNote),
  act: orNull(text),
};
