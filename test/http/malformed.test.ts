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

it("what is asked for whole is answered first, however long that takes, though what comes behind it is no request", async (t) => {
  const done = { status: 200, headers: {}, body: Buffer.from("{}") };
  const nothing = async () => {};
  const worker = {
    answer: () => new Promise<typeof done>((resolve) => setTimeout(resolve, 30, done)),
    ...{ restart: nothing, close: nothing },
  };
  const { url, key, sample } = await serve(t, { worker });
  const head = (start: string, ...more: string[]) =>
    [`${start} HTTP/1.1`, `Host: ${new URL(url).host}`, ...more, "", ""].join("\r\n");
  const slow = head(`POST /api/v1/chapters/${sample.chapterId}/detect`, `Authorization: Bearer ${key}`);
  const refused = `${head("PUT /api/v1/chapters/ch_x/prose", "Content-Length: 1")}x`;
  const { answers } = await exchange(url, `${slow}${refused}hello\r\n\r\n`);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 401, 400],
  );
});
