import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GROUPS } from "../../src/cli/rows/groups.ts";
import { type Bench, NOVEL } from "./bench.ts";

/** Makes the manuscript, and fills it from a folder. */
export async function tryFilling(bench: Bench): Promise<string> {
  await bench.run(["init", "novel.manuscript"]);
  const { stdout } = await bench.run(["import", NOVEL]);
  assert.match(stdout, /14 chapters, 16,384 words/);
  assert.match((await bench.run(["outline"])).stdout, /A Reader’s Ticket/);
  assert.match((await bench.run(["search", "Łukasz"])).stdout, /Łukasz/);
  return "14 chapters";
}

/** Lines that need nothing from those before but the novel. `SELF` is this Node. */
const LINES: readonly (readonly string[])[] = [
  ...[
    "books",
    "stats",
    "report timeline",
    "report appearances",
    "report language",
    "report pace",
    "history",
    "compact --dry-run",
  ],
  ...["show 1", "use novel.manuscript", "doctor", "doctor --mend", "completion bash", "api GET /books"],
  ...[
    "detect 1",
    "check 1",
    "synopsis 2",
    "status 2 draft",
    "goal set 70000",
    "goal",
    "replace grey gray --apply",
  ],
  ...["chapter add Neu", "chapter rename Neu Öl", "chapter move Öl --first", "chapter delete Öl --yes"],
  ...["part add Nachspiel", "part rename Nachspiel Coda", "part move Coda --first", "part delete Coda"],
  ...["book add Zweites", "book rename --book Zweites Drittes", "book edit Drittes --author Zoë"],
  ...["book delete Drittes --yes", "facts add Zoë --book 1", "facts add Zoé", "facts list", "facts show Zoë"],
  ...["facts edit Zoë --kind character", "facts rename Zoé Zoey", "facts merge Zoë Zoey", "facts delete Zoë"],
  ...["milestone add Eins", "milestone list", "milestone compare Eins", "milestone rename Eins Zwei"],
  ...["milestone restore Zwei --yes", "milestone delete Zwei", "notes list", "proposals list", "key create"],
  ...["key list", "account show", "account set --credits 10", "diff 2", "chapter join 1 --dry-run"],
  ...["mcp --print-config claude", "help", "undo --yes"],
].map((line) => line.split(" "));

/** Runs every command that the program has at least once. */
export async function tryEveryCommand(bench: Bench): Promise<string> {
  for (const words of LINES) await bench.run(words);
  await tryParagraphs(bench);
  await tryReview(bench);
  const { keys } = await bench.answer<{ keys: { id: string }[] }>("key", "list");
  await bench.run(["key", "revoke", keys[0]?.id ?? ""]);
  const later = [
    "serve",
    "open",
    "app",
    "sync",
    "export",
    "backup",
    "restore",
    "rescue",
    "watch",
    "edit",
    "write",
    "mcp",
  ];
  const names = GROUPS.flatMap(({ ROWS }) => ROWS.map(({ name }) => name));
  const left = names.filter((name) => !bench.ran.has(name) && !later.includes(name));
  assert.deepEqual(left, [], "commands that were not run");
  return `${names.length} commands`;
}

/** Commands that name paragraphs and notes by their ids. */
async function tryParagraphs(bench: Bench): Promise<void> {
  const { stdout } = await bench.run(["show", "3", "--format", "blocks", "--json"]);
  const ids = [...stdout.matchAll(/b_[0-9a-z]{16}/g)].map(([id]) => id);
  await bench.run(["notes", "add", "Prüfen & ändern", "--block", ids[1] ?? ""]);
  const notes = await bench.answer<{ snippets: { id: string }[] }>("notes", "list");
  const note = notes.snippets[0]?.id ?? "";
  await bench.run(["notes", "edit", note, "Geprüft"]);
  await bench.run(["notes", "delete", note]);
  await bench.run(["chapter", "split", "3", ids[2] ?? "", "Zweiter Teil"]);
  await bench.run(["chapter", "move-paragraphs", "Zweiter Teil", ids[4] ?? "", "--to", "3"]);
  await bench.run([
    "map",
    "3",
    "--dry-run",
    "--",
    process.execPath,
    "-e",
    "process.stdin.pipe(process.stdout)",
  ]);
}

/** Proposals, shown, accepted and rejected. */
async function tryReview(bench: Bench): Promise<void> {
  const text = (await bench.run(["show", "5", "--format", "markdown"])).stdout;
  for (const [word, decide] of [
    ["Erstens", "accept"],
    ["Zweitens", "reject"],
  ] as const) {
    await bench.run(["write", "5", "--propose"], { input: `${text.trimEnd()}\n\n${word}.\n` });
    const { proposals } = await bench.answer<{ proposals: { id: string }[] }>("proposals", "list");
    await bench.run(["proposals", "show", proposals[0]?.id ?? ""]);
    await bench.run(["proposals", decide, proposals[0]?.id ?? ""]);
  }
}

/** Writes from stdin and in an editor whose path and options stand in `VISUAL`. */
export async function tryWriting(bench: Bench): Promise<string> {
  await bench.run(["write", "1", "--yes"], { input: "\ufeffErster Absatz.\r\n\r\nZweiter „Absatz“.\r\n" });
  assert.match((await bench.run(["show", "1"])).stdout, /Zweiter „Absatz“\.\n/);
  const script = join(bench.cwd, "my editor.js");
  writeFileSync(script, 'require("node:fs").appendFileSync(process.argv[2], "\\r\\nDritter Absatz.\\r\\n")');
  await bench.run(["edit", "1"], { env: { VISUAL: `"${process.execPath}" "${script}"` } });
  const { stdout } = await bench.run(["show", "1"]);
  assert.match(stdout, /Dritter Absatz\.\n/);
  assert.doesNotMatch(stdout, /\r/);
  await bench.run(["undo", "--yes"]);
  return "CRLF and a byte order mark are taken out";
}

/** Exports every format, and takes a document back. */
export async function tryExports(bench: Bench): Promise<string> {
  const names = ["novel.docx", "novel.epub", "novel.html", "bundle.json"];
  for (const name of names)
    await bench.run(["export", ...(name === "bundle.json" ? ["-f", "json"] : []), "-o", name]);
  for (const name of names) assert.ok(existsSync(join(bench.cwd, name)), name);
  assert.equal(readFileSync(join(bench.cwd, "novel.docx"), "latin1").slice(0, 2), "PK");
  assert.match((await bench.run(["export", "--plain", "-o", "-"])).stdout, /Łukasz/);
  await bench.run(["import", "novel.docx", "--title", "Wieder da"]);
  await bench.run(["book", "delete", "Wieder da", "--yes"]);
  return names.join(", ");
}
