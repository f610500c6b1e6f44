import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readBooks } from "../bench/search-corpus.ts";
import { builtIndex, englishStem, placeOf } from "../bench/search-engines.ts";
import { measureQuality } from "../bench/search-quality.ts";
import { knownQuestions, seeded } from "../bench/search-questions.ts";

const root = process.env.MANUSCRIPT_CORPUS;
const skip = root === undefined ? "MANUSCRIPT_CORPUS names no folder of novels" : false;
const english = await englishStem();

describe("on a novel of 120,000 words", { skip }, () => {
  const book = readBooks(root ?? "", ["pride-and-prejudice"]);

  test("finds the sentence that the writer has in mind better than its peers", () => {
    const [mine, plain, porter] = measureQuality(book, { count: 40, seed: 5, stem: english.stem });
    assert.ok(mine !== undefined && plain !== undefined && porter !== undefined);
    const kinds = (["exact", "exact3", "typo", "natural", "type"] as const).map(
      (kind) => mine.paragraph[kind] ?? 0,
    );
    for (const value of kinds) assert.ok(value >= 0.93, kinds.join(" "));
    assert.ok(mine.chapter.scatter >= Math.max(0.66, porter.chapter.scatter, plain.chapter.scatter));
    if (english.name === "stemmer") {
      assert.ok(mine.paragraphMean >= 0.975 && mine.chapterMean >= 0.937);
      assert.ok(mine.paragraphMean > porter.paragraphMean && mine.chapterMean > porter.chapterMean);
    }
  });

  test("answers 330 questions after 3,000 random edits as an index made afresh", () => {
    const random = seeded(3);
    const pick = (): number => Math.floor(random() * book.paragraphs.length);
    const paragraphs = [...book.paragraphs];
    const index = builtIndex(book, english.stem);
    for (let edit = 0; edit < 3000; edit += 1) {
      const place = pick();
      const { id, chapterId, text } = paragraphs[place]!; // pick is below the length
      const other = paragraphs[pick()]!;
      const changed =
        text.length > 2000
          ? text.slice(0, 900)
          : `${text.slice(random() * text.length)} ${other.text.slice(0, 90)}`;
      paragraphs[place] = { id, chapterId, text: changed };
      index.putParagraph({ blockId: id, chapterId, text: changed, place: placeOf(place) });
    }
    const fresh = builtIndex({ ...book, paragraphs }, english.stem);
    for (const { query } of knownQuestions(book, { count: 48, seed: 2, stem: english.stem }).slice(0, 330)) {
      const [one, other] = [index.find(query, 20), fresh.find(query, 20)];
      assert.deepEqual(
        one.chapters.map(({ chapterId, excerpts }) => ({ chapterId, excerpts })),
        other.chapters.map(({ chapterId, excerpts }) => ({ chapterId, excerpts })),
        query,
      );
      for (const [at, { score }] of one.chapters.entries())
        assert.ok(Math.abs(score - other.chapters[at]!.score) < 1e-9);
    }
  });
});
