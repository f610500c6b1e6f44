import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toProblem } from "../../src/http/answers/problem.ts";

describe("the answer to an error", () => {
  it("says of a part of the program that is gone what to do, and calls it no bug", async () => {
    const gone: unknown = await import(`${import.meta.dirname}/gone.js`).catch((error: unknown) => error);
    const { status, body, bug } = toProblem(gone, "r1");
    assert.deepEqual([status, bug], [503, undefined]);
    assert.match(String(body.message), /moved, removed or replaced while it ran.+start it again\./);
  });

  it("of anything else tells the request's id alone", () => {
    const error = new TypeError("secret");
    const { status, body, bug } = toProblem(error, "r1");
    assert.deepEqual([status, body.requestId, bug], [500, "r1", error]);
    assert.doesNotMatch(JSON.stringify(body), /secret/);
  });
});
