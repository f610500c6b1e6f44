import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { watchConnections } from "../../src/http/requests/node-server.ts";

const ASKED = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** A watched server, and a connection to it over which one answer has come. */
async function kept(t: TestContext) {
  const server = http.createServer();
  const connections = watchConnections(server);
  server.on("request", (request, response) => {
    connections.begin(response);
    response.end(request.url);
  });
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => connections.close());
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  t.after(() => client.destroy());
  client.write(ASKED);
  const [first] = await once(client, "data");
  return { client, first: String(first), timeOut: () => server.emit("timeout", sockets[0]) };
}

describe("a connection that is kept for the next request", () => {
  it("is kept for half a minute, and its client told so", async (t) => {
    assert.match((await kept(t)).first, /^Keep-Alive: timeout=30\r$/m);
  });

  it("answers a request that has come when its time is up, and is not yet read", async (t) => {
    const { client, timeOut } = await kept(t);
    setImmediate(() => {
      client.write(ASKED); // is with the system at once
      timeOut(); // a timer of Node's, before what has come is read
    });
    const [answer] = await once(client, "data");
    assert.match(String(answer), /^HTTP\/1\.1 200 /);
  });

  it("is ended when its time is up and nothing has come", async (t) => {
    const { client, timeOut } = await kept(t);
    timeOut();
    await once(client, "close");
  });
});
