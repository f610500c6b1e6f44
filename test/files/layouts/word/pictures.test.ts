import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { deflateSync } from "node:zlib";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { type Desk, desk } from "../desk.ts";
import { docx, h1, ins, p, r } from "./docx.ts";

/** A picture of one colour, of so many pixels in a row. */
function png(width: number, red = 0): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(content.length);
    head.write(type, 4);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc(Buffer.concat([head.subarray(4), content])));
    return Buffer.concat([head, content, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(1, 4);
  header.set([8, 2], 8);
  const row = Buffer.from([0, ...Array.from({ length: width }, () => [red, 0, 0]).flat()]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(row)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function crc(bytes: Buffer): number {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** A run with a picture of the document. */
const drawn = (id: string, alt = "", name = "Picture 1", attribute = "r:embed") =>
  `<w:r><w:drawing><wp:docPr xmlns:wp="wp" id="1" name="${name}" descr="${alt}"/><a:graphic><a:blip ${attribute}="${id}"/></a:graphic></w:drawing></w:r>`;
const relation = (id: string, target: string) => `<Relationship Id="${id}" Target="${target}"/>`;

/** A document with media by their names; the id of each is its name. */
const illustrated = (body: string, media: Readonly<Record<string, string | Uint8Array>>) =>
  docx({
    body,
    relations: Object.keys(media)
      .map((name) => relation(name, `media/${name}`))
      .join(""),
    parts: Object.fromEntries(Object.entries(media).map(([name, bytes]) => [`word/media/${name}`, bytes])),
  });

/** What an export to Markdown writes of a book. */
async function exported({ sh }: Desk, bookId: string): Promise<(file: string) => Buffer | undefined> {
  rmSync(join(sh.cwd, "out"), { recursive: true, force: true });
  const ran = await sh("export", bookId, "-o", "out");
  assert.equal(ran.exit, 0, ran.stderr);
  return (file) => {
    const path = join(sh.cwd, "out", file);
    return existsSync(path) ? readFileSync(path) : undefined;
  };
}

describe("pictures in a Word document", () => {
  it("come in with a new book, where they stand, and an export gives their bytes back", async (t) => {
    const at = await desk(t);
    const media = { "Image 1.PNG": png(1), "two.jpeg": png(2), "3.emf": "\x01\0\0\0EMF", "4.png": "<p>" };
    const file = join(at.sh.cwd, "Salt.docx");
    const vml =
      '<w:r><w:pict><v:shape xmlns:v="v" alt="old"><v:imagedata r:id="two.jpeg"/></v:shape></w:pict></w:r>';
    writeFileSync(
      file,
      illustrated(
        h1("One") +
          p(drawn("Image 1.PNG", "A [map] of\nthe quay")) +
          p(r("Before ") + vml + r(" after.")) +
          p(r("Lost") + drawn("3.emf") + drawn("4.png") + drawn("Image 1.PNG")),
        media,
      ),
    );
    const answer = await at.take([], file);
    const [prose = ""] = await at.prose(answer.bookId);
    assert.equal(
      prose,
      "# One\n\n![A \\[map\\] of the quay](media/image-1.png)\n\nBefore ![old](media/two.png) after.\n\nLost![](media/image-1.png)\n",
    );
    assert.deepEqual(
      answer.skipped.map(({ reason }) => reason.replace(/^.*: (?=\S+: )/, "")),
      ["3.emf", "4.png"].map((name) => `${name}: it is not a picture of a type that the manuscript keeps`),
    );
    assert.deepEqual(
      answer.pictures.map(({ file: place, isThere }) => [place, isThere]),
      [
        ["media/image-1.png", true],
        ["media/two.png", true],
      ],
    );
    rmSync(file);
    const read = await exported(at, answer.bookId);
    assert.deepEqual([read("media/image-1.png"), read("media/two.png")], [png(1), png(2)]);
    assert.equal((await at.sh("undo", answer.act ?? "")).exit, 0);
  });

  it("of several documents do not take each other's places", async (t) => {
    const at = await desk(t, {
      "1.docx": illustrated(h1("One") + p(drawn("image1.png")), { "image1.png": png(1) }),
      "2.docx": illustrated(h1("Two") + p(drawn("image1.png")), { "image1.png": png(2) }),
    });
    const { bookId } = await at.take();
    const places = (await at.prose(bookId)).map((text) => /\((.*)\)/.exec(text)?.[1] ?? "");
    assert.match(places.join(" "), /^media\/image1-[0-9a-f]{8}\.png media\/image1-[0-9a-f]{8}\.png$/);
    const read = await exported(at, bookId);
    assert.deepEqual(places.map(read), [png(1), png(2)]);
    assert.equal((await at.take(["--book", bookId])).act, null);
  });

  it("are left out by name where they are too large, damaged or not in the document", async (t) => {
    const at = await desk(t);
    const file = join(at.sh.cwd, "Salt.docx");
    const large = Buffer.alloc(20 * 1024 * 1024 + 1);
    large.set(png(1));
    const document = docx({
      body: h1("One") + p(r("Text") + drawn("a") + drawn("b", "", "", "r:link") + drawn("c")),
      relations:
        relation("a", "media/large.png") +
        relation("b", "file:///C:/map.png") +
        relation("c", "media/gone.png"),
      parts: { "word/media/large.png": large },
    });
    writeFileSync(file, document);
    const { bookId, skipped } = await at.take([], file);
    assert.deepEqual(await at.prose(bookId), ["# One\n\nText\n"]);
    assert.deepEqual(
      skipped.map(({ reason }) => reason.replace(/^.*: (?=\S+: )/, "")),
      [
        "large.png: it has 20.0 MiB, and the manuscript keeps pictures up to 20",
        "map.png: it is not in the document",
        "gone.png: it is not in the document",
      ],
    );
  });
});

const PLACED = {
  "one/1.md": [
    "# One",
    "",
    "![A map](../images/the%20map.png)",
    "",
    "Before ![](../images/b.png) *after*, and ![drawn](../images/c.svg).",
    "",
    '<img src="../images/b.png" alt="bee">',
    "",
    "She counted the steps.[^1]",
    "",
    "[^1]: As [here](https://example.org/).",
  ],
  "images/the map.png": png(1),
  "images/b.png": png(2),
  "images/c.svg": '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>',
};
const TEXT = `${PLACED["one/1.md"].join("\n")}\n`;

/** A book with pictures that was exported to Word, and what changes its parts. */
async function away(t: TestContext) {
  const at = await desk(t, PLACED);
  const { bookId } = await at.take();
  rmSync(join(at.sh.cwd, "Source"), { recursive: true });
  const file = join(at.sh.cwd, "Salt.docx");
  assert.equal((await at.sh("export", bookId, "-f", "docx", "-o", file)).exit, 0);
  const edit = (change: (parts: Record<string, Uint8Array>) => void) => {
    const parts = unzipSync(readFileSync(file));
    change(parts);
    writeFileSync(file, zipSync(parts));
  };
  const editText = (change: (xml: string) => string, part = "word/document.xml") =>
    edit((parts) => {
      parts[part] = strToU8(change(strFromU8(parts[part] ?? new Uint8Array())));
    });
  /** Adds a picture to the package; its relation has its name as id. */
  const bring = (name: string, bytes: Uint8Array) => {
    edit((parts) => {
      parts[`word/media/${name}`] = bytes;
    });
    editText(
      (xml) => xml.replace("</Relationships>", `${relation(name, `media/${name}`)}</Relationships>`),
      "word/_rels/document.xml.rels",
    );
  };
  const back = (...options: string[]) => at.take(options, file);
  const prose = async () => (await at.prose(bookId))[0];
  return { ...at, at, bookId, file, edit, editText, bring, back, prose };
}

describe("a Word document with pictures that comes back", () => {
  it("changes nothing if nobody edited it, whatever a program has made of the names and bytes", async (t) => {
    const book = await away(t);
    const untouched = async (expected: readonly string[] = []) => {
      const answer = await book.back();
      assert.deepEqual([answer.act, answer.chapters.map(({ status }) => status)], [null, ["same"]]);
      assert.deepEqual(
        answer.skipped.map(({ reason }) => reason),
        expected,
      );
      assert.equal(await book.prose(), TEXT);
    };
    await untouched();
    book.editText((xml) => xml.replaceAll('name="../images/b.png"', 'name="Image2"'));
    await untouched();
    book.edit((parts) => {
      for (const name of Object.keys(parts))
        if (name.includes("media/") && parts[name]?.length === png(1).length) parts[name] = png(1, 255);
    });
    await untouched(["../images/the%20map.png came back with other bytes, and stays as the book has it"]);
  });

  it("changes nothing through LibreOffice", async (t) => {
    if (spawnSync("soffice", ["--version"]).error !== undefined)
      return t.skip("LibreOffice is not installed");
    const book = await away(t);
    const folder = join(book.sh.cwd, "lo");
    mkdirSync(folder);
    const profile = `-env:UserInstallation=file://${join(book.sh.cwd, "profile")}`;
    execFileSync("soffice", [profile, "--headless", "--convert-to", "docx", "--outdir", folder, book.file], {
      stdio: "ignore",
    });
    const answer = await book.at.take([], join(folder, "Salt.docx"));
    assert.deepEqual([answer.act, answer.skipped], [null, []]);
    assert.equal(await book.prose(), TEXT);
  });

  it("keeps its pictures in their places in a paragraph that was edited", async (t) => {
    const book = await away(t);
    book.editText((xml) => xml.replace("Before ", "Right before "));
    const { pictures } = await book.back();
    assert.equal(await book.prose(), TEXT.replace("Before ", "Right before "));
    assert.ok(pictures.every(({ isThere }) => isThere));
  });

  it("brings new pictures beside the chapter, never over another, and takes a replaced one out", async (t) => {
    const book = await away(t);
    book.bring("image1.png", png(5));
    book.editText((xml) =>
      xml
        .replace("She counted the steps.", `</w:t></w:r>${drawn("image1.png", "new")}<w:r><w:t>She counted.`)
        .replace(
          /<w:r><w:drawing>(?:(?!<\/w:drawing>).)*the%20map(?:(?!<\/w:drawing>).)*<\/w:drawing><\/w:r>/,
          drawn("image1.png"),
        ),
    );
    const answer = await book.back();
    const expected = TEXT.replace("![A map](../images/the%20map.png)", "![](media/image1.png)").replace(
      "She counted the steps.",
      "![new](media/image1.png)She counted.",
    );
    assert.equal(await book.prose(), expected);
    assert.deepEqual(
      answer.pictures.filter(({ file }) => file.includes("media")),
      [{ file: "one/media/image1.png", from: null, isThere: true }],
    );
    assert.equal((await book.back()).act, null);
    const other = join(book.sh.cwd, "other.docx");
    writeFileSync(
      other,
      illustrated(h1("One") + p(r("She counted.")) + p(drawn("image1.png")), { "image1.png": png(6) }),
    );
    await book.at.take(["--book", book.bookId, "--yes"], other);
    assert.match((await book.prose()) ?? "", /!\[\]\(media\/image1-[0-9a-f]{8}\.png\)/);
    const read = await exported(book.at, book.bookId);
    const [, place = ""] = /\((media\/image1-[0-9a-f]{8}\.png)\)/.exec((await book.prose()) ?? "") ?? [];
    assert.notEqual(place, "");
    const files = ["", "one", "chapters"].map((folder) => read(join(folder, place))).filter(Boolean);
    assert.deepEqual(files, [png(6)]);
  });

  it("has a picture of a tracked insertion with its proposal", async (t) => {
    const book = await away(t);
    book.bring("new.png", png(7));
    book.editText((xml) =>
      xml.replace(
        /(<w:r><w:t [^>]*>She counted the steps\.<\/w:t><\/w:r>)/,
        `$1${ins(" Twice.").replace("</w:ins>", `${drawn("new.png")}</w:ins>`)}`,
      ),
    );
    const { proposals = [] } = await book.back();
    assert.equal(await book.prose(), TEXT);
    await book.sh("proposals", "accept", proposals[0]?.id ?? "");
    assert.match((await book.prose()) ?? "", /steps\. Twice\.!\[\]\(media\/new\.png\)\[\^1\]/);
    const { stdout } = await book.sh("export", book.bookId, "-o", "out", "--json");
    const { pictures } = JSON.parse(stdout) as { pictures: { file: string; status: string }[] };
    assert.ok(pictures.some(({ file, status }) => file.endsWith("media/new.png") && status === "copied"));
  });
});
