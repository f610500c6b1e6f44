import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { it } from "node:test";
import { bodies } from "../../src/contract/documents/example.ts";
import { type Endpoint, endpoints } from "../../src/contract/index.ts";
import { DOCUMENT_PATHS } from "../../src/http/answers/documents.ts";
import { type Lab, serve } from "../support/client.ts";

/** Every connection and datagram socket that is opened while this runs, by where it leads. */
async function opened(run: () => Promise<void>): Promise<string[]> {
  const sockets: Promise<string>[] = [];
  const onClient = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    sockets.push(
      new Promise((resolve) => {
        socket.once("lookup", (_error, address, _family, host) => resolve(`${host} ${address}`));
        socket.once("connect", () => resolve(`${socket.remoteAddress}:${socket.remotePort}`));
        socket.once("error", (error) => resolve(String(error)));
      }),
    );
  };
  const onDatagram = () => sockets.push(Promise.resolve("a datagram"));
  subscribe("net.client.socket", onClient);
  subscribe("udp.socket", onDatagram);
  try {
    await run();
    return await Promise.all(sockets);
  } finally {
    unsubscribe("net.client.socket", onClient);
    unsubscribe("udp.socket", onDatagram);
  }
}

/** Asks over one connection, so that whatever else is opened is the server's own doing. */
async function everyRoute({ url, base, key, sample }: Lab): Promise<number> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const ask = (method: string, path: string, body?: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        Connection: "keep-alive",
      };
      const sent = request(base + path, { method, headers, createConnection: () => socket }, (answer) => {
        const done = () => resolve(answer.statusCode ?? 0);
        if (answer.headers["content-type"]?.startsWith("text/event-stream")) done();
        else answer.resume().once("end", done);
      });
      sent.on("error", reject).end(body);
    });
  const fill = (text: string) =>
    text.replace(/\{(\w+Id)\}/g, (_, name: string) => sample[name as keyof typeof sample] ?? "x_none");
  let answered = 0;
  // What is deleted, others ask for; what goes on has the connection for itself.
  const place = ({ method, isStream = false }: Endpoint) =>
    Number(method === "DELETE") + 2 * Number(isStream);
  for (const path of DOCUMENT_PATHS) assert.equal(await ask("GET", path), 200);
  for (const row of endpoints.toSorted((a, b) => place(a) - place(b))) {
    const query = new URLSearchParams(row.example.query).toString();
    const body = Object.values(bodies(row))[0];
    const status = await ask(
      row.method,
      fill(row.path) + (query && `?${query}`),
      body === undefined ? undefined : fill(JSON.stringify(body)),
    );
    assert.ok(status < 500, `${row.method} ${row.path}: ${status}`);
    if (status < 300) answered++;
  }
  socket.destroy();
  return answered;
}

it("a server that answers every route opens no connection", async (t) => {
  const lab = await serve(t);
  const { port } = new URL(lab.url);
  let answered = 0;
  const seen = await opened(async () => {
    answered = await everyRoute(lab);
  });
  assert.ok(
    answered > endpoints.length / 2,
    `${answered} of ${endpoints.length} routes did what they are for`,
  );
  assert.deepEqual(seen, [`127.0.0.1:${port}`]);
});

it("one that is opened is seen", async () => {
  const seen = await opened(
    () => new Promise((resolve) => connect(1, "127.0.0.1").once("error", () => resolve())),
  );
  assert.equal(seen.length, 1);
});
