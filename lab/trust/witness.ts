import http from "node:http";
import { rssOf } from "./measured-server.ts";

/** What the other client has seen since it was last asked; times in milliseconds. */
export interface Seen {
  answers: number;
  medianMs: number;
  worstReadMs: number;
  worstWriteMs: number;
  /** Refused and failed requests, each as its status and error. */
  failures: string[];
  /** The most memory that the server and its helpers had, in MiB. */
  peakMib: number;
}

// The other client, in a process of its own: every 10 ms it reads a chapter of another book and saves one of its paragraphs.
const { url, key, pid, chapterId, blockId } = JSON.parse(process.argv[2] ?? "") as Record<string, string>;
const EVERY_MS = 10;
const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
const headers = { Authorization: `Bearer ${key}` };
let reads: number[] = [];
let writes: number[] = [];
let failures: string[] = [];
let peakMib = 0;

function timed(method: string, path: string, body?: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve) => {
    const fail = (what: string) => {
      failures.push(`${method} ${what}`);
      resolve(performance.now() - start);
    };
    const type = body === undefined ? {} : { "Content-Type": "application/json" };
    const request = http.request(
      `${url}/api/v1${path}`,
      { method, agent, headers: { ...headers, ...type } },
      (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => {
          if (response.statusCode === 200) resolve(performance.now() - start);
          else fail(`${response.statusCode} ${text.slice(0, 100)}`);
        });
      },
    );
    request.on("error", (error) => fail(error.message));
    request.end(body);
  });
}

async function every(times: () => number[], once: (count: number) => Promise<number>): Promise<never> {
  for (let count = 0; ; count++) {
    const took = await once(count);
    times().push(took);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, EVERY_MS - took)));
  }
}

void every(
  () => reads,
  () => timed("GET", `/chapters/${chapterId}`),
);
void every(
  () => writes,
  (count) =>
    timed(
      "PATCH",
      `/chapters/${chapterId}/paragraphs/${blockId}`,
      JSON.stringify({ markdown: `Save ${count}.` }),
    ),
);
setInterval(() => {
  peakMib = Math.max(peakMib, rssOf(Number(pid)));
}, 25);
process.on("message", () => {
  const all = [...reads, ...writes].sort((a, b) => a - b);
  const seen: Seen = {
    answers: all.length,
    medianMs: all[Math.floor(all.length / 2)] ?? 0,
    worstReadMs: Math.max(0, ...reads),
    worstWriteMs: Math.max(0, ...writes),
    failures,
    peakMib,
  };
  reads = [];
  writes = [];
  failures = [];
  peakMib = 0;
  process.send?.(seen);
});
