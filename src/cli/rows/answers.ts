import * as z from "zod";
import { PUBLISH_FORMATS, STATUSES } from "../../contract/enums.ts";
import { act, chapterMeta, count, goal, id } from "../../contract/fields.ts";
import { ENDPOINTS } from "../../contract/index.ts";
import {
  bundleSize,
  compared,
  exportedPictures,
  keptFiles,
  LOCAL_ANSWERS,
} from "../../contract/local-answers.ts";
import { LAYOUT_NAMES } from "../../files/layout-names.ts";

// Loaded by tests alone: a command takes types from here, for zod costs more to load than most commands take.

const { checkConsistency, detectMentions, listProposals, readFact, readPassages, replaceProse, searchBook } =
  ENDPOINTS;
const text = z.string();
const ofAll = <Answer extends z.ZodRawShape>(chapter: z.ZodObject<Answer>) =>
  z.object({
    bookId: id,
    chapters: z
      .array(chapter.extend({ title: text, cost: count.describe("Credits; 0 if it was paid for before.") }))
      .describe("In reading order."),
    cost: count,
    remaining: count.nullable().describe("Credits left; null is unlimited."),
    act: act.exactOptional(),
  });
const proposed = listProposals.answer.pick({ proposals: true }).extend({
  unsaid: z
    .array(z.object({ chapterId: id, title: text, reason: text }))
    .describe("Chapters whose change edits of paragraphs cannot say."),
  act,
});
const proposedOfFiles = proposed.extend({
  bookId: id,
  left: z
    .array(
      z.object({
        file: text.nullable(),
        title: text,
        what: z.enum(["new chapter", "fields", "conflict", "gone", "book"]),
      }),
    )
    .describe("What is no prose of a chapter that is there, and so is not proposed."),
});
/** What the commands without an endpoint answer with `--json`; every other one answers with the body of its endpoint. */
export const COMMAND_ANSWERS = {
  init: z.object({ file: text.describe("The full path."), writer: text }),
  use: z.object({ file: text.describe("The full path of the file that commands mean.") }),
  serve: z.object({
    url: text,
    files: z.array(text),
    links: z
      .array(text)
      .describe(
        "For each file, a link that signs its reader in to the page: once, within two minutes; none for more than twenty of folders.",
      ),
    key: text.exactOptional().describe("With --sample."),
  }),
  open: z.object({
    file: text.describe("The full path."),
    link: text.describe("Signs its reader in: once, within two minutes."),
    opened: z.enum(["browser", "app"]).nullable().describe("Null if none could be started from here."),
  }),
  "open --code": z.object({ file: text.describe("The full path."), code: text }),
  import: LOCAL_ANSWERS.taken.extend({ layout: z.enum(LAYOUT_NAMES) }),
  sync: LOCAL_ANSWERS.synced,
  export: z.object({
    bookId: id,
    title: text,
    folder: text.describe("The full path."),
    chapters: z.array(z.object({ id, title: text, file: text, status: z.enum(["written", "same", "busy"]) })),
    busy: z
      .array(text)
      .exactOptional()
      .describe("Files that somebody saved meanwhile; they are left as they are."),
    kept: keptFiles.exactOptional(),
    pictures: exportedPictures.describe("Those that the text refers to."),
    damaged: z
      .array(z.object({ id, title: text, file: text }))
      .exactOptional()
      .describe("Not written, for what is stored of them is damaged: their files stay as they are."),
    unsaid: z.array(text).exactOptional().describe("With --as-imported: what these files do not say."),
  }),
  "export -f docx": z.object({
    bookId: id,
    title: text,
    file: text.describe("The full path."),
    format: z.enum(["markdown", "txt", ...PUBLISH_FORMATS, "pdf"]),
    chapters: count,
    bytes: count,
    omitted: z
      .array(text)
      .describe("What readers do not see of the prose, and shops will miss, in sentences."),
  }),
  "export -f json": bundleSize.extend({ file: text, bytes: count }),
  "import FILE.comments.json": z.object({
    bookId: id,
    reader: text,
    notes: z.array(
      z.object({
        kind: text,
        id: id.describe("The note's."),
        status: z.enum(["created", "same"]),
        lost: text.exactOptional().describe("The words that its paragraph was looked for by."),
      }),
    ),
    act,
  }),
  "import FILE.json": bundleSize.extend({
    file: text,
    written: z.boolean().describe("False after a dry run."),
  }),
  backup: LOCAL_ANSWERS.backup,
  "backup --list": LOCAL_ANSWERS.backups,
  "restore FILE": LOCAL_ANSWERS.restored,
  compact: LOCAL_ANSWERS.compacted,
  doctor: LOCAL_ANSWERS.diagnosis,
  rescue: z.object({
    file: text.describe("The damaged file; it was only read."),
    manuscript: text.describe("The new manuscript."),
    report: text.describe("The page that says what came back and what did not."),
    folders: z.array(text).describe("The same books as Markdown, one folder each."),
    isWhole: z.boolean().describe("True if nothing is missing, and nothing older than it was."),
    chapters: z
      .array(
        z.object({
          id,
          title: text,
          state: z.enum(["whole", "part", "lost"]),
          words: count,
          missing: count.describe("Paragraphs that are known to be missing."),
          older: count.describe("Paragraphs that are, or may be, as they were some time ago."),
        }),
      )
      .describe("In reading order."),
    losses: z.array(text).describe("What else is missing or older, a sentence each."),
  }),
  stats: LOCAL_ANSWERS.stats.extend({
    weeks: z
      .array(z.object({ date: text.describe("Its first day."), net: z.int() }))
      .exactOptional()
      .describe("With --by week."),
  }),
  "chapter split --at scenes": z.object({
    chapters: z.array(chapterMeta).describe("In reading order."),
    act,
  }),
  "status 3-7": z.object({
    chapters: z
      .array(z.object({ id, title: text, status: z.enum(STATUSES), previousStatus: z.enum(STATUSES) }))
      .describe("In reading order."),
    act,
  }),
  synopsis: z.object({ id, synopsis: text }),
  "facts show": readFact.answer.extend(readPassages.answer.shape),
  "facts rename": LOCAL_ANSWERS.factRenamed,
  write: replaceProse.answer.extend({
    ...compared.shape,
    merged: z.boolean().describe("True if what another hand changed since the text was begun stayed."),
    unmarked: count.describe("Blocks that had emphasis or links, if the new text has none at all; else 0."),
  }),
  goal: z.object({ bookId: id, title: text, goal: goal.nullable() }),
  "search --all": z.object({
    query: text,
    total: count.describe("All matches in all books, before the limit."),
    relaxed: z.boolean().describe("True where no book holds every word, so that any word counts."),
    books: z
      .array(searchBook.answer.omit({ query: true }).extend({ bookId: id, title: text }))
      .describe("Those that answer, in the order of the books."),
  }),
  map: LOCAL_ANSWERS.map,
  "map --propose": proposed,
  "replace --propose": proposed,
  "write --propose": proposed,
  "import --propose": proposedOfFiles,
  "sync --propose": proposedOfFiles,
  "detect --apply": detectMentions.answer.extend({ accepted: LOCAL_ANSWERS.accepted, act }),
  "detect --all": ofAll(detectMentions.answer).extend({
    accepted: LOCAL_ANSWERS.accepted.exactOptional().describe("With --apply."),
  }),
  "check --all": ofAll(checkConsistency.answer).extend({
    dismissed: z.array(id).exactOptional().describe("With --dismiss."),
  }),
  "check --dismiss": checkConsistency.answer.extend({ dismissed: z.array(id), act }),
  "key create": LOCAL_ANSWERS.keyCreated,
  "key list": LOCAL_ANSWERS.keys,
  "key revoke": LOCAL_ANSWERS.key,
  "account show": LOCAL_ANSWERS.account,
  "account set": LOCAL_ANSWERS.account.extend({
    server: LOCAL_ANSWERS.modelServer
      .exactOptional()
      .describe("What answers at the language model's address; where that, or the model, was given."),
  }),
  completion: z.object({ shell: text, script: text.describe("What the shell is to read.") }),
} as const;

/** What a command without an endpoint answers. */
export type CommandAnswer<Name extends keyof typeof COMMAND_ANSWERS> = z.output<
  (typeof COMMAND_ANSWERS)[Name]
>;
