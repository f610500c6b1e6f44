import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, it } from "node:test";
import { createApp } from "../../src/http/app.ts";
import { hostName, webOrigin } from "../../src/http/hosts.ts";
import { startServer } from "../../src/http/server.ts";
import { createKey } from "../../src/service/account/keys.ts";
import { withSample } from "../support/sample.ts";
import { suite } from "../support/sandbox.ts";
import { exchange } from "./raw.ts";

const scope = suite();
after(scope.end);
const FRIEND = "https://editor.example";
const lab = { url: "", open: "", key: "", reached: 0, log: [] as string[] };

before(async () => {
  const { own } = withSample(scope);
  lab.key = createKey(own, {}).key;
  const options = { host: "127.0.0.1", port: 0, manuscripts: [own], log: "line" as const };
  const server = await startServer({ ...options, write: (line) => lab.log.push(line) });
  const open = await startServer({ ...options, log: "off", cors: [FRIEND], allowHosts: ["Book.Local"] });
  scope.after(() => Promise.all([server.close(), open.close()]).then(() => {}));
  lab.url = server.url;
  lab.open = open.url;
});

/** A whole request with the right key; `{port}` is the server's. */
function head(url: string, target: string, headers: readonly string[]): string {
  const [method, path] = target.includes(" ") ? target.split(" ") : ["GET", target];
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...headers,
    `Authorization: Bearer ${lab.key}`,
    "Connection: close",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`.replaceAll("{port}", new URL(url).port);
}

async function ask(url: string, target: string, headers: readonly string[]) {
  const { answers, rest } = await exchange(url, head(url, target, headers));
  assert.deepEqual([answers.length, rest], [1, ""]);
  return answers[0]!; // there is one
}

const HERE = "Host: 127.0.0.1:{port}";
const BOOKS = "/api/v1/books";

/** What no page may do: each with a good key, so that nothing else is in its way. `[what, target, headers, status]` */
const REFUSED: readonly [what: string, target: string, headers: readonly string[], status?: number][] = [
  ["a name rebound to this machine", BOOKS, ["Host: attacker.test:{port}"]],
  ["the same for a document", "/docs", ["Host: attacker.test:{port}"]],
  ["the same for the guide", "/", ["Host: attacker.test:{port}"]],
  ["a name that begins like ours", BOOKS, ["Host: localhost.attacker.test:{port}"]],
  ["a name that ends like ours", BOOKS, ["Host: attacker.localhost:{port}"]],
  ["an address within a name", BOOKS, ["Host: 127.0.0.1.nip.io:{port}"]],
  ["a trailing dot", BOOKS, ["Host: localhost.:{port}"]],
  ["an address with a trailing dot", BOOKS, ["Host: 127.0.0.1.:{port}"]],
  ["a decimal address", BOOKS, ["Host: 2130706433:{port}"]],
  ["an octal address", BOOKS, ["Host: 0177.0.0.1:{port}"]],
  ["a hexadecimal address", BOOKS, ["Host: 0x7f.0.0.1:{port}"]],
  ["a short address", BOOKS, ["Host: 127.1:{port}"]],
  ["the address of any", BOOKS, ["Host: 0.0.0.0:{port}"]],
  ["another loopback address", BOOKS, ["Host: 127.0.0.2:{port}"]],
  ["IPv4 within IPv6", BOOKS, ["Host: [::ffff:127.0.0.1]:{port}"]],
  ["the same in hexadecimal", BOOKS, ["Host: [::ffff:7f00:1]:{port}"]],
  ["any of IPv6", BOOKS, ["Host: [::]:{port}"]],
  ["IPv6 without brackets", BOOKS, ["Host: ::1"]],
  ["IPv6 written out", BOOKS, ["Host: [0:0:0:0:0:0:0:1]:{port}"]],
  ["userinfo", BOOKS, ["Host: attacker@127.0.0.1:{port}"]],
  ["our own name as userinfo", BOOKS, ["Host: 127.0.0.1@attacker.test:{port}"]],
  ["a path in the Host", BOOKS, ["Host: 127.0.0.1:{port}/x"]],
  ["a port that is none", BOOKS, ["Host: 127.0.0.1:http"]],
  ["two ports", BOOKS, ["Host: 127.0.0.1:1:{port}"]],
  ["an empty Host", BOOKS, ["Host:"]],
  ["no Host", BOOKS, []],
  ["two Hosts, ours first", BOOKS, [HERE, "Host: attacker.test"], 400],
  ["two Hosts, ours last", BOOKS, ["Host: attacker.test", HERE], 400],
  ["the same Host twice", BOOKS, [HERE, HERE], 400],
  ["two Hosts in one", BOOKS, ["Host: 127.0.0.1:{port}, attacker.test"]],
  ["a foreign address, a good Host", `http://attacker.test${BOOKS}`, [HERE]],
  ["a decimal address as target", `http://2130706433:{port}${BOOKS}`, [HERE]],
  ["a target with userinfo", `http://x@127.0.0.1:{port}${BOOKS}`, [HERE]],
  ["a target of another scheme", `ftp://127.0.0.1${BOOKS}`, [HERE]],
  ["another site's Origin", BOOKS, [HERE, "Origin: https://attacker.test"]],
  ["another port's Origin", BOOKS, [HERE, "Origin: http://127.0.0.1:1"]],
  ["our Origin without its port", BOOKS, [HERE, "Origin: http://127.0.0.1"]],
  ["our other name's Origin", BOOKS, [HERE, "Origin: http://localhost:{port}"]],
  ["an Origin with userinfo", BOOKS, [HERE, "Origin: http://x@127.0.0.1:{port}"]],
  ["an Origin with a path", BOOKS, [HERE, "Origin: http://127.0.0.1:{port}/"]],
  ["an Origin of another scheme", BOOKS, [HERE, "Origin: chrome-extension://127.0.0.1:{port}"]],
  ["a sandboxed page", BOOKS, [HERE, "Origin: null"]],
  ["an empty Origin", BOOKS, [HERE, "Origin:"]],
  [
    "two Origins, ours first",
    BOOKS,
    [HERE, "Origin: http://127.0.0.1:{port}", "Origin: https://attacker.test"],
  ],
  [
    "a form of another site",
    `POST ${BOOKS}`,
    [HERE, "Origin: https://attacker.test", "Content-Type: text/plain"],
  ],
  ["a link on another site", "/docs", [HERE, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]],
  ["a picture on another site", BOOKS, [HERE, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: image"]],
  ["a page on another port", BOOKS, [HERE, "Sec-Fetch-Site: same-site"]],
  ["two words about the site", BOOKS, [HERE, "Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site"]],
  ["a site that is none of them", BOOKS, [HERE, "Sec-Fetch-Site: sibling"]],
  [
    "a question before a request",
    `OPTIONS ${BOOKS}`,
    [HERE, "Origin: https://attacker.test", "Access-Control-Request-Method: GET"],
  ],
  [
    "a WebSocket of another site",
    BOOKS,
    [
      HERE,
      "Origin: https://attacker.test",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ],
  ],
  [
    "a WebSocket of a rebound name",
    BOOKS,
    ["Host: attacker.test", "Connection: Upgrade", "Upgrade: websocket"],
  ],
];

describe("what a web page can send", () => {
  for (const [what, target, headers, status = 403] of REFUSED) {
    it(`${what} is refused before anything runs`, async () => {
      lab.log.length = 0;
      const answer = await ask(lab.url, target, headers);
      assert.equal(answer.status, status, answer.body);
      const { error } = JSON.parse(answer.body);
      assert.equal(error, status === 403 ? "forbidden_origin" : "bad_request");
      assert.ok(!Object.keys(answer.headers).some((name) => name.startsWith("access-control-")));
      assert.match(lab.log.join(""), /^\w+ - 4\d\d /, "the log names a route");
    });
  }

  it("is refused before a key is looked at", async () => {
    const { own } = withSample(scope);
    let asked = 0;
    const authenticate = () => {
      asked++;
      return { manuscript: own, keyId: null, allow: ["read"] as const, isOwner: false };
    };
    const server = createServer(
      { requireHostHeader: false },
      createApp({ manuscripts: [own], authenticate }),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    for (const [, target, headers] of REFUSED.filter(([, path]) => path.startsWith("/")))
      await ask(url, target, headers);
    assert.equal(asked, 0);
    await ask(url, BOOKS, [HERE]);
    assert.equal(asked, 1, "a program's own request comes that far");
    await new Promise((resolve) => server.close(resolve));
  });

  it("says nothing about what a program sends, or a page of our own", async () => {
    for (const headers of [
      [HERE],
      ["Host: LocalHost:{port}"],
      ["Host: [::1]:{port}"],
      ["Host: 127.0.0.1"],
      ["Host: localhost:99"],
      [HERE, "Origin: http://127.0.0.1:{port}", "Sec-Fetch-Site: same-origin"],
      [HERE, "Origin: https://127.0.0.1:{port}"], // behind a program that adds TLS
      [HERE, "Sec-Fetch-Site: none"],
      [HERE, "X-Forwarded-For: host", "Accept: host", "Accept: Host"], // Host as a value is no other Host
    ])
      assert.equal((await ask(lab.url, BOOKS, headers)).status, 200, headers.join());
  });
});

describe("a visit from elsewhere", () => {
  const visit = (site: string, mode = "navigate", dest = "document") => [
    HERE,
    `Sec-Fetch-Site: ${site}`,
    `Sec-Fetch-Mode: ${mode}`,
    `Sec-Fetch-Dest: ${dest}`,
    "Accept: text/html",
  ];

  it("reaches the page's empty shell", async () => {
    for (const site of ["cross-site", "same-site"])
      for (const path of ["/", "/open", "/settings", "/b/bk_none", "/b/bk_none/c/ch_none?r=1"]) {
        const answer = await ask(lab.url, path, visit(site));
        assert.equal(answer.status, 200, path);
        assert.doesNotMatch(answer.body, /Ferry/);
        const { headers } = answer;
        assert.deepEqual(
          [
            headers["cross-origin-opener-policy"],
            headers["cross-origin-resource-policy"],
            headers["referrer-policy"],
            headers["cache-control"],
            headers["x-content-type-options"],
          ],
          ["same-origin", "same-origin", "no-referrer", "no-store", "nosniff"],
        );
      }
  });

  it("reaches nothing else, and nothing but a whole tab of its own reaches the shell", async () => {
    const other = ["iframe", "frame", "embed", "object", "image", "script", "style", "empty", "worker"];
    const refused: [target: string, headers: readonly string[]][] = [
      ...[
        "/docs",
        "/openapi.json",
        "/llms.txt",
        BOOKS,
        "/b/",
        "/b",
        "/opens",
        "/assets/icon.svg",
        "//open",
      ].map((target): [string, string[]] => [target, visit("cross-site")]),
      ...other.map((dest): [string, string[]] => ["/", visit("cross-site", "navigate", dest)]),
      ...["cors", "no-cors", "websocket", "same-origin"].map((mode): [string, string[]] => [
        "/open",
        visit("same-site", mode),
      ]),
      ["POST /", visit("cross-site")],
      ["/", [...visit("cross-site"), "Origin: https://attacker.test"]],
      ["/", visit("cross-site").map((line) => (line === HERE ? "Host: attacker.test:{port}" : line))],
      ["/", [HERE, "Sec-Fetch-Site: cross-site"]],
    ];
    for (const [target, headers] of refused)
      assert.equal((await ask(lab.url, target, headers)).status, 403, `${target} ${headers}`);
  });
});

describe("--cors", () => {
  const friend = [HERE, `Origin: ${FRIEND}`, "Sec-Fetch-Site: cross-site"];

  it("lets the pages of that origin ask and read, and no other's", async () => {
    const answer = await ask(lab.open, BOOKS, friend);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers["access-control-allow-origin"], FRIEND);
    assert.equal(answer.headers.vary, "Origin");
    assert.equal(answer.headers["access-control-allow-credentials"], undefined);
    for (const name of ["ETag", "X-Request-Id", "X-Credits-Cost", "X-Credits-Remaining", "X-AI-Engine"])
      assert.ok(answer.headers["access-control-expose-headers"]?.split(", ").includes(name), name);
    for (const origin of [
      "http://editor.example",
      `${FRIEND}:444`,
      `${FRIEND}.test`,
      `${FRIEND}/`,
      "HTTPS://EDITOR.EXAMPLE",
    ]) {
      const refused = await ask(lab.open, BOOKS, [HERE, `Origin: ${origin}`]);
      assert.deepEqual([refused.status, refused.headers.vary], [403, "Origin"], origin);
      assert.equal(refused.headers["access-control-allow-origin"], undefined);
    }
  });

  it("needs the Host to be ours, and a picture on that page is none of its questions", async () => {
    assert.equal((await ask(lab.open, BOOKS, ["Host: attacker.test", `Origin: ${FRIEND}`])).status, 403);
    assert.equal((await ask(lab.open, BOOKS, [HERE, "Sec-Fetch-Site: cross-site"])).status, 403);
    assert.equal((await ask(lab.open, BOOKS, ["Host: book.local", `Origin: ${FRIEND}`])).status, 200);
  });

  it("answers the question before a request, and a refusal can be read, too", async () => {
    const question = [
      ...friend,
      "Access-Control-Request-Method: PUT",
      "Access-Control-Request-Headers: authorization,if-match",
    ];
    const leave = await ask(lab.open, `OPTIONS ${BOOKS}`, question);
    assert.deepEqual([leave.status, leave.body], [204, ""]);
    assert.match(leave.headers["access-control-allow-methods"] ?? "", /\bPUT\b.*\bPATCH\b.*\bDELETE\b/);
    assert.match(leave.headers["access-control-allow-headers"] ?? "", /Authorization.*If-Match/);
    const missing = await ask(lab.open, "/api/v1/books/bk_none", friend);
    assert.deepEqual([missing.status, missing.headers["access-control-allow-origin"]], [404, FRIEND]);
  });

  it("keeps what else an answer varies by", async () => {
    assert.equal((await ask(lab.open, "/", friend)).headers.vary, "Accept, Origin");
    assert.equal((await ask(lab.url, "/", [HERE])).headers.vary, "Accept");
  });

  it("takes an origin as browsers write it, and says what is wrong with anything else", () => {
    for (const origin of [
      FRIEND,
      "http://localhost:5173",
      "http://[::1]:8000",
      "app://obsidian.md",
      "moz-extension://8ce1-2f",
    ])
      assert.equal(webOrigin(origin), origin);
    for (const [origin, why] of [
      ["*", /wildcard/],
      ["https://*.example", /wildcard/],
      ["null", /sandboxed/],
      ["", /blank/],
      ["editor.example", /scheme/],
      ["localhost:5173", /scheme/],
      ["https://", /host/],
      ["https://editor.example/", /leave out \/\./],
      ["https://editor.example/write?x#y", /leave out \/write\?x#y/],
      ["https://me@editor.example", /leave out @|scheme and a host/],
      ["https://editor.example:443", /browsers write it https:\/\/editor\.example\./],
      ["https://Editor.example", /browsers write it https:\/\/editor\.example\./],
      ["https://bücher.example", /browsers write it https:\/\/xn--bcher-kva\.example\./],
      ["http://127.1", /browsers write it http:\/\/127\.0\.0\.1\./],
      ["https://a.example,https://b.example", /leave out|scheme/],
    ] as const)
      assert.throws(() => webOrigin(origin), why, origin);
  });
});

it("--allow-host takes a name or an address, and says what is too much", () => {
  for (const [given, name] of [
    ["Book.Local", "book.local"],
    ["192.168.1.5", "192.168.1.5"],
    ["fe80::1", "[fe80::1]"],
    ["[FE80::1]", "[fe80::1]"],
    ["bücher.local", "xn--bcher-kva.local"],
    ["my_box", "my_box"],
  ] as const)
    assert.equal(hostName(given), name);
  for (const [given, why] of [
    ["", /blank/],
    [" ", /blank/],
    ["*", /wildcard/],
    ["*.local", /wildcard/],
    ["http://x", /scheme/],
    ["x:80", /port/],
    ["[::1]:80", /port/],
    ["x/y", /no name/],
    ["a@b", /no name/],
    ["a b", /no name/],
    ["a..b", /no name/],
  ] as const)
    assert.throws(() => hostName(given), why, given);
});
