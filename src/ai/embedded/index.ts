import { createChecker } from "./check.ts";
import { createDetector, type Detector } from "./detect.ts";
import { createStatistics } from "./statistics.ts";
import { createSynopsis } from "./synopsis.ts";

export { createDetector, type Detector };

/** The three calls of the AI tier, deterministic and without a network. */
export interface Embedded extends Detector {
  synopsis: ReturnType<typeof createSynopsis>;
  check: ReturnType<typeof createChecker>;
}

/** The embedded engine; its parts learn a book once, together. */
export function createEmbedded(): Embedded {
  const statisticsOf = createStatistics();
  return {
    ...createDetector(statisticsOf),
    synopsis: createSynopsis(statisticsOf),
    check: createChecker(statisticsOf),
  };
}
