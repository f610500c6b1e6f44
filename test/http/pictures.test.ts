import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type Ask, serve, signedIn } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);
const owner = await signedIn(lab);

const PNG = Buffer.from("89504e470d0a1a0a00010203ff", "hex");
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>';

describe("pictures of an uploaded folder", async () => {
  const { body } = await owner.ask("POST", "/owner/import", {
    body: {
      files: [
        { path: "Tide/one/1.md", text: "# One\n\n![map](../images/the%20map.png) ![](root.svg)\n" },
        { path: "Tide/images/the map.png", base64: PNG.toString("base64") },
        { path: "Tide/one/root.svg", text: SVG },
        { path: "Tide/one/unused.png", base64: PNG.toString("base64") },
      ],
    },
  });
  const { bookId, pictures, chapters } = body as {
    bookId: string;
    pictures: { file: string }[];
    chapters: { id: string }[];
  };
  const read = (path: string, { headers = {}, ...init }: RequestInit = {}) =>
    fetch(`${lab.base}/books/${bookId}/pictures/${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${lab.key}`, ...(headers as Record<string, string>) },
    });

  it("are kept, those that prose refers to", () => {
    assert.deepEqual(
      pictures.map(({ file }) => file),
      ["images/the map.png", "one/root.svg"],
    );
  });

  it("are read at their places, with the slashes as they are or encoded", async () => {
    for (const path of ["images/the%20map.png", "images%2Fthe%20map.png"]) {
      const response = await read(path);
      assert.equal(response.status, 200, path);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), PNG);
      assert.equal(response.headers.get("content-type"), "image/png");
      assert.equal(response.headers.get("x-content-type-options"), "nosniff");
      assert.equal(response.headers.get("cache-control"), "private, no-cache");
    }
    const head = await read("images/the%20map.png", { method: "HEAD" });
    assert.deepEqual([head.status, head.headers.get("content-length")], [200, String(PNG.length)]);
  });

  it("are named as a chapter's prose names them, if a chapter is named", async () => {
    const [chapter] = chapters;
    const named = async (path: string, id = chapter?.id) =>
      (await read(`${encodeURIComponent(path)}?chapterId=${id}`)).status;
    assert.equal(await named("../images/the%20map.png"), 200);
    assert.equal(await named("root.svg"), 200);
    assert.equal(await named("../../images/the%20map.png"), 404);
    assert.equal(await named("root.svg", lab.sample.chapterId), 404);
  });

  it("run no script, whatever they hold", async () => {
    const response = await read("one/root.svg");
    assert.equal(response.headers.get("content-type"), "image/svg+xml");
    assert.equal(
      response.headers.get("content-security-policy"),
      "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    );
    assert.equal(await response.text(), SVG);
  });

  it("are answered 304 while the copy is good, by the hash of their bytes", async () => {
    const etag = (await read("one/root.svg")).headers.get("etag") ?? "";
    assert.match(etag, /^"[0-9a-f]{64}"$/);
    const response = await read("one/root.svg", { headers: { "If-None-Match": etag } });
    assert.deepEqual([response.status, await response.text()], [304, ""]);
  });

  it("are found at their place and nowhere else", async () => {
    const refused = async (path: string, asked: Ask = {}) => {
      const answer = await lab.ask("GET", path, asked);
      return `${answer.status} ${answer.body.error}`;
    };
    const at = (path: string) => refused(`/books/${bookId}/pictures/${path}`);
    for (const path of ["..%2Fimages%2Fthe%20map.png", "one/unused.png", "images", "images/", "1.md", "%00"])
      assert.equal(await at(path), "404 not_found", path);
    assert.equal(await refused("/books/bk_none/pictures/one/root.svg"), "404 not_found");
    assert.equal(await refused(`/books/${lab.sample.bookId}/pictures/one/root.svg`), "404 not_found");
    assert.equal(await refused(`/books/${bookId}/pictures/one/root.svg`, { key: null }), "401 unauthorized");
  });
});
