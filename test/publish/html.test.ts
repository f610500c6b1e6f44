import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { writeHtml } from "../../src/publish/html.ts";
import { writeReview } from "../../src/publish/review.ts";
import { compiled, PIXEL } from "./book.ts";

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const WHOLE = compiled([
  {
    title: "Dusk",
    part: "One",
    markdown: "<b>Bold</b> & *so*.[^1]\n\n![q](q.png)\n\n![Lost](missing.png)\n\n[^1]: A note.",
  },
  { title: "Dawn", markdown: "[x](javascript:alert(1)) <script>alert(1)</script> [y](other.md)" },
]);

describe("writeHtml", () => {
  const html = text(writeHtml(WHOLE));

  it("needs no other file, and lets none in", () => {
    assert.ok(html.includes(`src="data:image/png;base64,${PIXEL.toString("base64")}"`));
    assert.match(html, /Content-Security-Policy" content="default-src 'none'/);
    assert.doesNotMatch(html, /<script|href="(?:javascript|other)|<link/);
  });

  it("has a title page, contents, notes with a way back, and words for a picture that is missing", () => {
    assert.match(html, /<h1>The Ferry &amp; the Fog<\/h1><p class="author">Ada Rook/);
    assert.match(html, /<li class="part">One<\/li><li><a href="#ch_1">Dusk/);
    assert.match(html, /href="#n1-ch_1">1<\/a>[\s\S]*id="n1-ch_1">[\s\S]*href="#r1-ch_1"/);
    assert.match(html, /\[Lost\]/);
    assert.match(html, /<p id="b_1" class="first">Bold &amp; <em>so<\/em>/);
  });
});

describe("writeReview", () => {
  it("runs its own script and no other, and says which chapter and revision is read", () => {
    const html = text(writeReview(WHOLE));
    assert.match(html, /script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'/);
    assert.equal(html.match(/<script>/g)?.length, 1);
    assert.match(html, /<section data-chapter="ch_1" data-revision="3">/);
    assert.match(html, /<body data-book="bk_1"/);
  });
});
