import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { listActs } from "../../src/service/history/acts.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { deleteParagraph, insertParagraphs } from "../../src/service/prose/paragraphs.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { acceptProposal } from "../../src/service/review/accept-proposal.ts";
import { dump } from "../support/dump.ts";
import { OWNER } from "../support/sample.ts";
import { agentOf, withAgent } from "./agent.ts";

const idIn = (text: string, prefix: string) => new RegExp(`${prefix}_\\w+`).exec(text)?.[0] ?? "";

describe("an agent that notes and proposes", () => {
  it("adds a note beside a paragraph, under its own name", async (t) => {
    const { own, ask } = await withAgent(t, { client: "reviewer" });
    const said = await ask("add_note", { text: "Which bell?", chapter: "1", revision: 1, paragraph: "¶2" });
    assert.match(said, /^Noted as sn_\w+, act act_\w+\.$/);
    assert.match(await ask("list_notes", { chapter: "1" }), /¶2 note sn_\w+: Which bell\?/);
    const [act] = listActs(own, { limit: 1 }).acts;
    assert.deepEqual([act?.by, act?.source, act?.kind], ["reviewer", "mcp", "createSnippet"]);
    assert.match(await ask("history", { limit: 1 }), / reviewer: added a note; 1 note/);
  });

  it("is answered in the order in which it asks, whatever has to be loaded first", async (t) => {
    const { ask } = await withAgent(t, { allowed: "write" });
    await ask("read_cast");
    const [, listed] = await Promise.all([ask("save_fact", { name: "Pier" }), ask("read_cast")]);
    assert.match(listed, /Pier/);
  });

  it("is called as the command line says, if that says a name", async (t) => {
    const { own, ask } = await withAgent(t, { era: "sessions", name: "Ann's editor" });
    await ask("add_note", { text: "Hm.", kind: "todo" });
    assert.equal(listActs(own, { limit: 1 }).acts[0]?.by, "Ann's editor");
  });

  it("proposes by words that occur once, and nothing is written before the writer accepts", async (t) => {
    const { own, ask, sample } = await withAgent(t);
    const before = await ask("read_chapter", { chapter: "1" });
    const said = await ask("propose_edits", {
      chapter: "1",
      revision: 1,
      reason: "Plainer.",
      edits: [
        { find: "before light", text: "at dawn" },
        { paragraph: 2, find: "and the bell was already ringing", text: "and the bell rang" },
        { op: "insert_after", paragraph: "3", text: "Nobody answered." },
        { op: "delete", paragraph: 7 },
      ],
    });
    assert.match(said, /^Proposed as \w+, 3 edits, act act_\w+\. Accepting would cost 1 mention/);
    assert.equal(await ask("read_chapter", { chapter: "1" }), before);
    const id = /as (\w+),/.exec(said)?.[1] ?? "";
    assert.match(
      await ask("list_proposals"),
      new RegExp(`${id} .* test-agent, ${sample.chapterId}: 3 open; Plainer\\.`),
    );
    assert.match(
      await ask("list_proposals", { id }),
      /edits\[0\] replace b_\w+: open\n- Mara came .*\n\+ Mara came down to the \*ferry\* at dawn, and the bell rang\./,
    );
    acceptProposal(own, id, {}, OWNER);
    const after = await ask("read_chapter", { chapter: "1" });
    assert.match(
      after,
      /revision 2, [\s\S]*at dawn, and the bell rang\.\n¶3 “You are late,” said old Tobit\.\n¶4 Nobody answered\./,
    );
    assert.doesNotMatch(after, /lamp/);
  });

  it("is shown the paragraph if its words are not there once", async (t) => {
    const { refused } = await withAgent(t);
    const propose = (edits: unknown) => refused("propose_edits", { chapter: "1", revision: 1, edits });
    assert.match(
      await propose([{ paragraph: "2", find: "before dawn", text: "x" }]),
      /^edits\[0\]: these words do not stand in ¶2, and have to once\. It reads:\n~~~\n¶2 Mara came/,
    );
    assert.match(await propose([{ paragraph: 2, find: "re", text: "x" }]), /stand 2 times in ¶2/);
    assert.match(
      await propose([{ find: "Mara walked down to the ferry before light", text: "x" }]),
      /stand nowhere in the chapter at revision 1\. The nearest:\n~~~\n¶2 Mara/,
    );
    assert.match(await propose([{ find: "The", text: "x" }]), /stand in 2 paragraphs, ¶1, ¶5; name one/);
    assert.match(
      await propose([{ paragraph: 9, text: "x" }]),
      /no paragraph 9 at revision 1: they are ¶1 to ¶7/,
    );
    assert.match(await propose([{ paragraph: 2, text: " " }]), /op delete takes a whole paragraph out/);
    assert.match(
      await propose([
        { op: "delete", paragraph: 2 },
        { paragraph: 2, text: "x" },
      ]),
      /^edits\[1\]: ¶2 is changed/,
    );
    assert.match(await propose([{ op: "delete", find: "rope" }]), /find goes with replace/);
    assert.match(await propose([]), /edits/);
  });

  it("may find words across the end of a line, and counts paragraphs of the revision that it read", async (t) => {
    const { own, ask, sample } = await withAgent(t);
    replaceParagraph(
      own,
      { chapterId: sample.chapterId, blockId: sample.blockId },
      { markdown: "Mara came\ndown." },
      OWNER,
    );
    await ask("propose_edits", {
      chapter: "1",
      revision: 2,
      edits: [{ find: "Mara came down", text: "She came down" }],
    });
    const said = await ask("propose_edits", {
      chapter: "1",
      revision: 1,
      edits: [{ paragraph: 3, text: "“Late,” said Tobit." }],
    });
    assert.match(said, /1 edit/);
    const old = await ask("propose_edits", {
      chapter: "1",
      revision: 1,
      edits: [{ paragraph: 2, text: "Nobody came." }],
    });
    assert.match(old, /1 of them no longer merge/);
  });

  it("is shown the nearest paragraph for words of any length", async (t) => {
    const { own, ask, refused, log, sample } = await withAgent(t);
    const long = Array.from({ length: 20_000 }, (_, at) => `word${at}`);
    replaceProse(own, sample.chapterId, { markdown: long.join(" ") }, OWNER);
    const edits = (find: string) => ({ chapter: "1", revision: 2, edits: [{ find, text: "x" }] });
    assert.match(await refused("propose_edits", edits(`${long.join(" ")} x`)), /stand nowhere/);
    assert.match(await ask("propose_edits", edits(long.slice(1).join("\n"))), /^Proposed/);
    assert.deepEqual(log, []);
  });

  it("is refused with what to do, and goes on", async (t) => {
    const { ask, refused, log } = await withAgent(t);
    assert.match(
      await refused("read_chapter", { chaptr: "1" }),
      /chaptr is not a key that is known here; did you mean "chapter"/,
    );
    assert.match(await refused("read_chapter", {}), /chapter/);
    assert.match(
      await refused("read_chapter", { chapter: "9" }),
      /No such chapter as "9"; read_outline lists them/,
    );
    assert.match(
      await refused("read_chapter", { chapter: "1", revision: 7 }),
      /history with chapter lists them/,
    );
    assert.match(await refused("apply_edits", {}), /There is no tool "apply_edits"; there are read_outline/);
    assert.match(
      await refused("add_note", { text: "x", chapter: "1", paragraph: 2 }),
      /give the one that read_chapter told/,
    );
    assert.match(await refused("history", { chapter: "1", before: "act_x" }), /must be a revision/);
    assert.match(await refused("search", { query: "" }), /^The query must be 1 to 500 characters/);
    assert.match(await ask("read_outline"), /The Ferry/);
    assert.deepEqual(log, []);
  });

  it("names the keys that are known for one that is none of them", async (t) => {
    const { refused } = await withAgent(t);
    assert.match(
      await refused("read_chapter", { chapter: "1", colour: "red" }),
      /colour is not a key that is known here; the keys are chapter, from, limit, notes, revision, book\.$/,
    );
    assert.match(await refused("search", { words: "x" }), /words is not a key .*; the keys are query, /);
    assert.match(
      await refused("propose_edits", { chapter: "1", revision: 1, edits: [{ replacement: "x" }] }),
      /replacement is not a key .*; the keys are op, paragraph, find, text\.$/,
    );
  });

  it("answers notes, and takes away its own alone", async (t) => {
    const { own, ask, refused, sample } = await withAgent(t);
    const said = await ask("add_note", { text: "No, it is dawn.", replyTo: sample.snippetId });
    const id = idIn(said, "sn");
    assert.match(await ask("list_notes"), new RegExp(`¶2 note ${id}: > Too dark\\? No, it is dawn\\.`));
    for (const other of [sample.snippetId, sample.todoId])
      assert.match(await refused("resolve", { id: other }), /^Another made sn_\w+\. Whoever may propose/);
    assert.match(await ask("resolve", { id }), /^Took sn_\w+ away, act act_\w+\.$/);
    assert.match(await refused("resolve", { id }), /^No such note/);
    assert.match(
      await refused("add_note", { text: "x", replyTo: sample.snippetId, chapter: "1" }),
      /An answer stands where its note does/,
    );
    const { ask: askOther } = await agentOf(t, own, { client: "somebody else" });
    const theirs = idIn(await askOther("add_note", { text: "Mine." }), "sn");
    assert.match(await refused("resolve", { id: theirs }), /^Another made/);
  });

  it("withdraws its own proposals alone", async (t) => {
    for (const allowed of ["propose", "write"] as const) {
      const { own, ask, refused } = await withAgent(t, { allowed });
      const edits = [{ paragraph: 3, text: "“Late,” he said." }];
      const id = idIn(await ask("propose_edits", { chapter: "1", revision: 1, edits }), "prop");
      const { ask: askOther } = await agentOf(t, own, { client: "somebody else" });
      const theirs = idIn(await askOther("propose_edits", { chapter: "1", revision: 1, edits }), "prop");
      assert.match(await refused("resolve", { id: theirs }), /^Another made prop_/);
      assert.match(await ask("resolve", { id }), /^Withdrew prop_\w+, act act_\w+\.$/);
      assert.match(await ask("list_proposals", { id }), /: 1 rejected\./);
    }
  });

  it("may put several paragraphs in the place of one, before what it puts behind that", async (t) => {
    const { own, ask, refused } = await withAgent(t);
    const said = await ask("propose_edits", {
      chapter: "1",
      revision: 1,
      edits: [
        { op: "insert_after", paragraph: 3, text: "Fourth." },
        { paragraph: 3, text: "First.\n\n*Second.*\n\n- third\n- and last" },
        { find: "the bell was already ringing.", text: "the bell rang.\n\nTwice." },
      ],
    });
    acceptProposal(own, idIn(said, "prop"), {}, OWNER);
    assert.match(
      await ask("read_chapter", { chapter: "1" }),
      /and the bell rang\.\n¶3 Twice\.\n¶4 First\.\n¶5 \*Second\.\*\n¶6 .*third\n¶7 .*and last\n¶8 Fourth\.\n¶9 \* \* \*/,
    );
    assert.match(
      await refused("propose_edits", {
        chapter: "1",
        revision: 1,
        edits: [{ paragraph: 6, text: "a\n\nb" }],
      }),
      /¶6 stands in a bullet list, where one paragraph takes the place of one; put the others behind it with insert_after/,
    );
  });

  it("finds words whichever quotes it writes, and leaves the prose its own", async (t) => {
    const { own, ask, refused, sample } = await withAgent(t, { allowed: "write" });
    const markdown = [
      "“Don’t,” said Mara, ‘not now’.",
      '"It\'s late," said Tobit.',
      "„Nein“, sagte er.",
      "It’s here.",
      "It's here.",
    ].join("\n\n");
    replaceProse(own, sample.chapterId, { markdown }, OWNER);
    const edit = (find: string, text: string) =>
      ask("apply_edits", { chapter: "1", revision, edits: [{ find, text }], dryRun: false }).then(
        () => revision++,
      );
    let revision = 2;
    await edit(
      "\"Don't,\" said Mara, 'not now'.",
      '"Don\'t," said Mara, "or \'now\', isn\'t it?" <b title="x">`"`</b>',
    );
    await edit("“It’s late,”", "“It’s ‘early’,”");
    await edit('"Nein", sagte', '"Nein, nein", sagte');
    await edit("It's here.", "It's there."); // as it is written, it stands there once
    assert.match(
      await ask("read_chapter", { chapter: "1" }),
      /¶1 “Don’t,” said Mara, “or ‘now’, isn’t it\?” <b title="x">`"`<\/b>\n¶2 "It's 'early'," said Tobit\.\n¶3 „Nein, nein“, sagte er\.\n¶4 It’s here\.\n¶5 It's there\./,
    );
    assert.match(
      await refused("apply_edits", { chapter: "1", revision, edits: [{ find: '"Nope"', text: "x" }] }),
      /stand nowhere/,
    );
  });

  it("finds neither notes nor proposals to write where it may only read", async (t) => {
    const { client, refused } = await withAgent(t, { allowed: "read" });
    const { tools } = await client.listTools();
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
    assert.match(await refused("add_note", { text: "x" }), /There is no tool "add_note"/);
  });
});

describe("an agent that may write", () => {
  const edits = [{ paragraph: "3", find: "late", text: "early" }];

  it("says what edits would cost before it writes them, and undoes its own", async (t) => {
    const { own, ask } = await withAgent(t, { allowed: "write" });
    const before = dump(own.store);
    const would = await ask("apply_edits", { chapter: "1", revision: 1, edits });
    assert.match(would, /^Would leave 1 changed, 0 new, 0 deleted/);
    assert.deepEqual(dump(own.store), before);
    const said = await ask("apply_edits", { chapter: "1", revision: 1, edits, dryRun: false });
    assert.match(said, /^Written, act act_\w+: 1 changed.* is at revision 2 now/);
    assert.match(await ask("read_chapter", { chapter: "1" }), /“You are early,”/);
    assert.match(await ask("undo"), /^Took back act_\w+ by act_\w+\.$/);
    assert.match(await ask("read_chapter", { chapter: "1" }), /“You are late,”/);
  });

  it("writes its edits where others have changed other paragraphs meanwhile", async (t) => {
    const { own, ask, sample } = await withAgent(t, { allowed: "write" });
    const { chapterId, blockId } = sample;
    replaceParagraph(own, { chapterId, blockId }, { markdown: "Else." }, OWNER);
    insertParagraphs(own, chapterId, { after: null, markdown: "New first." }, OWNER);
    const asked = { chapter: "1", revision: 1, edits: [...edits, { op: "delete", paragraph: 7 }] };
    assert.match(await ask("apply_edits", asked), /^Would leave 1 changed, 0 new, 1 deleted/);
    assert.match(await ask("apply_edits", { ...asked, dryRun: false }), /^Written, act .* at revision 4 now/);
    const text = await ask("read_chapter", { chapter: "1" });
    assert.match(text, /¶1 New first\.\n¶2 # The Ferry\n¶3 Else\.\n¶4 “You are early,”/);
    assert.doesNotMatch(text, /lamp/);
  });

  it("puts paragraphs where nothing else was put since, behind what was accepted there", async (t) => {
    const { own, ask, refused, sample } = await withAgent(t, { allowed: "write" });
    const insertion = (text: string) => [{ op: "insert_after", paragraph: 3, text }];
    const at = { chapter: "1", revision: 1 };
    const proposed = idIn(await ask("propose_edits", { ...at, edits: insertion("Accepted.") }), "prop");
    acceptProposal(own, proposed, {}, OWNER);
    assert.match(
      await ask("apply_edits", { ...at, edits: insertion("Written."), dryRun: false }),
      /^Written/,
    );
    const text = await ask("read_chapter", { chapter: "1" });
    assert.match(text, /¶3 “You are late,” said old Tobit\.\n¶4 Accepted\.\n¶5 Written\.\n/);
    insertParagraphs(own, sample.chapterId, { after: sample.blockId, markdown: "Other." }, OWNER);
    const edits = [{ op: "insert_after", paragraph: 2, text: "x" }];
    assert.match(await refused("apply_edits", { ...at, edits }), /¶2 \(something else was put there\)/);
  });

  it("is refused where its own paragraph has changed, whole, and is told which", async (t) => {
    const { own, ask, refused, sample } = await withAgent(t, { allowed: "write" });
    const { chapterId, blockId } = sample;
    replaceParagraph(own, { chapterId, blockId }, { markdown: "Mara came down before light." }, OWNER);
    const before = dump(own.store);
    for (const edit of [
      { paragraph: 2, text: "Nobody came." },
      { op: "delete", paragraph: 2 },
    ])
      assert.match(
        await refused("apply_edits", { chapter: "1", revision: 1, edits: [...edits, edit], dryRun: false }),
        /^Changed since revision 1: ¶2 \(its paragraph has changed\)\. Nothing was written\. The chapter is at revision 2: read it again/,
      );
    assert.deepEqual(dump(own.store), before);
    deleteParagraph(own, { chapterId, blockId }, OWNER);
    assert.match(
      await refused("apply_edits", { chapter: "1", revision: 1, edits: [{ paragraph: 2, text: "x" }] }),
      /¶2 \(its paragraph is gone\)/,
    );
    undoAct(own, String(listActs(own, { limit: 1 }).acts[0]?.id), OWNER);
    assert.deepEqual(dump(own.store), before);
    assert.match(await ask("read_chapter", { chapter: "1" }), /“You are late,”/);
  });

  it("sets a chapter's status and synopsis", async (t) => {
    const { own, ask, refused } = await withAgent(t, { allowed: "write" });
    const said = await ask("set_chapter", { chapter: 1, status: "done", synopsis: "She is later." });
    assert.match(said, /^Set of ch_\w+: status, act act_\w+; synopsis, act act_\w+\.$/);
    assert.match(await ask("read_outline"), /1\. The Ferry \(ch_\w+\) done, 35 words: She is later\./);
    assert.equal(listActs(own, { limit: 1 }).acts[0]?.by, "test-agent");
    assert.match(await refused("set_chapter", { chapter: 1 }), /give status or synopsis/);
    assert.match(await refused("set_chapter", { chapter: 1, status: "WIP" }), /draft/);
  });

  it("resolves notes of others, too", async (t) => {
    const { ask, sample } = await withAgent(t, { allowed: "write" });
    assert.match(await ask("resolve", { id: sample.todoId }), /^Ticked off sn_\w+, act /);
    assert.match(await ask("list_notes"), /todo sn_\w+: \[x\] tide table/);
    assert.match(await ask("resolve", { id: sample.todoId }), /^Took sn_\w+ away, act /);
    assert.match(await ask("resolve", { id: sample.snippetId }), /^Took sn_\w+ away/);
    assert.match(await ask("list_notes"), /^0 notes/);
    await ask("undo");
    assert.match(await ask("list_notes"), /Too dark\?/);
  });

  it("saves facts: a new one, and fields of one that is there", async (t) => {
    const { ask, refused } = await withAgent(t, { allowed: "write" });
    assert.match(
      await refused("save_fact", { name: "mara" }),
      /There is a fact of that name, fa_\w+: give fact/,
    );
    assert.match(await refused("save_fact", { kind: "place" }), /needs its name/);
    const said = await ask("save_fact", { name: "Pier", kind: "place", attributes: { length: "40 m" } });
    assert.match(await ask("read_cast", { name: idIn(said, "fa") }), /Pier .* place\nlength: 40 m/);
    await ask("save_fact", { fact: "Pier", summary: "Wet.", attributes: { length: null } });
    assert.match(await ask("read_cast", { name: "pier" }), /place\nWet\.\n~~~/);
  });

  it("takes back its own acts alone, those of an earlier run too", async (t) => {
    const { own, ask, refused } = await withAgent(t, { allowed: "write", client: "one" });
    const noted = idIn(await ask("add_note", { text: "Mine." }), "act");
    const theirs = listActs(own, { limit: 2 }).acts[0]?.id ?? "";
    assert.match(await refused("undo", { act: theirs }), /is no act of "one"; the writer can undo it/);
    const undone = idIn(await ask("undo", { act: noted }), "act");
    assert.equal(undone, noted);
    assert.match(await refused("undo", { act: noted }), /undone|stands|already/i);
    assert.match(await refused("undo"), /there is nothing to undo/);
    await ask("undo", { act: listActs(own, { limit: 1 }).acts[0]?.id ?? "" }); // an undo of its own is its own
    assert.match(await ask("list_notes"), /Mine\./);
  });
});
