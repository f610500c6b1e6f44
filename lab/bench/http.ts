import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeLibrary } from "./http/library.ts";
import { type Costs, type Ratio, ratioOf } from "./http/statistics.ts";
import { READS, type ServerName, tryServer, UNCHANGED } from "./http/trial.ts";
import { type Line, median, report } from "./report.ts";

// CPU a request of fresh server processes that take turns: a process settles on a fast or a slow compilation by chance, so
// repeating inside one says little. `MANUSCRIPT_BENCH_SERVERS=ours,floor` tries those alone.
const PROCESSES = Number(process.env.MANUSCRIPT_BENCH_PROCESSES ?? 5);
const REQUESTS = Number(process.env.MANUSCRIPT_BENCH_REQUESTS ?? 6000);
const SERVERS = (process.env.MANUSCRIPT_BENCH_SERVERS ?? "ours,anew,floor,fastify,express").split(
  ",",
) as ServerName[];
const NAMES: Readonly<Record<ServerName, string>> = {
  ours: "manuscript serve",
  anew: "manuscript serve --cache 0",
  floor: "floor",
  fastify: "fastify, typical",
  express: "Express, typical",
};
const HOW = `CPU of the server a request, all its threads, by the scheduler's account; the median of ${PROCESSES} fresh processes each, which take
turns forwards and backwards, asked for ${REQUESTS} of everything over ten connections after a warm-up. One book of 40 chapters, curly quotes
and dashes. \`floor\` is node:http, the same check of the key (SHA-256, a map) and one SQL statement that returns the finished body,
nothing else. \`fastify, typical\` and \`Express, typical\` read rows, make objects and return them, as their first pages show it
(\`express.json()\`, ETags and all). \`--cache 0\` keeps no answer: so much costs the first read after a write. All bodies are compared with ours byte for byte before a clock starts.`;

const folder = mkdtempSync(join(tmpdir(), "manuscript-bench-"));
const library = makeLibrary(join(folder, "bench.manuscript"));
// The floor twice, as if it were two servers: what they differ by is what chance does.
const twice: ServerName[] = SERVERS.includes("floor") ? [...SERVERS, "floor"] : SERVERS;
const bodies: Record<string, Buffer> = {};
const trials: Record<ServerName, Record<string, number>[]> = {
  ...{ ours: [], anew: [], floor: [], fastify: [], express: [] },
};
for (let round = 0; round < PROCESSES; round++) {
  const order = round % 2 === 0 ? twice : twice.toReversed();
  for (const name of order) trials[name].push(await tryServer(name, library, { requests: REQUESTS, bodies }));
}
rmSync(folder, { recursive: true });

const [first, second] = [0, 1].map((odd) => trials.floor.filter((_, at) => at % 2 === odd));
const costs: Record<ServerName, Costs> = { ...trials, floor: first! }; // there are two
report(`http: CPU of the server a request`, [...SERVERS.flatMap(told), ...ratios()], HOW);

function told(name: ServerName): Line[] {
  const own = costs[name];
  return Object.keys(own[0]!).map((what) => ({
    what: `${NAMES[name]}: ${describe(what)}`,
    value: median(own.map((cost) => cost[what]!)), // each was asked
    unit: "µs",
  }));
}

function describe(what: string): string {
  const body = bodies[what];
  return body === undefined ? what : `${what}, ${body.length} bytes`;
}

function ratios(): Line[] {
  const { ours, anew, floor, fastify, express } = costs;
  return [
    ...against("floor (the same again)", floor, second!, { reads: [READS] }), // as above
    ...against("ours", floor, ours, { reads: [READS, ...each(READS)] }),
    ...against("ours", fastify, ours, { name: "fastify", bar: 1.8, reads: [READS] }),
    ...against("ours", express, ours, { name: "Express", bar: 3, reads: [READS] }),
    ...against("ours", express, ours, { name: "Express", bar: 1, reads: each([...READS, ...UNCHANGED]) }),
    ...against("ours, --cache 0", fastify, anew, { name: "fastify", bar: 1, reads: [READS] }),
    ...against("ours, --cache 0", express, anew, { name: "Express", bar: 1.8, reads: [READS] }),
  ];
}

function each(reads: readonly string[]): string[][] {
  return reads.map((what) => [what]);
}

/** A line for each of these sets of requests; none if either server was not tried. */
function against(
  what: string,
  theirs: Costs,
  own: Costs,
  { name = "floor", bar, reads }: { name?: string; bar?: number; reads: readonly (readonly string[])[] },
): Line[] {
  if (theirs.length === 0 || own.length === 0) return [];
  return reads.map((set) => {
    const of = set.length === 1 ? set[0] : `geometric mean of ${set.join(", ")}`;
    return line(`${name} ÷ ${what}: ${of}`, ratioOf(theirs, own, set), bar);
  });
}

function line(what: string, { value, low, high }: Ratio, bar?: number): Line {
  const told = { what: `${what} (${low.toFixed(2)} to ${high.toFixed(2)})`, value, unit: "×" };
  return bar === undefined ? told : { ...told, bar: `≥ ${bar}`, met: value >= bar };
}
