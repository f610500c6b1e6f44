import type { Detector } from "../ai/embedded/index.ts";
import type { Reader } from "../ai/reader.ts";
import { Unavailable } from "../refusals.ts";

/** The engine that comes with the program. It is loaded when it is first asked: opening a manuscript does not wait. */
export function embeddedReader(): Reader {
  let loading: Promise<Detector> | undefined;
  const load = () => {
    loading ??= import("../ai/embedded/index.ts").then(({ createDetector }) => createDetector());
    return loading;
  };
  const refuse = async (): Promise<never> => {
    throw new Unavailable("The embedded engine answers detect alone; nothing was charged.");
  };
  return {
    engine: "embedded",
    detect: async (chapter, book) => (await load()).detect(chapter, book),
    limits: async (book) => (await load()).limits(book),
    synopsis: refuse,
    check: refuse,
  };
}
