import * as z from "zod";
import { COPY_ANSWERS } from "./answers/copies.ts";
import { METADATA, SNIPPET_KINDS, STATUSES, TIERS } from "./enums.ts";
import {
  act,
  bookOutline,
  count,
  day,
  fact,
  goal,
  id,
  languageModel,
  mentionDropped,
  modelServer,
  snippetDetached,
  snippetMoved,
  time,
} from "./fields.ts";

/** A stretch of text that two versions share, or that only one of them has. */
export const change = z.object({ op: z.enum(["same", "removed", "added"]), text: z.string() });

/** Words gained and lost; one that replaces another is both. */
const wordChange = z.object({ added: count, removed: count });

/** Paragraphs that two versions of a chapter do not share, each word by word. */
const comparedParagraphs = z.array(
  z.object({
    blockId: id,
    status: z.enum(["edited", "new", "removed", "moved"]),
    changes: z.array(change),
  }),
);

/** What two versions of a chapter do not share. */
export const compared = z.object({
  chapterId: id,
  title: z.string(),
  words: wordChange,
  paragraphs: comparedParagraphs.describe("In the later version's order; unchanged ones are left out."),
});

const titleChanged = z.boolean().describe("The title has followed the chapter's first heading.");

const verdict = z.enum(["ok", "warn", "fail"]).describe("warn loses nothing, fail may.");

const key = z.object({
  id,
  name: z.string(),
  prefix: z.string(),
  allow: z.array(z.enum(TIERS)),
  createdAt: time,
  lastUsedAt: time.nullable(),
  expiresAt: time.nullable(),
  revokedAt: time.nullable(),
});

/** How much a whole manuscript holds. */
export const bundleSize = z.object({ books: count, chapters: count, words: count, acts: count });

const text = z.string();
const outcome = ["created", "updated", "same", "left", "conflict"] as const;

/** A list of words of a closed set, typed as text since that is how operations name fields. */
const words = (...values: readonly string[]) => z.array(z.enum(values) as z.ZodType<string, string>);

const importedChapter = z.object({
  id,
  title: text,
  file: text.nullable(),
  status: z.enum(outcome),
  wordCount: count,
  titleChanged,
  headingChanged: z.boolean().describe("The first heading has followed the title."),
  words: wordChange,
  paragraphs: z.object({ kept: count, moved: count, edited: count, new: count, removed: count }),
  changes: comparedParagraphs.exactOptional().describe("With --diff."),
  conflict: z
    .object({
      revision: count.describe("The manuscript's."),
      fields: words("title", "status", "synopsis", "part").readonly(),
      paragraphs: z
        .array(z.object({ mine: text.nullable(), theirs: text.nullable() }))
        .describe("Markdown of each block; null where a side took it out."),
      markdown: text.describe("The chapter as the manuscript has it."),
    })
    .exactOptional(),
  warnings: z
    .array(text)
    .exactOptional()
    .describe("What of its file is not taken: a status that means none of ours."),
  mentionsDropped: z.array(mentionDropped),
  snippetsDetached: z.array(snippetDetached),
  snippetsMoved: z.array(snippetMoved).describe("Notes of a paragraph that was joined to another."),
});

const entry = z.object({
  id,
  status: z.enum([...outcome, "deleted"]),
  gone: z.enum(["file", "manuscript"]).exactOptional().describe("The side that took it out."),
});

/** The pictures that chapters refer to, and what became of each beside them. */
export const exportedPictures = z.array(
  z.object({ file: text, from: text, status: z.enum(["copied", "same", "missing", "other"]) }),
);

/** Files whose former text is kept. */
export const keptFiles = z
  .array(z.object({ file: text, keptAs: text.describe("The full path.") }))
  .describe(
    "Files that were overwritten by force, or saved while they were written, and where what they said is.",
  );

const moved = z
  .array(
    z.object({
      from: z.object({ id, title: text }),
      to: z.object({ id, title: text }),
      paragraphs: count,
    }),
  )
  .describe("Paragraphs that went from one chapter to another, with their ids, notes and mentions.");

const imported = z.object({
  bookId: id,
  title: text,
  book: z.object({
    status: z.enum(outcome),
    fields: z
      .array(text)
      .describe("What was written of it: title, goal, author and so on, order, other keys."),
    conflicts: z.array(text),
  }),
  deleted: z.array(z.object({ id, file: text })),
  moved,
  chapters: z.array(importedChapter),
  facts: z.array(
    entry.extend({
      name: text,
      fields: words("name", "kind", "aliases", "attributes", "summary").exactOptional(),
      mentionsDropped: z.array(mentionDropped).exactOptional(),
    }),
  ),
  notes: z.array(
    entry.extend({
      kind: z.enum(SNIPPET_KINDS),
      fields: words("kind", "text", "url", "items", "anchor").exactOptional(),
      lost: text.exactOptional().describe("The words that its place was looked for by."),
    }),
  ),
  older: z
    .array(text)
    .exactOptional()
    .describe("Files older than the last exchange: only what was edited in them since counts."),
  proposals: z
    .array(z.object({ id, chapterId: id, title: text, edits: count }))
    .exactOptional()
    .describe("Of a Word document that came back: tracked changes, and what both sides have changed."),
  unsaid: z
    .array(z.object({ title: text, reason: text }))
    .exactOptional()
    .describe("Chapters of which that could not be proposed."),
  act,
});

/** What an import did with the files that it was given. */
const taken = imported.extend({
  layout: text,
  why: text,
  metadata: z.partialRecord(z.enum(METADATA), text).exactOptional().describe("Fields of a new book."),
  skipped: z.array(z.object({ file: text, reason: text })),
  pictures: z
    .array(
      z.object({
        file: text,
        from: text.nullable(),
        isThere: z.boolean(),
        left: text.exactOptional().describe("Why it stays in its folder alone."),
      }),
    )
    .describe("Those that the text of new and changed chapters refers to."),
});

/** What replacing words in a book's prose did. */
export const replaced = z.object({
  bookId: id,
  title: z.string(),
  replaced: count,
  skipped: count.describe("Finds in code, tables, HTML and addresses, which stay as they are."),
  chapters: z.array(
    z.object({
      id,
      title: z.string(),
      wordCount: count,
      revision: count,
      titleChanged,
      paragraphs: z.array(
        z.object({
          blockId: id,
          type: z.string(),
          before: z.string().describe("The paragraph as it is read, without marks."),
          after: z.string(),
          edits: z
            .array(z.object({ from: count, to: count, insert: z.string() }))
            .readonly()
            .describe("UTF-16 offsets in `before`."),
        }),
      ),
      mentionsDropped: z.array(mentionDropped),
    }),
  ),
  act,
});

/** What of a detection was written. */
export const accepted = z.object({
  proposals: z.array(id).describe("Those that were taken."),
  facts: z.array(z.object({ id, name: z.string(), kind: z.string() })).describe("Those that were made."),
  aliases: z.array(z.object({ factId: id, alias: z.string() })).describe("Those that were added."),
  mentions: count.describe("Mentions that were anchored."),
});

/** What undoing several acts did. */
export const undoneActs = z.object({
  acts: z.array(id).describe("The undos, in the order in which they were done; none after a dry run."),
  undone: z.array(id).describe("What they undid, newest first."),
  chapters: z.array(z.object({ id, revision: count })).describe("Those that they wrote, as they are now."),
  act: id.nullable().describe("The last of `acts`; null after a dry run."),
});

/** What operations return that have no endpoint, since the command line alone calls them. */
export const LOCAL_ANSWERS = {
  modelServer,
  account: z.object({
    writer: z.string(),
    subscription: z.object({ active: z.boolean(), until: day.nullable() }),
    allowance: z.object({
      perMonth: count.nullable().describe("Credits that the subscription includes; null is unlimited."),
      used: z.int(),
    }),
    credits: z.int(),
    llm: languageModel.nullable().describe("The model that AI calls are sent to; null while none is."),
  }),
  key,
  keys: z.object({ keys: z.array(key), total: count }),
  keyCreated: key.extend({ key: z.string().describe("The key itself, this once.") }),
  file: z.object({
    file: z.string().describe("The full path."),
    bytes: count,
    historyBytes: count
      .nullable()
      .describe("Of these, what the history takes; null if a damaged page hides it."),
    unusedBytes: count.nullable().describe("Of these, what is free and can be given back; null likewise."),
    logBytes: count.describe("Of the log beside it, whose saves are not yet in the file."),
    freeBytes: count.describe("Left on its disk."),
    format: count.describe("The number of the file's format."),
    refusal: z.string().nullable().describe("Why nothing can be written, if so."),
    cloud: z
      .string()
      .nullable()
      .describe("The cloud folder or share that it lies in, such as Dropbox, as far as can be told."),
  }),
  ledger: z.object({
    entries: z
      .array(
        z.object({
          number: count.describe("Rises by time; the next page is before the last of these."),
          at: time,
          kind: z.enum(["call", "grant", "expiry"]),
          operation: z
            .string()
            .nullable()
            .describe("Of a call: draftSynopsis, detectMentions or checkConsistency."),
          chapterId: id.nullable(),
          chapterTitle: z.string().nullable().describe("Null if the chapter is gone."),
          words: count.nullable(),
          engine: z.string().nullable(),
          fromAllowance: z.int(),
          fromCredits: z.int().describe("Negative for credits that were granted."),
          state: z
            .enum(["open", "charged", "refunded"])
            .nullable()
            .describe("Of a call; a refunded one was free."),
        }),
      )
      .describe("Newest first."),
    total: count,
  }),
  engine: z.object({
    engine: z.string().nullable().describe("Who answers AI calls now; null if nobody does."),
    llm: languageModel.nullable(),
  }),
  engineTest: z.object({
    engine: z.string().describe("Who answered."),
    ok: z.boolean().describe("False if the language model that is set did not answer."),
    milliseconds: count,
    failure: z.string().nullable().describe("Why not, in a word or two."),
  }),
  ...COPY_ANSWERS,
  stats: z.object({
    bookId: id,
    title: z.string(),
    wordCount: count,
    chapterCount: count,
    chapters: z.record(z.enum(STATUSES), count).describe("Chapters by status."),
    goal: goal.nullable(),
    today: z.object({ net: z.int(), goal: count.nullable().describe("Null without a goal for the day.") }),
    streak: count.describe(
      "Days in a row on which something was written or cut. One day off is forgiven; today may still come.",
    ),
    average: z.int().describe("Words a day over `days`."),
    daysToTarget: count.nullable().describe("At that average; null without a goal, or if it leads nowhere."),
    days: bookOutline.shape.progress,
  }),
  diagnosis: z.object({
    file: z.string(),
    status: verdict,
    checks: z.array(
      z.object({ name: z.string(), status: verdict, found: z.string(), remedy: z.string().nullable() }),
    ),
    mended: z
      .object({
        keptAs: z.string().nullable().describe("The file as it was; null if there was nothing to mend."),
        schema: z
          .array(z.string())
          .describe("What was taken out that is foreign, and made anew that was missing."),
        mended: z.array(z.object({ what: z.string(), from: z.string() })),
        left: z.array(z.string()).describe("What nothing proves any more."),
      })
      .optional()
      .describe("With --mend."),
  }),
  map: z.object({
    chapters: z.array(
      compared.extend({
        revision: count,
        titleChanged,
        mentionsDropped: z.array(mentionDropped),
        snippetsDetached: z.array(snippetDetached),
        snippetsMoved: z.array(snippetMoved),
      }),
    ),
    moved,
    act,
  }),
  imported,
  taken,
  synced: imported.extend({
    files: z.array(
      z.object({
        file: text,
        chapterId: id.nullable().describe("Null for a file of annotations."),
        status: z.enum(["written", "same", "gone", "deleted", "orphaned", "removed", "conflict", "busy"]),
      }),
    ),
    kept: keptFiles.exactOptional(),
    pictures: exportedPictures.describe("Those that the text of written files refers to."),
    chapterCount: count.describe("Of the whole book, whichever of its chapters have a file."),
    wordCount: count,
  }),
  accepted,
  factRenamed: z.object({
    fact,
    before: text.describe("The name that it had."),
    warnings: z.array(text).describe("same_name: another fact is called so."),
    replaced: count.describe("Places of the prose in which the new name now stands."),
    skipped: replaced.shape.skipped,
    doubtful: count.describe("Places left where it may be the common word: at the start of a sentence."),
    others: count.describe("Places left that are mentions of another fact."),
    left: z
      .array(z.object({ text, is: z.enum(["alias", "part"]), places: count }))
      .describe("Aliases, and words of the old name that the new one lacks, which still stand in the prose."),
    beside: z
      .object({ notes: count, synopses: count, summaries: count })
      .describe("Texts beside the prose that still hold the old name."),
    chapters: replaced.shape.chapters,
    act,
  }),
} as const;

/** What an operation without an endpoint returns. */
export type LocalAnswer<Name extends keyof typeof LOCAL_ANSWERS> = z.output<(typeof LOCAL_ANSWERS)[Name]>;
