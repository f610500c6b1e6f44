import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { streamActs } from "../../src/contract/rows/acts.ts";
import { eventually } from "../support/eventually.ts";
import { type Ran, type Shell, withBook } from "./shell.ts";

/** A shell with a book and a state folder of its own, and a watch in it that a test stops. */
async function setUp(t: TestContext) {
  const own = await withBook(t);
  const sh = own.with({ env: { XDG_STATE_HOME: join(own.cwd, "state") } });
  const watches = join(own.cwd, "state", "manuscript", "watches");
  const places = () => (existsSync(watches) ? readdirSync(watches) : []).map((name) => join(watches, name));
  const kept = () => places().map((path) => (JSON.parse(readFileSync(path, "utf8")) as { act: string }).act);
  const status = async (value: string) =>
    (await sh("status", "1", value, "--json")).json<{ act: string }>().act;
  return { sh, places, kept, status, watch: (...options: string[]) => watching(t, sh, options) };
}

/** A watch that runs until it is stopped. */
function watching(
  t: TestContext,
  sh: Shell,
  options: readonly string[],
): { ran: Promise<Ran>; stop(): Promise<Ran> } {
  const stop = new AbortController();
  t.after(() => stop.abort()); // or a failure would be waited for without end
  const ran = sh.with({ stop: stop.signal })("watch", ...options);
  return {
    ran,
    stop: () => {
      stop.abort();
      return ran;
    },
  };
}

const idsIn = (text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => streamActs.answer.parse(JSON.parse(line)).id);

describe("watch", () => {
  it("prints a line an act from now on, and the next run goes on where it stopped", async (t) => {
    const { kept, places, status, watch } = await setUp(t);
    const first = watch();
    await eventually(() => kept().length === 1, "the cursor to be kept");
    const acts = [await status("done"), await status("draft")];
    await eventually(() => kept()[0] === acts[1], "the cursor to be kept");
    const { exit, stdout, stderr } = await first.stop();
    assert.deepEqual([exit, idsIn(stdout)], [EXIT.done, acts]);
    assert.match(stderr, /^Watching .*book\.manuscript, what comes after act_\w+; stop with Ctrl-C\.\n$/);
    const missed = [await status("revising"), await status("done")];
    const second = watch();
    await eventually(() => kept()[0] === missed[1], "the cursor to be kept");
    assert.deepEqual(idsIn((await second.stop()).stdout), missed);
    assert.equal(statSync(places()[0] ?? "").mode & 0o777, 0o600);
  });

  it("runs a command for each act, one at a time; one that fails stops it, and gets the act again", async (t) => {
    const { sh, kept, status, watch } = await setUp(t);
    const out = join(sh.cwd, "told");
    const command = `cat >> '${out}'; test $(tail -1 '${out}' | grep -c '"kind":"undo') = 0 || test -e '${sh.cwd}/mended'`;
    const first = watch("--exec", command);
    await eventually(() => kept().length === 1, "the cursor to be kept");
    const acts = [await status("done"), await status("draft")];
    const { act } = (await sh("undo", "--json")).json<{ act: string }>();
    acts.push(act, await status("revising"));
    const failed = await first.ran;
    assert.equal(failed.exit, 1);
    assert.match(
      failed.stderr,
      new RegExp(
        `ended with 1, given ${act}\\. .* by --after ${acts[1]}, and behind it by --after ${act}\\.`,
      ),
    );
    assert.deepEqual(kept(), [acts[1]]);
    writeFileSync(join(sh.cwd, "mended"), "");
    const second = watch("--exec", command);
    await eventually(() => kept()[0] === acts[3], "the cursor to be kept");
    assert.equal((await second.stop()).exit, EXIT.done);
    assert.deepEqual(idsIn(readFileSync(out, "utf8")), [...acts.slice(0, 3), ...acts.slice(2)]);
  });

  it("keeps a place for each command, which --after and --from-now move", async (t) => {
    const { sh, kept, status, watch } = await setUp(t);
    const all = (await sh("history", "--json")).json<{ acts: { id: string }[] }>().acts.map(({ id }) => id);
    const newest = await status("done");
    const every = watch("--after", "0");
    await eventually(() => kept()[0] === newest, "the cursor to be kept");
    assert.deepEqual(idsIn((await every.stop()).stdout).sort(), [...all, newest].sort());
    const other = watch("--exec", "cat > given");
    await eventually(() => kept().length === 2, "the cursor to be kept");
    await other.stop();
    const skipped = await status("draft");
    const now = watch("--from-now");
    await eventually(() => kept().includes(skipped), "the cursor to be kept");
    assert.equal((await now.stop()).stdout, "");
    assert.deepEqual(kept().sort(), [newest, skipped].sort());
  });

  it("is one at a time for a command, and says what to do about a place that leads nowhere", async (t) => {
    const { sh, kept, places, watch } = await setUp(t);
    const first = watch();
    await eventually(() => kept().length === 1, "the cursor to be kept");
    const second = await sh("watch");
    assert.deepEqual([second.exit, second.stdout], [EXIT.failed, ""]);
    assert.match(second.stderr, /is in use by "manuscript watch" of .*book\.manuscript, process \d+/);
    await first.stop();
    const [path = ""] = places();
    for (const [text, exit] of [
      ['{"act":"act_none"}', EXIT.notFound],
      ["{", EXIT.failed],
    ] as const) {
      chmodSync(path, 0o600);
      writeFileSync(path, text);
      const refused = await sh("watch");
      assert.equal(refused.exit, exit);
      assert.match(refused.stderr, /--after ACT.* --from-now/);
      assert.equal(readFileSync(path, "utf8"), text);
    }
  });

  it("says which variable names another place where none can be kept", async (t) => {
    const { sh } = await setUp(t);
    const state = join(sh.cwd, "a-file");
    writeFileSync(state, "");
    const { exit, stderr } = await sh.with({ env: { XDG_STATE_HOME: state } })("watch");
    assert.equal(exit, EXIT.failed);
    assert.match(stderr, /watches cannot be written \(ENOTDIR\); .* in \$XDG_STATE_HOME\.\n/);
  });
});
