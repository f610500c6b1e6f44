import type { Embedded } from "./embedded/index.ts";
import type { Reader } from "./reader.ts";

/** What a check cannot do before anybody is in the story map. */
const NO_CAST = "no cast: dates alone are compared";

/** The engine that comes with the program. It is loaded at its first call, so opening a manuscript does not wait for it. */
export function embeddedReader(): Reader {
  let loading: Promise<Embedded> | undefined;
  const load = () => {
    loading ??= import("./embedded/index.ts").then(({ createEmbedded }) => createEmbedded());
    return loading;
  };
  return {
    engine: "embedded",
    limits: async (book, operation) => {
      const limits = (await load()).limits(book);
      const isBlind = operation === "checkConsistency" && book.cast.length === 0;
      return [limits, isBlind ? NO_CAST : null].filter((limit) => limit !== null).join("; ") || null;
    },
    detect: async (chapter, book) => (await load()).detect(chapter, book),
    synopsis: async (chapter, book) => (await load()).synopsis(chapter, book),
    check: async (chapter, book) => (await load()).check(chapter, book),
  };
}
