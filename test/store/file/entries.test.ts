import assert from "node:assert/strict";
import { test } from "node:test";
import type { BookId } from "../../../src/ids.ts";
import { deleteBook } from "../../../src/service/books/books.ts";
import { insertBook } from "../../../src/store/rows/books.ts";
import { ACT_HASH } from "../../../src/store/schema/hashes.ts";
import { manuscript } from "../../support/sandbox.ts";

const OWNER = { source: "cli" } as const;

test("the hash of an act is what SQL finds, whether it did little or much, whoever asked", (t) => {
  const opened = manuscript(t);
  const { store } = opened;
  const metas = [OWNER, { source: "api", keyId: "key_one" }, { source: "mcp", byName: "an agent" }] as const;
  for (const [index, meta] of metas.entries())
    for (const count of index === 0 ? [1, 32, 33, 2001] : [1, 32, 33])
      store.act({ kind: "trial", ...meta }, () => {
        for (let at = 0; at < count; at++) {
          const id = `bk_${index}_${count}_${at}` as BookId;
          insertBook(store, { id, title: "“Ünï” 🐋", manifest: null, at: 1 });
        }
        return () => undefined;
      });
  deleteBook(opened, "bk_0_1_0" as BookId, OWNER);
  const wrong = store.list(`SELECT seq FROM acts a WHERE hash <> ${ACT_HASH}`);
  const [acts] = store.list("SELECT count(*) FROM acts");
  assert.deepEqual([acts, wrong], [11, []]);
});
