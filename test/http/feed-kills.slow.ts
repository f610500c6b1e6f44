import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createKey } from "../../src/service/account/keys.ts";
import { saveSynopsis } from "../../src/service/books/chapter-fields.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { firstSaid } from "../support/first-said.ts";
import { PROGRAM } from "../support/program.ts";
import { randomFrom } from "../support/random.ts";
import { type Sample, withSample } from "../support/sample.ts";
import { listen } from "./events.ts";

const KILLS = 50;
/** Every tenth kill is the server's, which takes a second to come back. */
const SERVERS = 10;
const WATCHES = 5;

/** The program in a process of its own, gone with the test. */
function start(t: TestContext, argv: readonly string[], cwd: string): ChildProcess {
  const env = { ...process.env, XDG_STATE_HOME: join(cwd, "state"), HOME: cwd };
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    ...{ cwd, env, stdio: ["ignore", "pipe", "pipe"] },
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

/** Writes acts from this process now and then, until stopped; `acts` are the ids of all of them. */
function writing(own: Manuscript, { chapterId }: Sample) {
  const random = randomFrom(7);
  const acts: string[] = [];
  let isStopped = false;
  const written = (async () => {
    while (!isStopped) {
      for (let left = Math.floor(random() * 4); left > 0; left--) {
        const synopsis = `${acts.length}`;
        acts.push(saveSynopsis(own, chapterId, { synopsis }, { source: "cli" }).act ?? "");
      }
      await wait(5 + random() * 30);
    }
  })();
  return {
    acts,
    stop: () => {
      isStopped = true;
      return written;
    },
  };
}

describe("the live feed, killed again and again", () => {
  it(`goes on after ${KILLS} kills of a client or the server: nothing missed, nothing twice`, async (t) => {
    const { own, sample } = withSample(t);
    const { key } = createKey(own);
    const { path } = own.store;
    const folder = join(path, "..");
    // Each at a port of its own: that of one that was killed may be a connection's of somebody else by now.
    const serve = async () => {
      const child = start(t, ["serve", path, "--port", "0", "--quiet", "--no-backups"], folder);
      const address = (await firstSaid(child)).trim();
      return { child, stream: new URL("/api/v1/acts/stream", address).href };
    };
    let server = await serve();
    const random = randomFrom(11);
    const first = await listen(server.stream, { key });
    let { id: lastId = "" } = await first.until(() => true); // it may come after the answer's head
    const got: string[] = [];
    const { acts, stop } = writing(own, sample);
    const readOn = async (isOver: (count: number) => boolean, kill: () => unknown) => {
      const client = await listen(server.stream, { key, headers: { "Last-Event-ID": lastId } });
      await client.until(() => isOver(client.ids().length));
      kill();
      client.kill();
      await client.ended;
      got.push(...client.ids());
      lastId = client.events.findLast(({ id }) => id !== undefined)?.id ?? lastId;
    };
    for (let kill = 1; kill <= KILLS; kill++) {
      const enough = Math.floor(random() * 4);
      const isServers = kill % SERVERS === 0;
      await readOn(
        (count) => count >= enough,
        () => isServers && server.child.kill("SIGKILL"),
      );
      if (isServers) server = await serve();
    }
    await stop();
    if (lastId !== acts.at(-1))
      await readOn(
        (count) => got.length + count >= acts.length,
        () => {},
      );
    assert.ok(acts.length > KILLS);
    assert.deepEqual(got, acts);
  });

  it("a watch that is killed in the middle of its command misses nothing, and tells at most that act again", async (t) => {
    const { own, sample } = withSample(t);
    const folder = join(own.store.path, "..");
    const command = "cat >> told; sleep 0.02";
    const argv = ["watch", "--file", own.store.path, "--exec", command];
    const told = () =>
      readFileSync(join(folder, "told"), "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { id: string }).id);
    const watching = async (...options: string[]) => {
      const child = start(t, [...argv, ...options], folder);
      await firstSaid(child, "stderr"); // it says that it watches
      return child;
    };
    const before = own.store.list<string>("SELECT id FROM acts ORDER BY seq");
    let child = await watching("--after", "0");
    const { acts, stop } = writing(own, sample);
    for (let kill = 0; kill < WATCHES; kill++) {
      await wait(200 + 37 * kill);
      child.kill("SIGKILL");
      await once(child, "exit");
      await wait(60); // its command ends by itself
      child = await watching();
    }
    await stop();
    const all = [...before, ...acts];
    while (told().at(-1) !== all.at(-1) && child.exitCode === null) await wait(100);
    const seen = told();
    assert.deepEqual([...new Set(seen)], all);
    assert.ok(seen.length - all.length <= WATCHES, `${seen.length - all.length} told again`);
    child.kill("SIGINT");
    assert.deepEqual(await once(child, "exit"), [0, null]);
  });
});
