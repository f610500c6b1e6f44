/**
 * Prints the cast that detection proposes for a whole novel, to be judged by hand: `cast.ts NOVEL.json [COUNT]`.
 * NOVEL is a file of LitBank, or a folder with one Markdown file a chapter.
 */
import { createDetector } from "../../src/ai/embedded/detect/detect.ts";
import type { Proposal } from "../../src/ai/reader.ts";
import { readNovel as readAnnotated } from "./litbank.ts";
import { bookOf, readNovel } from "./novels.ts";

const [path = "", count = "40"] = process.argv.slice(2);
const book = path.endsWith(".json") ? readAnnotated(path).book : bookOf(path, readNovel(path), []);
const detector = createDetector();
const found = new Map<string, Proposal & { times: number }>();
for (const chapter of book.chapters) {
  for (const proposal of detector.detect(chapter.read(), book)) {
    if (proposal.type !== "new_fact") continue;
    const key = `${proposal.kind} ${proposal.name}`;
    const known = found.get(key);
    const times = (known?.times ?? 0) + proposal.occurrences.length;
    const confidence = Math.max(known?.confidence ?? 0, proposal.confidence);
    found.set(key, { ...proposal, times, confidence });
  }
}
const cast = [...found.values()].sort((a, b) => b.times - a.times);
for (const kind of ["character", "place"]) {
  const some = cast.filter((one) => one.kind === kind);
  console.log(`\n${kind}: ${some.length}`);
  for (const { name, times, confidence, aliases } of some.slice(0, Number(count))) {
    console.log(
      `${String(times).padStart(5)} ${confidence.toFixed(2)} ${name} | ${(aliases ?? []).join(" | ")}`,
    );
  }
}
