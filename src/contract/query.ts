import * as z from "zod";

/** No parameters. */
export const none = z.object({});

/** A switch of the query string: `?dryRun=1`. */
const flag = z.enum(["1", "0", "true", "false"]);

/** Every write can be tried first. */
export const writing = z.object({
  dryRun: flag
    .optional()
    .meta({ description: "1: answer as if it were done, and write nothing.", default: "0" }),
});
