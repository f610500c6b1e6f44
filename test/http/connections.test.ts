import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createApp } from "../../src/http/app.ts";
import { close, createHttpServer, listen } from "../../src/http/requests/node-server.ts";

/** A server that looks for late connections all the time, and a connection to it over which this was sent and read. */
async function connected(t: TestContext, sent: string) {
  const server = createHttpServer(createApp({ manuscripts: [] }));
  Object.assign(server, { keepAliveTimeout: 1, connectionsCheckingInterval: 1 });
  await listen(server, { host: "127.0.0.1", port: 0 });
  t.after(() => close(server));
  const accepted = once(server, "connection");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  t.after(() => client.destroy());
  const chunks: Buffer[] = [];
  client.on("data", (chunk: Buffer) => chunks.push(chunk));
  client.on("error", () => {});
  client.write(sent);
  const [socket] = (await accepted) as [Socket];
  while (socket.bytesRead < sent.length) await turn();
  const received = () => Buffer.concat(chunks).toString();
  return { server, client, received };
}

describe("a connection over which no request comes in time", () => {
  for (const [what, sent, answer] of [
    ["is closed without a word if nothing came", "", /^$/],
    [
      "is told so if a part came",
      "GET / HT",
      /^HTTP\/1\.1 400 .*"bad_request","message":"The request did not/s,
    ],
  ] as const)
    it(what, async (t) => {
      const { server, client, received } = await connected(t, sent);
      server.headersTimeout = 1;
      await once(client, "close");
      assert.match(received(), answer);
    });

  it("is closed without a word after the answer to its last request", async (t) => {
    const sent = "GET /api/v1/books HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const { client, received } = await connected(t, sent);
    await once(client, "close");
    assert.match(received(), /^HTTP\/1\.1 401 .*"unauthorized"[^{}]*}$/s);
  });
});
