import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { readChapterAnswer } from "../../../src/service/books/read-chapter.ts";
import { diagnose } from "../../../src/service/health/doctor.ts";
import { undoAct } from "../../../src/service/history/undo.ts";
import { openManuscript } from "../../../src/service/manuscript.ts";
import { replaceParagraph } from "../../../src/service/prose/replace-paragraph.ts";
import { lengthen, shorten } from "../../../src/store/file/delta.ts";
import { connect } from "../../../src/store/file/driver.ts";
import { shortenHistory } from "../../../src/store/file/migrate/shorten-history.ts";
import { imageBefore } from "../../../src/store/journal/images.ts";
import { randomFrom } from "../../support/random.ts";
import { OWNER, writeSample } from "../../support/sample.ts";
import { manuscript } from "../../support/sandbox.ts";

const WORDS = ["lamp", "tide", "*slow*", "über", "“Nacht”", "𝒜", "👩‍👧", "a_b"];

/** A manuscript whose paragraph was saved often, as one types; of each revision its Markdown. */
function saved(t: TestContext, saves: number) {
  const own = manuscript(t);
  const { chapterId, blockId } = writeSample(own);
  const random = randomFrom(20261127);
  const words = "Mara came down to the ferry before light, and the bell was already ringing.".split(" ");
  const texts = new Map<number, string>();
  const acts: string[] = [];
  for (let save = 0; save < saves; save++) {
    const at = Math.floor(random() * words.length);
    if (words.length > 40) words.splice(at, 12);
    else words.splice(at, 0, WORDS[save % WORDS.length]!);
    const { act, revision } = replaceParagraph(
      own,
      { chapterId, blockId },
      { markdown: words.join(" ") },
      OWNER,
    );
    acts.push(String(act));
    texts.set(revision, words.join(" "));
  }
  return { own, chapterId, blockId, texts, acts };
}

const markdownAt = (own: ReturnType<typeof saved>["own"], id: string, revision: number) => {
  const answer = readChapterAnswer(own, id, { format: "markdown", revision });
  return "markdown" in answer ? answer.markdown : "";
};

describe("a paragraph's past", () => {
  it("reads back word for word at each of 130 revisions, and takes less than its words", (t) => {
    const { own, chapterId, texts } = saved(t, 130);
    for (const [revision, text] of texts)
      assert.ok(markdownAt(own, chapterId, revision).includes(`${text}\n`));
    const [kept] = own.store.list<number>(
      "SELECT sum(length(before)) FROM journal WHERE tbl = 'blocks' AND op = 'update'",
    );
    const whole = [...texts.values()].reduce((sum, text) => sum + text.length, 0);
    assert.ok(Number(kept) < whole, `${kept} characters are kept of ${whole}`);
    own.close();
    assert.deepEqual(
      diagnose(own.store.path).checks.filter(({ status }) => status === "fail"),
      [],
    );
  });

  it("is undone save by save, back to what the first one found", (t) => {
    const { own, chapterId, texts, acts } = saved(t, 40);
    const all = [...texts.values()];
    for (const [at, act] of acts.toReversed().entries()) {
      undoAct(own, act, OWNER);
      const before = all.at(-2 - at);
      const revision = Math.max(...texts.keys()) + at + 1;
      if (before !== undefined) assert.ok(markdownAt(own, chapterId, revision).includes(`${before}\n`));
    }
    const chapter = readChapterAnswer(own, chapterId, { format: "markdown" });
    assert.match(
      "markdown" in chapter ? chapter.markdown : "",
      /\n\nMara came down to the \*ferry\* before light/,
    );
  });

  it("comes out the same when a history of whole texts is shortened", (t) => {
    const { own, chapterId, texts } = saved(t, 150);
    const rows = own.store.all<{ seq: number; id: string }>(
      "SELECT seq, row_id AS id FROM journal WHERE tbl = 'blocks' AND op = 'update'",
    );
    const images = rows.map(({ seq, id }) => ({
      seq,
      image: imageBefore(own.store, { table: "blocks", id }, seq),
    }));
    own.close();
    const connection = connect(own.store.path);
    // As the table was in format 4.
    connection.exec("CREATE TEMP TABLE journal AS SELECT * FROM main.journal");
    for (const { seq, image } of images) {
      const { node, source } = image ?? {};
      const before = JSON.stringify({ node, source });
      connection.prepare("UPDATE journal SET before = ? WHERE seq = ?").run(before, seq);
    }
    const length = () => Number(connection.prepare("SELECT sum(length(before)) FROM journal").pluck().get());
    const whole = length();
    shortenHistory(connection);
    assert.ok(length() < whole / 4, `${length()} of ${whole}`);
    const isWhole = "json_extract(before, '$.rank') IS NOT NULL AND op = 'update'";
    const wholes = Number(connection.prepare(`SELECT count(*) FROM journal WHERE ${isWhole}`).pluck().get());
    assert.ok(wholes >= 2, `${wholes} hold the whole row`);
    connection.exec(
      "UPDATE journal_entries AS e SET before = (SELECT before FROM journal j WHERE j.seq = e.seq)",
    );
    connection.close();
    const again = openManuscript(own.store.path);
    t.after(() => again.close());
    for (const [revision, text] of texts)
      assert.ok(markdownAt(again, chapterId, revision).includes(`${text}\n`));
  });

  it("that fits no text any more is damage of the history, and names it", (t) => {
    const { own, chapterId, texts } = saved(t, 3);
    own.close();
    const connection = connect(own.store.path);
    connection.exec(
      "UPDATE journal_entries SET before = '{\"source\":[4,\"x\",4,1]}' WHERE op = 'update' AND tbl = 'blocks'",
    );
    connection.close();
    const { checks } = diagnose(own.store.path);
    assert.deepEqual(
      checks.filter(({ status }) => status === "fail").map(({ name }) => name),
      ["history"],
    );
    const again = openManuscript(own.store.path);
    t.after(() => again.close());
    const [first] = texts.keys();
    assert.throws(() => markdownAt(again, chapterId, Number(first)), /history/);
    assert.ok(markdownAt(again, chapterId, Math.max(...texts.keys())).includes([...texts.values()].at(-1)!));
  });
});

describe("a delta", () => {
  it("gives the old text back, whatever the two have in common", () => {
    const random = randomFrom(7);
    const text = () =>
      Array.from({ length: Math.floor(random() * 60) }, () => "ab𝒜é \n"[Math.floor(random() * 7)] ?? "").join(
        "",
      );
    for (let run = 0; run < 2000; run++) {
      const shared = [text(), text()];
      const [old, now] = [shared.join(text()), shared.join(text())] as [string, string];
      const short = shorten(old, now);
      assert.equal(typeof short === "string" ? short : lengthen(JSON.parse(JSON.stringify(short)), now), old);
    }
  });
});
