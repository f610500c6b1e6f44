import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readAddress } from "../../../src/ai/model-address.ts";

describe("readAddress", () => {
  it("gives the base of the API, /v1 where the address names none", () => {
    for (const [text, base] of [
      ["http://127.0.0.1:11434", "http://127.0.0.1:11434/v1"],
      ["http://localhost:1234/v1/", "http://localhost:1234/v1"],
      ["HTTP://LOCALHOST:1234/v1/chat/completions", "http://localhost:1234/v1"],
      ["https://models.example/openai/v1", "https://models.example/openai/v1"],
    ] as const) {
      assert.equal(readAddress(text)?.base, base, text);
    }
  });

  it("takes the literal loopback addresses and localhost for this machine, however they are spelt", () => {
    for (const host of [
      "localhost",
      "LocalHost",
      "127.0.0.1",
      "127.9.9.9",
      "127.1",
      "0x7f.1",
      "2130706433",
      "[::1]",
    ])
      assert.equal(readAddress(`http://${host}:8080`)?.isRemote, false, host);
  });

  it("takes everything that only looks like it for another machine", () => {
    for (const host of [
      "127.0.0.1.evil.com",
      "127-0-0-1.evil.com",
      "localhost.evil.com",
      "localhost.",
      "evil.localhost",
      "my.localhost",
      "localhost.localdomain",
      "127.0.0.1.nip.io",
      "128.0.0.1",
      "0.0.0.0",
      "10.0.0.1",
      "192.168.1.5",
      "[::ffff:10.0.0.1]",
      "[::2]",
      "api.openai.com",
    ]) {
      assert.equal(readAddress(`http://${host}/v1`)?.isRemote, true, host);
    }
  });

  it("refuses what may hold a key, and what is no address", () => {
    for (const text of [
      "http://127.0.0.1@evil.com/",
      "http://user:secret@127.0.0.1/",
      "http://127.0.0.1/v1?key=secret",
      "http://127.0.0.1/v1#secret",
      "http://127.0.0.1:99999",
      "http://127.0.0.1.5/",
      "http://",
      "ftp://127.0.0.1",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "127.0.0.1:11434",
      "none",
      "",
    ]) {
      assert.equal(readAddress(text), undefined, text);
    }
  });
});
