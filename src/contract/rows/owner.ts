import * as z from "zod";
import { endpoint, writing } from "../endpoint.ts";
import { TIERS, TRACKED_CHANGES } from "../enums.ts";
import { cleanText, count, day, id, label, time, title } from "../fields.ts";
import { IMPORT_LIMITS, LIMITS } from "../limits.ts";
import { LOCAL_ANSWERS } from "../local-answers.ts";

export const listKeys = endpoint({
  route: "GET /owner/keys",
  tier: "owner",
  summary: "List the API keys, never the keys themselves",
  answer: LOCAL_ANSWERS.keys,
});

export const createKey = endpoint({
  route: "POST /owner/keys",
  tier: "owner",
  summary: "Make an API key; it is shown this once",
  holdsSecret: true,
  body: {
    json: z.strictObject({
      name: label.optional(),
      allow: z.array(z.enum(TIERS)).min(1).optional().describe("What it may do; all of it if not sent."),
      expiresAt: time.nullable().optional().describe("When it ends; null or nothing: never."),
    }),
  },
  answer: LOCAL_ANSWERS.keyCreated,
  created: { location: "/owner/keys" },
});

export const revokeKey = endpoint({
  route: "DELETE /owner/keys/{keyId}",
  tier: "owner",
  summary: "End an API key for good",
  answer: LOCAL_ANSWERS.key,
});

export const readAccount = endpoint({
  route: "GET /owner/account",
  tier: "owner",
  summary: "The plan and what is left of it, and the language model",
  answer: LOCAL_ANSWERS.account,
});

export const changeAccount = endpoint({
  route: "PATCH /owner/account",
  tier: "owner",
  summary: "Change what is sent of the plan and the language model",
  body: {
    json: z
      .strictObject({
        subscription: z.boolean().optional(),
        until: day.nullable().optional().describe("Its last day; null for no end."),
        allowance: count.nullable().optional().describe("Credits a month; null is unlimited."),
        credits: count.optional().describe("The balance."),
        llm: z
          .strictObject({
            url: z.string().max(LIMITS.urlCharacters).optional(),
            model: z.string().optional(),
            timeoutSeconds: z.number().optional(),
            allowRemote: z.boolean().optional().describe("Consent to send prose to another machine."),
          })
          .refine((change) => Object.keys(change).length > 0, "give at least one of its keys")
          .nullable()
          .optional()
          .describe("Null switches it off."),
      })
      .refine((change) => Object.keys(change).length > 0, "give at least one key"),
  },
  answer: LOCAL_ANSWERS.account,
});

export const readFileState = endpoint({
  route: "GET /owner/file",
  tier: "owner",
  summary: "The manuscript's file: where it is and how large, and what has it open",
  answer: LOCAL_ANSWERS.file.extend({
    versions: z.object({ manuscript: z.string(), node: z.string(), sqlite: z.string() }),
    movesTo: z
      .string()
      .nullable()
      .describe("Where it would be moved to from a cloud folder or share; null where it can stay."),
  }),
});

export const moveFile = endpoint({
  route: "POST /owner/file/move",
  tier: "owner",
  summary: "Move the file out of a cloud folder, and keep its copies there",
  description:
    "Once this is answered the program stops serving it, makes a whole, verified copy of it in the new place and one among its copies, removes it here, and opens it in a new window.",
  answer: z.object({ file: z.string().describe("The full path it will have.") }),
  refusals: ["not_found"],
});

const recentFiles = z.object({
  manuscripts: z
    .array(z.object({ file: z.string().describe("The full path."), isThis: z.boolean() }))
    .describe("The last one opened first."),
  folder: z.string().nullable().describe("Where a new one is made; null where none can be opened from here."),
});

export const listRecentFiles = endpoint({
  route: "GET /owner/manuscripts",
  tier: "owner",
  summary: "The manuscripts that were opened on this computer as a desktop program does",
  answer: recentFiles,
});

export const openInWindow = endpoint({
  route: "POST /owner/manuscripts",
  tier: "owner",
  summary: "Open another manuscript in a window of its own, or make one",
  body: {
    json: z.union([
      z.strictObject({ file: z.string().describe("One of those that are listed.") }),
      z.strictObject({ name: cleanText(LIMITS.nameCharacters).describe("Of a new one, in the folder.") }),
    ]),
  },
  answer: z.object({ file: z.string().describe("The full path.") }),
  refusals: ["not_found", "conflict"],
});

export const listLedger = endpoint({
  route: "GET /owner/ledger",
  tier: "owner",
  summary: "List what AI calls cost and which credits were given, newest first",
  query: z.object({
    before: z.int().min(1).optional().describe("Only entries before this number: the next page."),
    limit: z.int().min(1).optional().describe("50 if not sent, 500 at most."),
  }),
  answer: LOCAL_ANSWERS.ledger,
});

export const readEngine = endpoint({
  route: "GET /owner/engine",
  tier: "owner",
  summary: "Who answers AI calls",
  answer: LOCAL_ANSWERS.engine,
});

export const testEngine = endpoint({
  route: "POST /owner/engine/test",
  tier: "owner",
  summary: "Ask who answers AI calls for a sentence; sends no prose and costs nothing",
  answer: LOCAL_ANSWERS.engineTest,
  refusals: ["unavailable"],
});

export const checkFile = endpoint({
  route: "POST /owner/file/check",
  tier: "owner",
  cost: "book",
  summary: "Look through the whole file for damage, as manuscript doctor does",
  answer: LOCAL_ANSWERS.diagnosis,
});

export const listCopies = endpoint({
  route: "GET /owner/backups",
  tier: "owner",
  summary: "List the copies of the file, newest first",
  answer: LOCAL_ANSWERS.backups,
});

export const createBackup = endpoint({
  route: "POST /owner/backups",
  tier: "owner",
  summary: "Make a whole, verified copy of the file now",
  answer: LOCAL_ANSWERS.backup,
  refusals: ["unavailable"],
});

export const restoreBackup = endpoint({
  route: "POST /owner/backups/restore",
  tier: "owner",
  summary: "Put a copy in the place of the file; the file of until now is kept beside it",
  description:
    "Every other call waits meanwhile or is answered 503, and AI calls that run are refused. Whatever was written since the copy is in the file that is kept; keys and credits are those of the copy.",
  query: writing,
  body: { json: z.strictObject({ copy: z.string().min(1).describe("Its path, as the list has it.") }) },
  answer: LOCAL_ANSWERS.restored,
  refusals: ["not_found", "unavailable"],
});

export const compactFile = endpoint({
  route: "POST /owner/file/compact",
  tier: "owner",
  summary:
    "Give back what the file does not need, as manuscript compact does; the file of until now is kept beside it",
  description:
    "A copy takes its place if nothing was written since that was made. With olderThan the saves of old sittings become one each. dryRun=1 answers with the sizes.",
  query: writing,
  body: {
    json: z
      .strictObject({
        olderThan: day.optional().describe("Fold the saves from before this day; at least 30 days ago."),
        keep: z
          .enum(["sittings", "days", "milestones"])
          .optional()
          .describe("Which saves of a chapter become one; those of a sitting if not sent."),
      })
      .refine(({ olderThan, keep }) => olderThan !== undefined || keep === undefined, {
        path: ["keep"],
        message: "says what becomes of old saves; say how old with olderThan",
      }),
  },
  answer: LOCAL_ANSWERS.compacted,
  refusals: ["would_lose", "unavailable"],
});

const filePath = cleanText(1000).min(1);

export const importSent = endpoint({
  route: "POST /owner/import",
  tier: "owner",
  cost: "book",
  keepsReply: true,
  summary: "Take files in, as manuscript import does: as a new book, or into one that is there",
  description:
    "The files of one folder, by their paths in it, or a single file; or what beta readers saved, as notes. One act; dryRun=1 answers with the plan.",
  query: writing,
  body: {
    json: z.strictObject({
      files: z
        .array(
          z.union([
            z.strictObject({ path: filePath, text: z.string() }),
            z.strictObject({ path: filePath, base64: z.base64() }),
          ]),
        )
        .min(1)
        .max(IMPORT_LIMITS.files),
      bookId: id.optional().describe("Into this book."),
      title: title().optional().describe("The new book's title."),
      layout: z
        .string()
        .max(LIMITS.nameCharacters)
        .optional()
        .describe("How the files lie; else what they look like."),
      split: z
        .union([z.int().min(1).max(6), z.literal("none")])
        .optional()
        .describe("Cut one file before its headings of this level."),
      adopt: z.boolean().optional().describe("Take in text that the layout does not list."),
      clean: z.boolean().optional().describe("Drop control characters, which no text may hold."),
      acceptLoss: z.boolean().optional().describe("Import although text of the source would be lost."),
      changes: z
        .enum(TRACKED_CHANGES)
        .optional()
        .describe("What becomes of a Word document's tracked changes; proposed if not sent."),
      force: z.enum(["mine", "theirs"]).optional().describe("Where both sides changed, take this one."),
      yes: z.boolean().optional().describe("Let a chapter shrink below half."),
    }),
    limitBytes: IMPORT_LIMITS.bytes,
  },
  answer: LOCAL_ANSWERS.taken,
  refusals: ["not_found", "would_lose", "conflict"],
});

export const addSample = endpoint({
  route: "POST /owner/sample",
  tier: "owner",
  cost: "book",
  summary: "Add a short novel to look around in, as a book of its own",
  answer: z.object({ bookId: id }),
});
