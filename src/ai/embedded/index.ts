import type { ReadingBook, ReadingChapter } from "../../reading/reading.ts";
import { createStatistics } from "../../reading/statistics.ts";
import type { Finding } from "../reader.ts";
import { calibrated, calibratedName } from "./calibration.ts";
import { createDetector, type Detector } from "./detect/detect.ts";

export { createDetector };

/** The three calls of the AI tier, deterministic and without a network. */
export interface Embedded extends Detector {
  synopsis(chapter: ReadingChapter, book: ReadingBook): Promise<string>;
  check(chapter: ReadingChapter, book: ReadingBook): Promise<Finding[]>;
}

/** The embedded engine. Its parts learn a book once, together; those that are not needed are not loaded. */
export function createEmbedded(): Embedded {
  const statisticsOf = createStatistics();
  const detector = createDetector(statisticsOf);
  const synopsis = once(async () => (await import("./synopsis/synopsis.ts")).createSynopsis(detector.detect));
  const check = once(async () => (await import("./check/check.ts")).createChecker(statisticsOf));
  return {
    ...detector,
    synopsis: async (chapter, book) => (await synopsis())(chapter, book),
    detect: (chapter, book) => detector.detect(chapter, book).map(calibratedName),
    check: async (chapter, book) => (await check())(chapter, book).map(calibrated),
  };
}

function once<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let part: Promise<Part> | undefined;
  return () => {
    part ??= load();
    return part;
  };
}
