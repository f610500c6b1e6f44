import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDetector } from "../../src/ai/embedded/index.ts";
import type { ReadingFact } from "../../src/reading/reading.ts";
import { detectMentions } from "../../src/service/ai/metered-call.ts";
import { acceptProposals } from "../../src/service/annotations/accept-proposals.ts";
import { createFact } from "../../src/service/annotations/facts.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { type Caller, openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { report } from "../bench/report.ts";
import { litbankFiles, litbankFolder, type Novel, placeOf, readNovel } from "./litbank.ts";
import { atLeast } from "./score.ts";

// The people and places that LitBank marks become facts with all their names as aliases. Are their names found, and given
// to the right fact? Then a rewrite that keeps the names drops the anchored mentions: are they proposed again?
const caller: Caller = { source: "cli" };
const OTHERS = "lamp water kept turned slowly under long grey nobody window rope over".split(" ");
const novels = litbankFiles(litbankFolder()).map(readNovel).map(inChains);
const links = novels.map(scoreLinks);
const total = (key: "marked" | "found" | "right") => links.reduce((sum, each) => sum + each[key], 0);
const rewrites = [];
for (const novel of novels) rewrites.push(await rewrite(novel));
const dropped = rewrites.reduce((sum, each) => sum + each.dropped, 0);
const again = rewrites.reduce((sum, each) => sum + each.again, 0);
report("links: names of LitBank's people and places, linked to facts", [
  atLeast(`names found, of ${total("marked")}`, (100 * total("found")) / total("marked"), "%", 99.5),
  atLeast("of these, given to the right fact", (100 * total("right")) / total("found"), "%", 96),
  atLeast(
    `unique names dropped by a rewrite and proposed again, of ${dropped}`,
    (100 * again) / dropped,
    "%",
    100,
  ),
]);

/** Without the few names that belong to no chain of coreference. */
function inChains(novel: Novel): Novel {
  return { ...novel, gold: novel.gold.filter(({ chain }) => chain) };
}

function castOf({ gold }: Novel): ReadingFact[] {
  const names = new Map<string, Set<string>>();
  for (const { chain, text } of gold)
    names.set(chain, (names.get(chain) ?? new Set()).add(text.replace(/\s+/g, " ")));
  return [...names].map(([id, all]) => {
    const [name = "", ...aliases] = [...all].sort((a, b) => b.length - a.length);
    const kind = gold.find(({ chain }) => chain === id)?.kind === "place" ? "place" : "character";
    return { id, name, kind, aliases, attributes: [], summary: "" };
  });
}

function scoreLinks(novel: Novel): { marked: number; found: number; right: number } {
  const proposals = createDetector().detect(novel.excerpt, { ...novel.book, cast: castOf(novel) });
  const spans = proposals
    .filter(({ type }) => type === "mention")
    .flatMap(({ factId, occurrences }) => occurrences.map((span) => ({ factId, ...placeOf(novel, span) })));
  const score = { marked: novel.gold.length, found: 0, right: 0 };
  for (const { from, to, chain } of novel.gold) {
    const over = spans.filter((span) => (span.from ?? 0) < to && from < (span.to ?? 0));
    if (over.length > 0) score.found++;
    if (over.some(({ factId }) => factId === chain)) score.right++;
  }
  return score;
}

/** Every third small word becomes another, and the paragraphs change places: the names stay as they are. */
function reworded(text: string, at: number): string {
  let count = at;
  return text.replace(/(?<![\p{L}’'-])\p{Ll}{4,}(?![\p{L}’'-])/gu, (word) =>
    ++count % 3 === 0 ? word : OTHERS[count % OTHERS.length]!,
  ); // within the bounds
}

async function rewrite(novel: Novel): Promise<{ dropped: number; again: number }> {
  const folder = mkdtempSync(join(tmpdir(), "manuscript-eval-"));
  const manuscript = openManuscript(join(folder, "eval.manuscript"), { create: true });
  const paragraphs = novel.excerpt.blocks.map(({ text }) =>
    text.replace(/[^\p{L}\p{N}\s.,;:!?'’“”"-]/gu, " ").replace(/^[\s\d.-]+/, ""),
  );
  const { id: bookId } = createBook(manuscript, { title: novel.id }, caller);
  const chapter = createChapter(
    manuscript,
    bookId,
    { title: "c", markdown: paragraphs.join("\n\n") },
    caller,
  );
  const counts = new Map<string, number>();
  const cast = castOf(novel);
  for (const { name, aliases } of cast)
    for (const text of [name, ...aliases]) counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const { name, kind, aliases } of cast)
    createFact(manuscript, bookId, { name, kind, aliases: [...aliases] }, caller);
  const first = await detectMentions(manuscript, chapter.id);
  const known = first.answer.proposals.filter(
    ({ type, candidates }) => type === "mention" && candidates === undefined,
  );
  acceptProposals(manuscript, [{ ...first.answer, proposals: known }], { ...caller, above: 0 });
  const markdown = paragraphs.map(reworded).reverse().join("\n\n");
  const { mentionsDropped } = replaceProse(manuscript, chapter.id, { markdown }, caller);
  const lost =
    typeof mentionsDropped === "number"
      ? []
      : mentionsDropped.filter(({ text }) => counts.get(text) === 1 && markdown.includes(text));
  const { answer } = await detectMentions(manuscript, chapter.id);
  const offered = new Map<string, number>();
  for (const { type, factId, occurrences } of answer.proposals) {
    if (type !== "mention") continue;
    for (const { text } of occurrences)
      offered.set(`${factId} ${text}`, (offered.get(`${factId} ${text}`) ?? 0) + 1);
  }
  let again = 0;
  for (const { factId, text } of lost) {
    const left = offered.get(`${factId} ${text}`) ?? 0;
    if (left > 0) again++;
    offered.set(`${factId} ${text}`, left - 1);
  }
  manuscript.close();
  rmSync(folder, { recursive: true });
  return { dropped: lost.length, again };
}
