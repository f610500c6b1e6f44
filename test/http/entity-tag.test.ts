import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readIfMatch } from "../../src/http/answers/answer.ts";
import { entityTag } from "../../src/http/handlers.ts";

describe("entity tags", () => {
  const seen = { chapterId: "ch_a", revision: 5, version: 12 };
  const read = { id: "ch_a", own: "5", whole: "12" };

  it("read back from If-Match what they were made of, in every form", () => {
    for (const query of [{}, { format: "doc" }, { bare: true }, { revision: 3 }] as const) {
      const tag = entityTag(seen, query);
      assert.deepEqual(readIfMatch(`"${tag}"`), [read], tag);
      assert.deepEqual(readIfMatch(`"ch_b.1.2.text" , "${tag}"`)?.[1], read, tag);
    }
  });

  it("match nothing if weak or malformed, and ask nothing as * or without the header", () => {
    const tag = entityTag(seen, {});
    for (const none of [`W/"${tag}"`, tag, '"5"', '""', "", '"ch_a."']) {
      assert.deepEqual(readIfMatch(none), [], none);
    }
    assert.equal(readIfMatch(undefined), undefined);
    assert.equal(readIfMatch(" * "), undefined);
  });

  it("of a revision alone say nothing of the version", () => {
    assert.deepEqual(readIfMatch('"ch_a.5"'), [{ id: "ch_a", own: "5", whole: undefined }]);
  });
});
