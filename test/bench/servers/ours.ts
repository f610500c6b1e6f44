import { startServer } from "../../../src/http/server.ts";
import { openManuscript } from "../../../src/service/manuscript.ts";
import { countCpu } from "./cpu.ts";

// The whole server, as `serve` starts it.
const [file = ""] = process.argv.slice(2);
const manuscript = openManuscript(file, { busyTimeoutMs: 0, idleCheckpointMs: 1000 });
const { url } = await startServer({ host: "127.0.0.1", port: 0, manuscripts: [manuscript] });
countCpu(url);
