import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Busy, Damaged, Unavailable } from "../../../src/refusals.ts";
import { codeOf, explainFailure, explainOpening } from "../../../src/store/file/explain.ts";

const failure = (code: string, message = "x") =>
  Object.assign(new Error(message), { code, name: code.startsWith("SQLITE") ? "SqliteError" : "Error" });
const PATH = "/home/a.manuscript";

describe("an error", () => {
  const cases: [code: string, atOpening: RegExp | undefined, later: RegExp | undefined | typeof Busy][] = [
    ["SQLITE_NOTADB", /a\.manuscript is damaged/, /a\.manuscript is damaged/],
    ["SQLITE_CORRUPT", /is damaged/, /is damaged/],
    ["SQLITE_CORRUPT_INDEX", /is damaged/, /is damaged/],
    ["EACCES", /folder \/home or the file is read-only/, undefined],
    ["EROFS", /read-only/, undefined],
    ["EPERM", /read-only/, undefined],
    ["SQLITE_READONLY_DBMOVED", /read-only/, /read-only\. Nothing was written/],
    ["SQLITE_CANTOPEN_ISDIR", /read-only/, /read-only\. Nothing was written/],
    ["EEXIST", /a link to nowhere/, undefined],
    ["ENOENT", /the folder \/home does not exist/, undefined],
    ["ENOSPC", /disk is full/, undefined],
    ["EDQUOT", /disk is full/, undefined],
    ["SQLITE_FULL", /disk is full/, /disk is full\. Nothing was written/],
    ["SQLITE_IOERR_FSYNC", /its disk failed/, /disk failed\. Nothing was written/],
    ["SQLITE_BUSY", /is being written by another program/, Busy],
    ["SQLITE_BUSY_SNAPSHOT", /is being written/, Busy],
    ["SQLITE_LOCKED", undefined, Busy],
    ["SQLITE_LOCKED_SHAREDCACHE", undefined, undefined],
    ["SQLITE_CONSTRAINT", undefined, undefined],
    ["SQLITE_NO_CORRUPT", undefined, undefined],
    ["SQLITE_NO_SQLITE_FULL", undefined, undefined],
    ["SQLITE_NO_SQLITE_IOERR", undefined, undefined],
    ["SQLITE_NO_SQLITE_READONLY", undefined, undefined],
    ["SQLITE_NO_SQLITE_BUSY", undefined, undefined],
    ["NOT_EACCES", undefined, undefined],
    ["NOT_EEXIST", undefined, undefined],
    ["EEXISTED", undefined, undefined],
    ["NOT_ENOENT", undefined, undefined],
    ["ENOENTRY", undefined, undefined],
    ["NOT_ENOSPC", undefined, undefined],
  ];
  for (const [code, atOpening, later] of cases)
    it(`${code} ${atOpening === undefined ? "is no refusal" : "is told in a sentence"} at opening, ${later === undefined ? "none" : "one"} of a statement`, () => {
      const error = failure(code);
      for (const [said, expected] of [
        [explainOpening(error, PATH), atOpening],
        [explainFailure(error, PATH), later],
      ] as const) {
        if (expected === undefined) assert.equal(said, error);
        else if (expected === Busy) assert.ok(said instanceof Busy);
        else {
          assert.ok(said instanceof Unavailable);
          assert.match(said.message, expected as RegExp);
        }
      }
    });

  it("of a journal that is no JSON is damage of the history", () => {
    const said = explainFailure(failure("SQLITE_ERROR", "malformed JSON"), PATH);
    assert.ok(said instanceof Damaged && /history/.test(said.message));
    const other = failure("SQLITE_ERROR", "no such table");
    assert.equal(explainFailure(other, PATH), other);
  });

  it("has SQLite's code, the system's, or none", () => {
    assert.equal(codeOf(failure("SQLITE_FULL")), "SQLITE_FULL");
    assert.equal(codeOf(failure("ENOENT")), "ENOENT");
    assert.equal(codeOf(new Error("x")), "");
    const plain = new TypeError("x");
    assert.equal(explainFailure(plain, PATH), plain);
  });
});
