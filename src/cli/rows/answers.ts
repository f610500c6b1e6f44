import * as z from "zod";
import { SNIPPET_KINDS } from "../../contract/enums.ts";
import { act, count, id, mentionDropped, snippetDetached } from "../../contract/fields.ts";
import { bundleSize, comparedParagraphs, LOCAL_ANSWERS, wordChange } from "../../contract/local-answers.ts";
import { checkConsistency, detectMentions } from "../../contract/rows/ai.ts";
import { LAYOUT_NAMES } from "../../files/layouts/names.ts";

// Loaded by tests alone: a command takes types from here, for zod costs more to load than most commands take.

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
  mentionsDropped: z.array(mentionDropped),
  snippetsDetached: z.array(snippetDetached),
});

const entry = z.object({
  id,
  status: z.enum([...outcome, "deleted"]),
  gone: z.enum(["file", "manuscript"]).exactOptional().describe("The side that took it out."),
});

const imported = z.object({
  bookId: id,
  title: text,
  book: z.object({
    status: z.enum(outcome),
    fields: z.array(text).describe("What was written of it: title, goal, order, other keys."),
    conflicts: z.array(text),
  }),
  deleted: z.array(z.object({ id, file: text })),
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
  act,
});

/** What the commands without an endpoint answer with `--json`; every other one answers with the body of its endpoint. */
export const COMMAND_ANSWERS = {
  init: z.object({ file: text.describe("The full path."), writer: text }),
  serve: z.object({ url: text, files: z.array(text), key: text.exactOptional().describe("With --sample.") }),
  import: imported.extend({
    layout: z.enum(LAYOUT_NAMES),
    why: text,
    skipped: z.array(z.object({ file: text, reason: text })),
  }),
  sync: imported.extend({
    files: z.array(
      z.object({
        file: text,
        chapterId: id.nullable().describe("Null for a file of annotations."),
        status: z.enum(["written", "same", "gone", "deleted", "orphaned", "removed", "conflict", "busy"]),
      }),
    ),
    deletions: z.array(id).describe("Acts that deleted a chapter each."),
  }),
  export: z.object({
    bookId: id,
    title: text,
    folder: text.describe("The full path."),
    chapters: z.array(z.object({ id, title: text, file: text, status: z.enum(["written", "same"]) })),
  }),
  "export -f json": bundleSize.extend({ file: text, bytes: count }),
  "import FILE.json": bundleSize.extend({
    file: text,
    written: z.boolean().describe("False after a dry run."),
  }),
  doctor: LOCAL_ANSWERS.diagnosis,
  stats: LOCAL_ANSWERS.stats,
  replace: LOCAL_ANSWERS.replace,
  synopsis: z.object({ id, synopsis: text }),
  diff: LOCAL_ANSWERS.comparison,
  map: LOCAL_ANSWERS.map,
  "detect --apply": detectMentions.answer.extend({ accepted: LOCAL_ANSWERS.accepted, act }),
  "check --dismiss": checkConsistency.answer.extend({ dismissed: z.array(id), act }),
  "key create": LOCAL_ANSWERS.key.extend({ key: text.describe("The key itself, this once.") }),
  "key list": z.object({ keys: z.array(LOCAL_ANSWERS.key), total: count }),
  "key revoke": LOCAL_ANSWERS.key,
  "account show": LOCAL_ANSWERS.account,
  "account set": LOCAL_ANSWERS.account,
  completion: z.object({ shell: text, script: text.describe("What the shell is to read.") }),
} as const;

/** What a command without an endpoint answers. */
export type CommandAnswer<Name extends keyof typeof COMMAND_ANSWERS> = z.output<
  (typeof COMMAND_ANSWERS)[Name]
>;
