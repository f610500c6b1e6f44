import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { withBook } from "../cli/shell.ts";
import { firstSaid } from "../support/first-said.ts";
import { PROGRAM } from "../support/program.ts";

const ASKED = "GET /llms.txt HTTP/1.1\r\nHost: localhost\r\n\r\n";

describe("a server whose machine was asleep", () => {
  it("answers what has come meanwhile over the connections that it keeps", async (t) => {
    const { cwd } = await withBook(t);
    const argv = [PROGRAM, "serve", "--port", "0", "--quiet"];
    const server = spawn(process.execPath, argv, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    t.after(() => server.kill("SIGKILL"));
    const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(await firstSaid(server))?.[1]);
    const clients = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const client = connect(port, "127.0.0.1").setNoDelay();
        t.after(() => client.destroy());
        const answers = { bytes: "" };
        client.on("data", (chunk: Buffer) => {
          answers.bytes += chunk.toString("latin1");
        });
        client.write(ASKED);
        await once(client, "data");
        return { client, answers };
      }),
    );
    const keptS = Number(/^Keep-Alive: timeout=(\d+)/m.exec(clients[0]!.answers.bytes)?.[1]); // there are eight
    assert.ok(server.kill("SIGSTOP"));
    for (const { client } of clients) client.write(ASKED);
    await wait(1000 * (keptS + 1));
    const answered = clients.map(async ({ client, answers }) => {
      const isAnswered = () => answers.bytes.split(/^HTTP\/1\.1 200 /m).length === 3;
      while (!isAnswered()) await Promise.race([once(client, "data"), gone(client)]);
    });
    server.kill("SIGCONT");
    await Promise.all(answered);
  });
});

/** Throws when a connection has ended. */
async function gone(client: ReturnType<typeof connect>): Promise<void> {
  await once(client, "close");
  throw new Error("it was closed without an answer");
}
