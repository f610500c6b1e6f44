import type { Embedded } from "../ai/embedded/index.ts";
import type { Reader } from "../ai/reader.ts";

/** The engine that comes with the program. It is loaded at its first call, so opening a manuscript does not wait for it. */
export function embeddedReader(): Reader {
  let loading: Promise<Embedded> | undefined;
  const load = () => {
    loading ??= import("../ai/embedded/index.ts").then(({ createEmbedded }) => createEmbedded());
    return loading;
  };
  return {
    engine: "embedded",
    limits: async (book) => (await load()).limits(book),
    detect: async (chapter, book) => (await load()).detect(chapter, book),
    synopsis: async (chapter, book) => (await load()).synopsis(chapter, book),
    check: async (chapter, book) => (await load()).check(chapter, book),
  };
}
