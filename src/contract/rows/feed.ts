import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../fields.ts";
import { actEntry } from "./acts.ts";

export const streamActs = endpoint({
  route: "GET /acts/stream",
  tier: "read",
  beyond: true,
  isStream: true,
  summary: "Follow the writes as they are made, by whatever program: the live feed",
  description:
    "Server-sent events. The first says where it begins: `id` alone, the act of `after`, else the newest. Then each act, an undo too, comes exactly once and in order as `event: act`, its id as `id`; a comment each 30 s says that the stream lives. Whenever it ends, by whichever side, ask again with the last `id` as `Last-Event-ID`, which goes before `after`: what was written meanwhile comes first, from the history itself. `event: error` with an error body comes before the end where asking again at once is no use: a key that was revoked or has expired, a file that was moved. A client that leaves 256 kB unread is cut off, as is one that takes nothing for 60 s. An act that is not known, such as one that a restored copy has not, is 404: read anew what you keep, and go on from the newest act. EventSource sends no key; read the answer of `fetch`.",
  query: z.object({
    after: id
      .optional()
      .describe("Begin after this act; 0: with the first. Without it, with what is written from now on."),
  }),
  answer: actEntry,
  refusals: ["not_found", "unavailable"],
});
