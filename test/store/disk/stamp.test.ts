import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findStamp, isLayoutUpTo, readStamp, writeStamp } from "../../../src/store/file/disk/raw-file.ts";
import { connect } from "../../../src/store/file/driver.ts";

const NAME = "manuscript_commits";
const LAYOUTS = 2 ** 24;

/** A cell as SQLite writes it: its size, the row's number, the record's header, the name and the number in so many bytes. */
function cell(seq: bigint, bytes: number, name = NAME): Buffer {
  const number = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at++) number[at] = Number((seq >> BigInt(8 * (bytes - 1 - at))) & 255n);
  const type = bytes === 6 ? 5 : bytes === 8 ? 6 : bytes;
  const head = Buffer.from([3 + name.length + bytes, 1, 3, 13 + 2 * name.length, type]);
  return Buffer.concat([head, Buffer.from(name), number]);
}

/** A leaf page with these cells, the last of them at the page's end. */
function page(cells: readonly Buffer[], size = 512): Buffer {
  const bytes = Buffer.alloc(size);
  bytes[0] = 0x0d;
  bytes.writeUInt16BE(cells.length, 3);
  let end = size;
  cells.forEach((one, at) => {
    end -= one.length;
    one.copy(bytes, end);
    bytes.writeUInt16BE(end, 8 + 2 * at);
  });
  return bytes;
}

describe("findStamp", () => {
  it("reads the number in as many bytes as SQLite has written it", () => {
    for (const [bytes, seq] of [
      [1, 127n],
      [2, 32_000n],
      [3, 8_000_000n],
      [4, 2_000_000_000n],
      [6, 2n ** 46n + 5n],
      [8, 2n ** 50n + 7n],
    ] as const) {
      const expected = {
        commits: Number(seq / BigInt(LAYOUTS)),
        layout: Number(seq % BigInt(LAYOUTS)),
        opening: 0,
      };
      assert.deepEqual(findStamp(page([cell(seq, bytes)])), expected, `${bytes} bytes`);
    }
  });

  it("finds it behind the rows of other tables, wherever it stands", () => {
    const other = (name: string) => cell(5n, 1, name);
    const seq = 3n * BigInt(LAYOUTS) + 9n;
    const own = cell(seq, 4);
    const names = ["acts", "manuscript_commitz", "journal"];
    for (let at = 0; at <= names.length; at++) {
      const cells = [...names.slice(0, at).map(other), own, ...names.slice(at).map(other)];
      assert.deepEqual(findStamp(page(cells)), { commits: 3, layout: 9, opening: 0 }, `place ${at}`);
    }
  });

  it("takes nothing else for it: other pages, other records, other names, what is cut off or left from before", () => {
    const seq = 3n * BigInt(LAYOUTS);
    const own = cell(seq, 4);
    const changed = (at: number, to: number) => {
      const bytes = Buffer.from(own);
      bytes[at] = to;
      return page([bytes]);
    };
    const interior = page([own]);
    interior[0] = 0x05;
    const freed = page([own]);
    freed.writeUInt16BE(0, 3);
    const cut = page([own]);
    const wrong: [what: string, bytes: Buffer][] = [
      ["an inner page", interior],
      ["a page without cells", freed],
      ["a record of more columns", changed(2, 4)],
      ["a longer text", changed(3, 13 + 2 * NAME.length + 2)],
      ["no number", changed(4, 0)],
      ["a fraction", changed(4, 7)],
      ["a text for a number", changed(4, 15)],
      ["another name beside its own", page([cell(seq, 4, NAME.toUpperCase()), Buffer.from(NAME)])],
      ["a number that is cut off", cut.subarray(0, cut.length - 1)],
      ["nothing", Buffer.alloc(0)],
      ["one byte", Buffer.from([0x0d])],
    ];
    for (const [what, bytes] of wrong) assert.equal(findStamp(bytes), undefined, what);
    const more = page([own]);
    more.writeUInt16BE(60_000, 3);
    assert.deepEqual(findStamp(more)?.commits, 3, "more cells than the page has room for");
  });
});

describe("writeStamp", () => {
  it("counts every transaction by one, with the layout of its time", (t) => {
    const raw = connect(":memory:");
    t.after(() => raw.close());
    raw.exec("CREATE TABLE a(b INTEGER PRIMARY KEY AUTOINCREMENT)");
    const prepare = (sql: string) => raw.prepare(sql);
    assert.equal(readStamp(prepare), undefined);
    for (let commit = 1; commit <= 300; commit++) {
      if (commit % 100 === 0) raw.exec(`CREATE TABLE t${commit}(x)`);
      assert.equal(writeStamp(prepare, { opening: commit + 9 }), commit);
      const layout = Number(raw.pragma("schema_version", { simple: true }));
      const root = raw
        .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_sequence'")
        .pluck()
        .get();
      assert.deepEqual(readStamp(prepare), { commits: commit, layout, opening: commit + 9, page: root });
    }
  });
});

describe("isLayoutUpTo", () => {
  it("compares as much of a cookie as a stamp holds", () => {
    assert.deepEqual(
      [isLayoutUpTo(4, 5), isLayoutUpTo(5, 5), isLayoutUpTo(6, 5), isLayoutUpTo(LAYOUTS + 5, 5)],
      [true, true, false, true],
    );
    assert.ok(isLayoutUpTo(5, LAYOUTS + 6) && !isLayoutUpTo(7, LAYOUTS + 6));
  });
});
