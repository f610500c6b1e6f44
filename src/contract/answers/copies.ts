import * as z from "zod";
import { count, time } from "../fields.ts";

const lastAct = z.object({ kind: z.string(), source: z.string(), at: time });

/** How much a file holds, and its last write. */
const holding = z.object({
  format: count.describe("The number of the file's format."),
  books: count,
  words: count,
  acts: count,
  lastAct: lastAct.nullable(),
});

/** How the history of a copy stands to that of the manuscript. */
const gap = {
  savesBehind: count
    .nullable()
    .describe("Acts of the manuscript that the copy has not; null if one of them cannot be read."),
  savesAhead: count
    .nullable()
    .describe(
      "Acts of the copy that the manuscript has not. Where both are above 0 the two histories have parted.",
    ),
};

const fileSize = z.object({
  bytes: count,
  historyBytes: count.describe("Of these, what the history takes."),
  unusedBytes: count.describe("Of these, what is free and can be given back."),
  saves: count.describe("Acts that the history holds."),
});

/** Answers about the copies of a manuscript. */
export const COPY_ANSWERS = {
  backup: holding.extend({
    file: z.string().describe("The full path."),
    copy: z.string().describe("The full path."),
    bytes: count,
    isNew: z.boolean().describe("False with --rotate, where the last copy holds everything already."),
  }),
  backups: z.object({
    file: z.string().describe("The full path; it need not be there."),
    folder: z.string().describe("Where copies are made."),
    copies: z
      .array(
        z.object({
          path: z.string(),
          kind: z.enum(["scheduled", "by hand", "before restore", "before upgrade"]),
          at: time.describe("When it was made, by the clock of then."),
          bytes: count,
          lastAct: lastAct
            .nullable()
            .describe("Its last write; null if there is none, or it cannot be read."),
          ...gap,
        }),
      )
      .describe(
        "Newest first by what was written in them, behind these those whose history has parted from the manuscript's; restore --list answers the same.",
      ),
  }),
  restored: holding.extend({
    file: z.string().describe("The full path."),
    copy: z.string().describe("The full path of what was restored."),
    written: z.boolean().describe("False after a dry run."),
    ...gap,
    before: holding.nullable().describe("What the manuscript held; null if nothing that could be read."),
    aside: z
      .string()
      .nullable()
      .describe("Where the file is that stood there; null if none did, and after a dry run."),
  }),
  compacted: z.object({
    file: z.string().describe("The full path."),
    written: z.boolean().describe("False after a dry run, and where there is nothing to give back."),
    before: fileSize,
    after: fileSize.describe("The same after a dry run as after the write."),
    pictureBytes: count.describe(
      "Of the pictures that are dropped: neither a book nor the history names them.",
    ),
    aside: z.string().nullable().describe("Where the file of until now is; null if nothing took its place."),
  }),
};
