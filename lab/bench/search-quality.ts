import type { Book } from "./search-corpus.ts";
import { type Engine, ftsPorter, ours, plainMiniSearch } from "./search-engines.ts";
import {
  KINDS,
  type Kind,
  type Known,
  knownQuestions,
  MEAN_KINDS,
  type Sampling,
} from "./search-questions.ts";

/** Mean reciprocal rank at 10 for each kind of question, and the mean of those that means are of. */
export interface Quality {
  engine: string;
  paragraph: Partial<Record<Kind, number>>;
  chapter: Record<Kind, number>;
  paragraphMean: number;
  chapterMean: number;
}

/** Our engine and its peers, asked the same questions about one book. */
export function measureQuality(book: Book, sampling: Sampling): Quality[] {
  const questions = knownQuestions(book, sampling);
  const { stem } = sampling;
  return [ours(book, stem), plainMiniSearch(book), ftsPorter(book)].map((engine) => judge(engine, questions));
}

function judge(engine: Engine, questions: readonly Known[]): Quality {
  const ranks = questions.map((known) => {
    const { paragraphs, chapters } = engine.ask(known.query);
    const paragraph = known.paragraphId === null ? undefined : reciprocalRank(paragraphs, known.paragraphId);
    return { kind: known.kind, paragraph, chapter: reciprocalRank(chapters, known.chapterId) };
  });
  const ofKind = (kind: Kind): typeof ranks => ranks.filter((rank) => rank.kind === kind);
  const chapter = KINDS.map((kind) => [kind, mean(ofKind(kind).map((rank) => rank.chapter))] as const);
  const inMean = (kind: Kind): boolean => MEAN_KINDS.includes(kind as (typeof MEAN_KINDS)[number]);
  const paragraph = KINDS.filter((kind) => kind !== "scatter").map(
    (kind) => [kind, mean(ofKind(kind).map((rank) => rank.paragraph ?? 0))] as const,
  );
  return {
    engine: engine.name,
    paragraph: Object.fromEntries(paragraph),
    chapter: Object.fromEntries(chapter) as Record<Kind, number>,
    paragraphMean: mean(paragraph.filter(([kind]) => inMean(kind)).map(([, value]) => value)),
    chapterMean: mean(chapter.filter(([kind]) => inMean(kind)).map(([, value]) => value)),
  };
}

function reciprocalRank(ids: readonly string[], id: string): number {
  const at = ids.indexOf(id);
  return at >= 0 && at < 10 ? 1 / (at + 1) : 0;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
