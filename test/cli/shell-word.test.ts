import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { shellWord } from "../../src/cli/output/shell-word.ts";

describe("shellWord", () => {
  it("quotes for a POSIX shell what is more than a plain word", () => {
    assert.equal(shellWord("out/novel.docx", "linux"), "out/novel.docx");
    assert.equal(shellWord("Büro & Söhne", "linux"), "'Büro & Söhne'");
    assert.equal(shellWord("the ferry's log", "darwin"), "'the ferry'\\''s log'");
    assert.equal(shellWord("C:\\w", "linux"), "'C:\\w'");
  });

  it("leaves a path of Windows as it is, and quotes for its shells what holds a blank or `&`", () => {
    const windows = (text: string) => shellWord(text, "win32");
    assert.equal(windows("C:\\w\\novel.manuscript"), "C:\\w\\novel.manuscript");
    assert.equal(windows("C:\\Büro & Söhne\\a.backup"), '"C:\\Büro & Söhne\\a.backup"');
    assert.equal(
      windows("C:\\my book\\"),
      '"C:\\my book\\\\"',
      "a last backslash would take the quote with it",
    );
    assert.equal(windows('say "no"'), '"say \\"no\\""');
    assert.equal(windows(""), '""');
  });
});
