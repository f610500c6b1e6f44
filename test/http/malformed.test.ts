import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Lab, serve } from "../support/client.ts";
import { dump } from "../support/dump.ts";
import { suite } from "../support/sandbox.ts";
import { MALFORMED } from "./malformed.ts";
import { exchange } from "./raw.ts";

const scope = suite();
after(scope.end);
let lab: Lab;
let untouched: unknown;
before(async () => {
  lab = await serve(scope);
  untouched = dump(lab.manuscript.store);
});

describe("what no client means to send", () => {
  it("is written in more than sixty ways", () => assert.ok(MALFORMED.length > 60));

  for (const { what, sent, statuses } of MALFORMED) {
    it(`${what}: ${statuses.join(", ")}, in JSON`, async () => {
      const fill = (text: string) =>
        text.replaceAll("{key}", lab.key).replaceAll("{port}", new URL(lab.url).port);
      const { answers, rest, end } = await exchange(
        lab.url,
        typeof sent === "string" ? fill(sent) : sent.map(fill),
      );
      assert.deepEqual(
        answers.map(({ status }) => status),
        statuses,
      );
      assert.deepEqual([rest, end], ["", "closed"]);
      for (const { status, headers, body } of answers.filter(({ status }) => status >= 200)) {
        assert.ok(headers["x-request-id"], "no X-Request-Id");
        assert.equal(headers["content-type"], "application/json; charset=utf-8");
        if (status >= 400) assert.match(body, /^\{"error":"\w+","message":"[^"]/);
      }
    });
  }

  it("changes nothing", () => assert.deepEqual(dump(lab.manuscript.store), untouched));
});
