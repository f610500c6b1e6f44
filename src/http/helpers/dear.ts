import type { EndpointId } from "../../contract/index.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import type { Asked } from "./asked.ts";
import type { Work } from "./helpers.ts";

/** A longer body may take long, whatever it is for. */
const BODY_BYTES = 16 * 1024;

const ALWAYS: ReadonlySet<EndpointId> = new Set(["detectMentions", "checkConsistency", "draftSynopsis"]);

/** Who answers a request that may take long; undefined if it never does, and is answered at once. */
export function laneOf(_manuscript: Manuscript, { id, body }: Asked): Work | undefined {
  if (id === "searchBook") return "search";
  if (body !== undefined && body.bytes.byteLength > BODY_BYTES) return "other";
  return ALWAYS.has(id) ? "other" : undefined;
}
