import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { strFromU8, unzipSync } from "fflate";
import { PUBLISH_FORMATS, PUBLISHED } from "../../src/contract/enums.ts";
import { serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);
const { id } = (await lab.ask("POST", "/books", { body: { title: 'Fähre "Nord"', author: "Ada" } })).body;
for (const title of ["One", "Two", "Three"])
  await lab.ask("POST", `/books/${id}/chapters`, { body: { title, markdown: `Text of ${title}.` } });

const read = (query: string) =>
  fetch(`${lab.base}/books/${id}/export${query}`, { headers: { Authorization: `Bearer ${lab.key}` } });

describe("GET /books/{bookId}/export", () => {
  it("sends each format as a file to save, under the book's title", async () => {
    for (const format of PUBLISH_FORMATS) {
      const response = await read(`?format=${format}`);
      const [type, ending] = PUBLISHED[format];
      assert.deepEqual([response.status, response.headers.get("content-type")], [200, type]);
      assert.equal(
        response.headers.get("content-disposition"),
        `attachment; filename="Fahre Nord.${ending}"; filename*=UTF-8''F%C3%A4hre%20%22Nord%22.${ending}`,
      );
      assert.equal(response.headers.get("content-security-policy"), "sandbox");
      const bytes = new Uint8Array(await response.arrayBuffer());
      const isZip = format === "docx" || format === "epub";
      assert.equal(strFromU8(bytes.subarray(0, 2)), isZip ? "PK" : "<!");
    }
  });

  it("takes chapters, a style and kinds of notes", async () => {
    await lab.ask("POST", `/books/${id}/snippets`, { body: { kind: "note", text: "Private" } });
    const bytes = new Uint8Array(
      await (await read("?format=docx&chapters=1,3&style=plain&notes=all")).arrayBuffer(),
    );
    const body = strFromU8(unzipSync(bytes)["word/document.xml"]!); // each has one
    assert.match(body, /Text of One.*Text of Three/);
    assert.doesNotMatch(body, /Text of Two|"TheEnd"/);
  });

  it("refuses what makes no sense, in the contract's own form", async () => {
    const refused = async (query: string) => (await lab.ask("GET", `/books/${id}/export${query}`)).body.error;
    assert.equal(await refused(""), "bad_request");
    assert.equal(await refused("?format=doc"), "bad_request");
    assert.equal(await refused("?format=docx&chapters=9"), "bad_request");
    assert.equal(await refused("?format=docx&chapters=3-1"), "bad_request");
    assert.equal(await refused("?format=docx&notes=secret"), "bad_request");
    assert.equal((await lab.ask("GET", "/books/bk_none/export?format=html")).status, 404);
    assert.equal((await fetch(`${lab.base}/books/${id}/export?format=html`)).status, 401);
  });
});
