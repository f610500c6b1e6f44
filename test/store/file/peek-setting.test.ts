import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { peekSetting } from "../../../src/store/file/peek-setting.ts";
import { saveSetting } from "../../../src/store/rows/account.ts";
import { folder, manuscript } from "../../support/sandbox.ts";

describe("peekSetting", () => {
  it("reads what the file itself holds, also among thousands of rows", (t) => {
    const own = manuscript(t);
    const { path } = own.store;
    own.store.checkpoint();
    assert.equal(peekSetting(path, "writer"), own.writer);
    assert.equal(peekSetting(path, "nothing"), undefined);
    own.store.setAside(() => {
      for (let row = 0; row < 2000; row++) saveSetting(own.store, `page:${row}`, "x".repeat(row % 90));
    });
    own.store.checkpoint();
    assert.equal(peekSetting(path, "writer"), own.writer);
    assert.equal(peekSetting(path, "page:7"), "xxxxxxx");
  });

  it("is undefined for what is missing, foreign or torn, and never throws", (t) => {
    const own = manuscript(t);
    own.store.checkpoint();
    const torn = join(folder(t), "torn.manuscript");
    assert.equal(peekSetting(torn, "writer"), undefined);
    for (const bytes of [Buffer.alloc(0), Buffer.from("no database"), Buffer.alloc(8192, 0xff)]) {
      writeFileSync(torn, bytes);
      assert.equal(peekSetting(torn, "writer"), undefined);
    }
  });

  it("leaves the locks of whoever has the file open", (t) => {
    const own = manuscript(t);
    assert.doesNotThrow(() => own.store.setAside(() => peekSetting(own.store.path, "writer")));
    saveSetting(own.store, "page:after", "1");
    own.store.assertInPlace();
  });
});
