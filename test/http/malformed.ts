import { END } from "./raw.ts";

/** What is written to a connection, and the answers to it: each the one error body, unless its status is below 400. */
export interface Malformed {
  what: string;
  /** `{key}` is a good key, `{port}` the server's. Several are several writes. */
  sent: string | readonly string[];
  /** The statuses of the answers in their order; 100 is leave to send a body. */
  statuses: readonly number[];
}

const AT = "/api/v1/books";
const PROSE = "/api/v1/chapters/ch_none/prose";
const HOST = "Host: 127.0.0.1:{port}";
const KEY = "Authorization: Bearer {key}";
const CLOSE = "Connection: close";

function lines(...all: readonly string[]): string {
  return `${all.join("\r\n")}\r\n\r\n`;
}

/** A request with a good Host and key that asks for its connection to be closed. */
function request(start: string, ...headers: readonly string[]): string {
  return lines(`${start} HTTP/1.1`, HOST, KEY, CLOSE, ...headers);
}

const put = (...headers: readonly string[]) =>
  request(`PUT ${PROSE}`, "Content-Type: text/markdown", ...headers);
const chunked = (body: string) => put("Transfer-Encoding: chunked") + body;
const good = request(`GET ${AT}`);
const next = lines(`GET ${AT} HTTP/1.1`, HOST, KEY);
const MIB = 1024 * 1024;

const garbage: readonly (readonly [what: string, sent: string])[] = [
  ["no HTTP", "hello\r\n\r\n"],
  ["a blank, then nothing of HTTP", " GET / HTTP/1.1\r\n\r\n"],
  ["the beginning of TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
  ["NUL bytes", "\0\0\0\0\0\0\0\0"],
  ["bytes above 127", "\xff\xfe\xfd\r\n\r\n"],
  ["the preface of HTTP 2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["a version that there is none of", lines(`GET ${AT} HTTP/9.9`, HOST)],
  ["a version without a number", lines(`GET ${AT} HTTP/x`, HOST)],
  ["another protocol", lines("OPTIONS sip:a@b SIP/2.0", HOST)],
  ["an unknown method", lines(`FROB ${AT} HTTP/1.1`, HOST)],
  ["a method in small letters", lines(`get ${AT} HTTP/1.1`, HOST)],
  ["a method without an end", "A".repeat(20_000)],
  ["a target with a blank", lines("GET /a b HTTP/1.1", HOST)],
  ["a target with NUL", lines("GET /a\0b HTTP/1.1", HOST)],
  ["a target that begins with nothing", lines("GET books HTTP/1.1", HOST)],
  ["a header without a colon", lines(`GET ${AT} HTTP/1.1`, HOST, "nonsense")],
  ["a header without a name", lines(`GET ${AT} HTTP/1.1`, HOST, ": x")],
  ["a blank before the colon", lines(`GET ${AT} HTTP/1.1`, HOST, "X : y")],
  ["NUL in a header", lines(`GET ${AT} HTTP/1.1`, HOST, "X: a\0b")],
  ["a carriage return in a header", lines(`GET ${AT} HTTP/1.1`, HOST, "X: a\rb")],
  ["a folded first header", `GET ${AT} HTTP/1.1\r\n ${HOST}\r\n\r\n`],
  ["a negative length", put("Content-Length: -1")],
  ["a length that is no number", put("Content-Length: five")],
  ["a length in hexadecimal", put("Content-Length: 0x5")],
  ["a length beyond all numbers", put(`Content-Length: ${"9".repeat(40)}`)],
  ["a length with a sign", put("Content-Length: +5")],
  ["two lengths", put("Content-Length: 5", "Content-Length: 6")],
  ["two lengths in one", put("Content-Length: 5, 6")],
  ["a length and chunks", `${put("Content-Length: 5", "Transfer-Encoding: chunked")}0\r\n\r\n`],
  ["a chunk of a size that is none", chunked("zz\r\nhello\r\n0\r\n\r\n")],
  ["a chunk of negative size", chunked("-5\r\nhello\r\n0\r\n\r\n")],
  ["a chunk beyond all numbers", chunked(`${"f".repeat(40)}\r\nhello\r\n0\r\n\r\n`)],
  ["a chunk longer than its size", chunked("2\r\nhello\r\n0\r\n\r\n")],
  ["a chunk without its end", chunked("5\r\nhelloX0\r\n\r\n")],
  ["an unknown coding", put("Transfer-Encoding: gzip")],
  ["chunks that are not last", put("Transfer-Encoding: chunked, gzip")],
  ["a proxy's question", lines("CONNECT attacker.test:443 HTTP/1.1", "Host: attacker.test:443")],
  ["the same of this machine", lines("CONNECT 127.0.0.1:{port} HTTP/1.1", HOST)],
  ["the same without a port", lines("CONNECT 127.0.0.1 HTTP/1.1", HOST)],
];

const read: readonly (readonly [what: string, sent: string | readonly string[], ...statuses: number[]])[] = [
  ["a header of 20,000 letters", lines(`GET ${AT} HTTP/1.1`, HOST, `X: ${"x".repeat(20_000)}`), 431],
  ["20,000 headers", lines(`GET ${AT} HTTP/1.1`, HOST, ...Array<string>(20_000).fill("X: y")), 431],
  ["a target of 20,000 letters", lines(`GET /${"x".repeat(20_000)} HTTP/1.1`, HOST), 431],
  ["a whole address that is none", lines("GET http://[ HTTP/1.1", HOST, CLOSE), 400],
  ["a whole address without a host", lines("GET http:/// HTTP/1.1", HOST, CLOSE), 400],
  ["a whole address of no scheme of ours", lines("GET file:///etc/passwd HTTP/1.1", HOST, CLOSE), 403],
  ["a target that Express cannot take apart", request("GET //[#?"), 404],
  ["a target of backslashes", request("GET /\\\\..\\x"), 404],
  ["broken percent-encoding", request("GET /api/v1/books/%zz"), 400],
  ["broken UTF-8 in a target", request("GET /api/v1/books/%ff%fe"), 400],
  ["NUL in an id", request("GET /api/v1/books/%00"), 404],
  ["a target of dots", request("GET /api/v1/../../etc/passwd"), 404],
  ["the target *", request("GET *"), 404],
  ["a question about all", request("OPTIONS *"), 404],
  ["TRACE", request(`TRACE ${AT}`), 405],
  ["a method of WebDAV", request(`PROPFIND ${AT}`), 405],
  ["HTTP 0.9", `GET ${AT}\r\n\r\n`, 403],
  ["no Host", lines(`GET ${AT} HTTP/1.1`, KEY, CLOSE), 403],
  ["two Hosts", lines(`GET ${AT} HTTP/1.1`, HOST, HOST, KEY, CLOSE), 400],
  ["two keys", request(`GET ${AT}`, KEY), 200],
  ["a folded header", `GET ${AT} HTTP/1.1\r\n${HOST}\r\n${CLOSE}\r\nX: a\r\n b\r\n\r\n`, 400],
  ["line feeds alone", `GET ${AT} HTTP/1.1\n${HOST}\n\n`, 400],
  ["gzip within chunks", `${put("Transfer-Encoding: gzip, chunked")}0\r\n\r\n`, 400],
  ["chunks twice", `${put("Transfer-Encoding: chunked, chunked")}0\r\n\r\n`, 400],
  ["a part of a body", `${put("Content-Range: bytes 0-4/9", "Content-Length: 5")}hello`, 400],
  ["a compressed body", `${put("Content-Encoding: gzip", "Content-Length: 5")}hello`, 415],
  ["a body for GET", `${request(`GET ${AT}`, "Content-Length: 5")}hello`, 200],
  ["a body that ends before its length", [`${put("Content-Length: 50")}hello`, END], 400],
  ["chunks that end before their end", [chunked("5\r\nhel"), END], 400],
  ["headers that end before their end", [`GET ${AT} HTTP/1.1\r\nHost`, END], 400],
  ["an upgrade", lines(`GET ${AT} HTTP/1.1`, HOST, KEY, "Connection: upgrade, close", "Upgrade: h2c"), 200],
  [
    "a WebSocket",
    lines(`GET ${AT} HTTP/1.1`, HOST, KEY, "Connection: Upgrade", "Upgrade: websocket", CLOSE),
    200,
  ],
  ["leave for too long a body", put("Expect: 100-continue", `Content-Length: ${5 * MIB}`), 413],
  [
    "leave without a key",
    lines(`PUT ${PROSE} HTTP/1.1`, HOST, "Expect: 100-continue", "Content-Length: 5"),
    401,
  ],
  ["leave for a body", `${put("Expect: 100-continue", "Content-Length: 5")}hello`, 100, 404],
  ["an unknown expectation", `${put("Expect: cake", "Content-Length: 5")}hello`, 404],
  ["too long a body, all of it", `${put(`Content-Length: ${4 * MIB + 1}`)}${"x".repeat(4 * MIB + 1)}`, 413],
  [
    "too long a body without a length",
    chunked(`${(4 * MIB + 1).toString(16)}\r\n${"x".repeat(4 * MIB + 1)}\r\n0\r\n\r\n`),
    413,
  ],
  [
    "a long body without a key",
    `${lines(`PUT ${PROSE} HTTP/1.1`, HOST, CLOSE, `Content-Length: ${2 * MIB}`)}${"x".repeat(2 * MIB)}`,
    401,
  ],
  ["a good one, then garbage", `${next}hello\r\n\r\n`, 200, 400],
  ["three at once", next + next + good, 200, 200, 200],
  ["a refused one, a good one at once", lines(`GET ${AT} HTTP/1.1`, HOST) + good, 401, 200],
  [
    "a body nobody reads, a good one behind",
    `${lines(`GET ${AT} HTTP/1.1`, HOST, KEY, "Content-Length: 5")}hello${good}`,
    200,
    200,
  ],
  ["one that is cut in the middle", [`GET ${AT} HT`, `TP/1.1\r\n${HOST}\r\n${KEY}\r\n${CLOSE}\r\n\r\n`], 200],
  ["trailers", chunked("5\r\nhello\r\n0\r\nX: y\r\n\r\n"), 404],
  ["extensions of a chunk", chunked("5;a=b\r\nhello\r\n0\r\n\r\n"), 404],
];

/** Over sixty ways to write what no client means to write; each is answered, in JSON, and the connection is closed. */
export const MALFORMED: readonly Malformed[] = [
  ...garbage.map(([what, sent]) => ({ what, sent, statuses: [400] })),
  ...read.map(([what, sent, ...statuses]) => ({ what, sent, statuses })),
];
