import http from "node:http";
import { openManuscript } from "../../../src/service/manuscript.ts";
import { readChapterBody } from "../../../src/store/rows/bodies.ts";
import { countCpu } from "./cpu.ts";

// The floor: node:http alone, the same statement, no key, no routing, no checks.
const [file = "", chapterId = ""] = process.argv.slice(2);
const { store } = openManuscript(file, { busyTimeoutMs: 0 });
const server = http.createServer((_request, response) => {
  const body = readChapterBody(store, chapterId, "text")?.body;
  response.writeHead(200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": body?.length ?? 0,
  });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  countCpu(typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "");
});
