import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { startServer } from "../../../src/http/server.ts";
import { changeAccount } from "../../../src/service/account/account.ts";
import { createKey } from "../../../src/service/account/keys.ts";
import { openManuscript } from "../../../src/service/manuscript.ts";
import { writeSample } from "../../support/sample.ts";
import { embedded } from "./answers.ts";

// Under --expose-gc, with the path of a new manuscript: asks a model that never answers, while memory is collected all the
// time, and prints who answered in its place, call by call.
const [path = "", timeoutSeconds = "0.2", calls = "4"] = process.argv.slice(2);
const hanging = new Set<ServerResponse>();
const model = createServer((_request, response) => hanging.add(response));
await new Promise<void>((listens) => model.listen(0, "127.0.0.1", listens));
const own = openManuscript(path, { create: true, reader: embedded });
const { chapterId } = writeSample(own);
const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
changeAccount(own, { llm: { url, model: "fake", timeoutSeconds: Number(timeoutSeconds) } });
const { key } = createKey(own, {});
const server = await startServer({ host: "127.0.0.1", port: 0, manuscripts: [own] });
const collecting = setInterval(() => globalThis.gc?.(), 5);
const headers = { Authorization: `Bearer ${key}` };
const engines = await Promise.all(
  Array.from({ length: Number(calls) }, async () => {
    const answer = await fetch(`${server.url}/api/v1/chapters/${chapterId}/synopsis`, {
      method: "POST",
      headers,
    });
    return answer.headers.get("x-ai-engine");
  }),
);
clearInterval(collecting);
console.log(engines.join("\n"));
process.exit(0);
