import { shortenHistory } from "./migrate/shorten-history.ts";
import type { FormatStep } from "./migrate.ts";
import { V1 } from "./versions/v1.ts";
import { V2 } from "./versions/v2.ts";
import { V3 } from "./versions/v3.ts";
import { V4 } from "./versions/v4.ts";
import { V5 } from "./versions/v5.ts";
import { V6_JOURNAL, V6_ROWS } from "./versions/v6.ts";

/** The format in which a rescued history is settled: the last that names ids in words and holds texts whole. */
export const SETTLED_FORMAT = 4;

/** The steps of `VERSIONS`, but at `SETTLED_FORMAT` the file has every table and column that came since. */
export const SETTLING_STEPS: readonly FormatStep[] = [
  ...[V1, V2, V3, V4 + V6_ROWS],
  { rewrite: shortenHistory, sql: V5 },
  V6_JOURNAL,
];
