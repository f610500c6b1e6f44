import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { dismissFindings } from "../../../src/service/ai/check.ts";
import { mergeFacts } from "../../../src/service/annotations/facts.ts";
import { deleteBook } from "../../../src/service/books/books.ts";
import { listActs } from "../../../src/service/history/acts.ts";
import { undoAct } from "../../../src/service/history/undo.ts";
import type { Manuscript } from "../../../src/service/manuscript.ts";
import { childrenOf, parentsOf, TABLE_NAMES } from "../../../src/store/file/tables.ts";
import { insertMilestone } from "../../../src/store/rows/milestones.ts";
import { insertProposal } from "../../../src/store/rows/proposals.ts";
import { dump } from "../../support/dump.ts";
import { OWNER, writeSample } from "../../support/sample.ts";
import { manuscript } from "../../support/sandbox.ts";

/** A book with a row in every table that holds what the writer made. */
function fullBook(t: TestContext): { own: Manuscript; bookId: string } {
  const own = manuscript(t);
  const { bookId, factId, otherFactId } = writeSample(own);
  mergeFacts(own, { keepId: factId, dropId: otherFactId }, OWNER);
  dismissFindings(own, bookId, ["fi_1"], OWNER);
  own.store.act({ kind: "fill", source: "api" }, ({ seq }) => {
    const [chapterId = ""] = own.store.list<string>("SELECT id FROM chapters WHERE book_id = ?", bookId);
    const edit = {
      op: "delete",
      blockId: "b_1",
      before: "It rang.",
      markdown: null,
      status: "open",
    } as const;
    const proposal = { revision: 1, author: "Ada", reason: "", createdAt: 1, edits: [edit] };
    insertProposal(own.store, { ...proposal, id: own.store.mint("proposal"), bookId, chapterId });
    const id = own.store.mint("milestone");
    insertMilestone(own.store, { id, bookId, name: "first draft", act: seq, createdAt: 1 });
    own.store.run(
      "INSERT INTO book_pictures(id, book_id, file, hash) VALUES(:id || ' a.png', :id, 'a.png', 'f00')",
      { id: bookId },
    );
    return () => undefined;
  });
  assert.deepEqual(
    TABLE_NAMES.filter(isEmptyIn(own)),
    [],
    "give it a row here, so that the tests below see it",
  );
  return { own, bookId };
}

function isEmptyIn({ store }: Manuscript): (table: string) => boolean {
  return (table) => store.prepare(`SELECT count(*) FROM ${table}`).pluck().get() === 0;
}

describe("tables", () => {
  it("are empty once the only book is deleted, and as before when that is undone", (t) => {
    const { own, bookId } = fullBook(t);
    const before = dump(own.store);
    const { act } = deleteBook(own, bookId, OWNER);
    assert.deepEqual(
      TABLE_NAMES.filter((table) => !isEmptyIn(own)(table)),
      [],
    );
    undoAct(own, String(act), OWNER);
    assert.deepEqual(dump(own.store), before);
  });

  it("are told of by every act that writes to them", (t) => {
    const { own } = fullBook(t);
    const silent = listActs(own, {}).acts.filter(({ touched }) => Object.values(touched).flat().length === 0);
    assert.deepEqual(
      silent.map(({ kind }) => kind),
      [],
      "say in src/store/journal/acts.ts what a row of the table is told as",
    );
  });

  it("have an index that begins with each column that names a row of another", (t) => {
    const { store } = manuscript(t);
    const indexed = new Set(
      TABLE_NAMES.flatMap(
        (table) =>
          store
            .prepare(
              `SELECT '${table}.' || c.name FROM pragma_index_list('${table}') i, pragma_index_info(i.name) c WHERE c.seqno = 0`,
            )
            .pluck()
            .all() as string[],
      ),
    );
    const naming = TABLE_NAMES.flatMap((table) => parentsOf(table).map(([column]) => `${table}.${column}`));
    assert.ok(childrenOf("books").length > 0 && naming.length > 10, "the columns were not found");
    assert.deepEqual(
      naming.filter((column) => !indexed.has(column)),
      [],
      "a row's deletion would read the whole table: give the column an index in schema.ts",
    );
  });
});
