import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readIfMatch } from "../../src/http/answers/answer.ts";
import { entityTag } from "../../src/http/handlers.ts";
import { isOfState } from "../../src/service/entity-tags.ts";

describe("entity tags", () => {
  const seen = { chapterId: "ch_a", revision: 5, version: 12 };
  const matches = (header: string, now: string) =>
    readIfMatch(header)?.some((tag) => isOfState(tag, now)) ?? assert.fail("it asks for nothing");

  it("match the state that they were made of, in every form", () => {
    for (const query of [{}, { format: "doc" }, { bare: true }, { revision: 3 }] as const) {
      const tag = entityTag(seen, query);
      for (const header of [`"${tag}"`, `"ch_b.1.2.text" , "${tag}"`]) {
        assert.ok(matches(header, "ch_a.5.12"), header);
        assert.ok(matches(header, "ch_a.5"), header);
        for (const other of ["ch_a.5.1", "ch_a.5.13", "ch_a.6.12", "ch_a.6", "ch_a.55", "ch_b.5"])
          assert.ok(!matches(header, other), `${header} and ${other}`);
      }
    }
  });

  it("match nothing if weak or malformed, and ask nothing as * or without the header", () => {
    const tag = entityTag(seen, {});
    for (const none of [`W/"${tag}"`, tag, '"5"', '""', "", '"ch_a."', '"ch_a"'])
      for (const now of ["ch_a.5.12", "ch_a.5"]) assert.ok(!matches(none, now), none);
    assert.equal(readIfMatch(undefined), undefined);
    assert.equal(readIfMatch(" * "), undefined);
  });

  it("of a revision alone match no version", () => {
    assert.ok(matches('"ch_a.5"', "ch_a.5"));
    assert.ok(!matches('"ch_a.5"', "ch_a.5.12"));
  });
});
