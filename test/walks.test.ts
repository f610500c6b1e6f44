import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { PassThrough } from "node:stream";
import { after, before, describe, it, mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { run } from "../src/cli/run.ts";
import { shell } from "./cli/shell.ts";
import { serve } from "./support/client.ts";
import { suite } from "./support/sandbox.ts";
import { WALKS } from "./support/walks.ts";

const SOURCE = join(import.meta.dirname, "../src");
/** A walk that is this much shorter than its budget must lower it. */
const NOTABLE = 3;

const scope = suite();
after(scope.end);
const session = new Session();

before(async () => {
  // A busy machine takes so long between two steps that the store would look into its log anew.
  mock.method(process, "uptime", () => 0);
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
});
after(() => {
  session.disconnect();
  mock.restoreAll();
});

/** Files of `src/` of which a function other than the module itself ran since the last look, sorted. */
async function lookAgain(): Promise<string[]> {
  for (let turns = 0; turns < 5; turns++) await turn(); // what follows an answer belongs to its walk
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result
    .filter(({ url, functions }) => {
      const wasEntered = functions.some(
        ({ ranges: [whole] }) => whole !== undefined && whole.startOffset > 0 && whole.count > 0,
      );
      return wasEntered && url.startsWith("file:") && !relative(SOURCE, fileURLToPath(url)).startsWith("..");
    })
    .map(({ url }) => relative(SOURCE, fileURLToPath(url)))
    .sort();
}

/**
 * Files that two equal journeys enter, when another has filled the caches: what only one of them entered belongs to a timer.
 * `prepare` runs before each and counts for nothing.
 */
async function walk(go: () => Promise<unknown>, prepare: () => unknown = () => {}): Promise<string[]> {
  const entered: string[][] = [];
  for (let turns = 0; turns < 3; turns++) {
    await prepare();
    await lookAgain();
    await go();
    entered.push(await lookAgain());
  }
  const [, second = [], third = []] = entered;
  return second.filter((file) => third.includes(file));
}

/** `MANUSCRIPT_WALKS=1` lists the files of every walk. */
function assertWithin(journey: keyof typeof WALKS, files: readonly string[]): void {
  const { budget } = WALKS[journey];
  const list = `\n  ${files.join("\n  ")}`;
  if (process.env.MANUSCRIPT_WALKS !== undefined) console.error(`${journey}: ${files.length}${list}`);
  assert.ok(
    files.length <= budget,
    `${journey} enters ${files.length} files, its budget is ${budget}:${list}`,
  );
  const isShorter = files.length <= budget - NOTABLE;
  assert.ok(!isShorter, `${journey} enters ${files.length} files: lower its budget of ${budget} in WALKS`);
}

describe("a walk through the source", async () => {
  const lab = await serve(scope);
  const { bookId, chapterId, blockId } = lab.sample;
  const chapter = `/chapters/${chapterId}`;
  let words = 0;
  const word = () => ["late", "early"][words++ % 2];
  const answered = async (...request: Parameters<typeof lab.ask>) => {
    const { status, text } = await lab.ask(...request);
    assert.equal(status, 200, text);
  };
  const patch = () =>
    answered("PATCH", `${chapter}/paragraphs/${blockId}`, { body: { markdown: `Mara came ${word()}.` } });
  const readText = () => answered("GET", `${chapter}?format=text`);

  it("saves a paragraph", async () => {
    assertWithin("PATCH a paragraph", await walk(patch));
  });

  it("saves a chapter", async () => {
    const { body } = await lab.ask("GET", `${chapter}?format=markdown`);
    const put = () =>
      answered("PUT", `${chapter}/prose`, {
        body: { markdown: body.markdown.replace(/late|early/, word()) },
      });
    assertWithin("PUT a chapter with one word changed", await walk(put));
  });

  it("reads a chapter", async () => {
    assertWithin("GET a chapter's text", await walk(readText, patch));
    assertWithin("GET a chapter's text, cached", await walk(readText));
  });

  it("searches", async () => {
    const search = () => answered("GET", `/books/${bookId}/search?q=lamp`);
    assertWithin("search, with its index built", await walk(search));
  });

  it("syncs a folder", async () => {
    const sh = shell(scope).with({ env: { MANUSCRIPT_FILE: lab.manuscript.store.path } });
    const done = async (...argv: string[]) => {
      const { exit, stderr } = await sh(...argv);
      assert.equal(exit, 0, stderr);
    };
    await done("export", bookId, "-o", "out");
    const sync = () => done("sync", "out");
    await sync();
    const path = chapterIn(join(sh.cwd, "out"));
    const edit = () => writeFileSync(path, readFileSync(path, "utf8").replace(/late|early/, word() ?? ""));
    assertWithin("sync, one word in one file", await walk(sync, edit));
  });

  it("answers an agent", async () => {
    const ask = await agent(lab.manuscript.store.path);
    const read = async () => assert.match(await ask("read_chapter", { chapter: "The Ferry" }), /Mara/);
    assertWithin("read_chapter over MCP", await walk(read));
  });
});

/** The sample's first chapter in a folder that it was exported to. */
function chapterIn(folder: string): string {
  const file = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) =>
    path.endsWith("the-ferry.md"),
  );
  assert.ok(file);
  return join(folder, file);
}

/** Starts `manuscript mcp` in this process, and returns what calls a tool; it ends with the suite. */
async function agent(file: string): Promise<(tool: string, args: object) => Promise<string>> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const ended = run(["mcp", "--file", file], { stdin, stdout, stderr, env: {}, cwd: "/" });
  scope.after(async () => {
    stdin.end();
    await ended;
  });
  let id = 0;
  const ask = async (method: string, params: object): Promise<string> => {
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params })}\n`);
    const [answer] = await once(stdout, "data");
    return String(answer);
  };
  const clientInfo = { name: "walks", version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  return (name, args) => ask("tools/call", { name, arguments: args });
}
