import * as z from "zod";
import { act, count, goal, id } from "../../contract/fields.ts";
import { bundleSize, FACT_RENAMED, LOCAL_ANSWERS } from "../../contract/local-answers.ts";
import { undoAct } from "../../contract/rows/acts.ts";
import { checkConsistency, detectMentions } from "../../contract/rows/ai.ts";
import { LAYOUT_NAMES } from "../../files/layouts/names.ts";

// Loaded by tests alone: a command takes types from here, for zod costs more to load than most commands take.

const text = z.string();
/** What the commands without an endpoint answer with `--json`; every other one answers with the body of its endpoint. */
export const COMMAND_ANSWERS = {
  init: z.object({ file: text.describe("The full path."), writer: text }),
  use: z.object({ file: text.describe("The full path of the file that commands mean.") }),
  serve: z.object({ url: text, files: z.array(text), key: text.exactOptional().describe("With --sample.") }),
  import: LOCAL_ANSWERS.imported.extend({
    layout: z.enum(LAYOUT_NAMES),
    why: text,
    skipped: z.array(z.object({ file: text, reason: text })),
  }),
  sync: LOCAL_ANSWERS.synced,
  export: z.object({
    bookId: id,
    title: text,
    folder: text.describe("The full path."),
    chapters: z.array(z.object({ id, title: text, file: text, status: z.enum(["written", "same"]) })),
    unsaid: z.array(text).exactOptional().describe("With --as-imported: what these files do not say."),
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
  "facts rename": FACT_RENAMED,
  goal: z.object({ bookId: id, title: text, goal: goal.nullable() }),
  "undo --since": z.object({
    acts: z.array(id).describe("The undos, in the order in which they were done; none after a dry run."),
    undone: z.array(id).describe("What they undid, newest first."),
    chapters: undoAct.answer.shape.chapters,
  }),
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
