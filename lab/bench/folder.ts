import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countWords } from "../../src/text/count-words.ts";
import { median, report } from "./report.ts";

// A million words in a hundred chapters, in whole processes: taking them in, and writing them out again.
const WORDS = 1_000_000;
const CHAPTERS = 100;
const ROUNDS = 3;
const root = join(import.meta.dirname, "../..");
const bin = join(root, "bin/manuscript.js");
const place = mkdtempSync(join(tmpdir(), "manuscript-bench-"));
const at = (...names: string[]) => join(place, ...names);

/** Real prose where there is any: every chapter of the corpus, else of the sample novel. */
function proseOf(corpus: string | undefined): string[] {
  const folders =
    corpus !== undefined && existsSync(corpus)
      ? readdirSync(corpus, { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => join(corpus, name))
      : [join(root, "fixtures/novel")];
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => /^\d.*\.md$/.test(file))
      .map((file) => readFileSync(join(folder, file), "utf8")),
  );
}

/** Writes the chapters and gives how many words they hold. */
function writeNovel(folder: string): number {
  const prose = proseOf(process.env.MANUSCRIPT_CORPUS);
  mkdirSync(folder);
  let [next, total] = [0, 0];
  for (let chapter = 1; chapter <= CHAPTERS; chapter++) {
    const parts: string[] = [];
    for (let words = 0; words < WORDS / CHAPTERS; next++) {
      const part = prose[next % prose.length]!; // there is some
      parts.push(part);
      words += countWords(part);
    }
    const text = parts.join("\n\n");
    total += countWords(text);
    writeFileSync(join(folder, `${String(chapter).padStart(3, "0")}-c.md`), text);
  }
  return total;
}

// Prints what a whole process used, when it ends, into the file that the environment names.
const hook = at("usage.cjs");
writeFileSync(
  hook,
  "process.on('exit',()=>{const {user,system}=process.cpuUsage();require('fs').writeFileSync(process.env.USAGE,String((user+system)/1000))});",
);

function run(program: string, args: readonly string[]): { wall: number; cpu: number } {
  const usage = at("usage");
  rmSync(usage, { force: true });
  const env = { ...process.env, NODE_OPTIONS: `--require=${hook}`, USAGE: usage };
  const started = performance.now();
  const { status, stderr } = spawnSync(program, [...args], { encoding: "utf8", env, maxBuffer: 1e9 });
  const wall = performance.now() - started;
  if (status !== 0) throw new Error(`${program} ${args.slice(0, 3).join(" ")} failed: ${stderr}`);
  return { wall, cpu: existsSync(usage) ? Number(readFileSync(usage, "utf8")) : Number.NaN };
}

const node = (...args: string[]) => run(process.execPath, args);
const words = writeNovel(at("novel"));
const parser = JSON.stringify(join(root, "node_modules/markdown-it"));
const parse = `const fs=require('fs');const d=${JSON.stringify(at("novel"))};const md=require(${parser})('commonmark');for(const f of fs.readdirSync(d))md.parse(fs.readFileSync(d+'/'+f,'utf8'),{});`;
const name = Number(process.versions.napi) >= 10 ? "better-sqlite3" : "better-sqlite3-node20";
const sqlite = join(root, "node_modules", name);
const hasPandoc = spawnSync("pandoc", ["--version"]).status === 0;

// What any export by Node must do: each chapter's text out of SQLite as bytes, and into a file; nothing is checked or synced.
const reading = (file: string, out: string) =>
  `const fs=require('fs');const D=require(${JSON.stringify(sqlite)});const db=new D(${JSON.stringify(file)},{readonly:true});fs.mkdirSync(${JSON.stringify(out)});let n=0;for(const text of db.prepare("SELECT CAST(c.head||(SELECT group_concat(b.source||b.gap,'') FROM (SELECT * FROM blocks WHERE chapter_id=c.id ORDER BY rank,id) b) AS BLOB) FROM chapters c ORDER BY rank").pluck().iterate())fs.writeFileSync(${JSON.stringify(out)}+'/'+n++,text);`;

const names = [
  "bare",
  "parse",
  "import",
  "pandoc",
  "start",
  "same",
  "export",
  "floor",
  "again",
  "copy",
  "sync",
] as const;
const seen = Object.fromEntries(names.map((name) => [name, { wall: [], cpu: [] }])) as unknown as Record<
  (typeof names)[number],
  { wall: number[]; cpu: number[] }
>;
for (let round = 0; round < ROUNDS; round++) {
  const file = at(`${round}.manuscript`);
  const note = (name: (typeof names)[number], { wall, cpu }: { wall: number; cpu: number }) => {
    seen[name].wall.push(wall);
    seen[name].cpu.push(cpu);
  };
  node(bin, "init", file);
  note("parse", node("-e", parse));
  note("import", node(bin, "import", at("novel"), "--file", file));
  note("bare", node("-e", "0"));
  note("start", node(bin, "books", "--file", file));
  const out = at(`out${round}`);
  note("export", node(bin, "export", "-o", out, "--file", file));
  note("again", node(bin, "export", "-o", out, "--file", file));
  note("floor", node("-e", reading(file, at(`floor${round}`))));
  note("copy", run("cp", ["-r", out, at(`copy${round}`)]));
  note("same", node(bin, "import", out, "--exit-code", "--file", file));
  node(bin, "sync", out, "--file", file);
  note("sync", node(bin, "sync", out, "--file", file));
}
if (hasPandoc)
  seen.pandoc.wall.push(
    run("sh", ["-c", `pandoc -f commonmark -t native ${at("novel")}/*.md > ${at("native")}`]).wall,
  );
rmSync(place, { recursive: true });

const wall = (name: (typeof names)[number]) => median(seen[name].wall);
const cpu = (name: (typeof names)[number]) => median(seen[name].cpu);
const share = cpu("import") / cpu("parse");
const room = wall("export") / (2.5 * wall("copy") + wall("bare"));
const work = (name: "export" | "floor") => cpu(name) - cpu("bare");
const HOW = `\`cp -r\` proves nothing and syncs nothing. \`manuscript export\` proves every block by its hash before a byte of it is written,
looks at what stands in the folder, writes each file beside its place, syncs it and renames it there, and notes what it wrote. Of its
CPU about a fifth is Node's own start, a tenth loading and opening, two fifths reading and proving, a fifth the YAML of a
hundred front matters, a tenth writing. A script of Node that reads the finished chapters and writes them without any of that
misses the bar as well.`;
report(
  `folder: ${words} words in ${CHAPTERS} chapters, whole processes, median of ${ROUNDS}`,
  [
    { what: "node reads the files, markdown-it parses them", value: cpu("parse"), unit: "ms CPU" },
    { what: "manuscript import", value: cpu("import"), unit: "ms CPU" },
    { what: "import ÷ markdown-it", value: share, unit: "×", bar: "≤ 3", met: share <= 3 },
    { what: "manuscript import", value: wall("import"), unit: "ms" },
    ...(hasPandoc
      ? [
          {
            what: "pandoc reads the same",
            value: wall("pandoc"),
            unit: "ms",
            bar: "slower than import",
            met: wall("pandoc") > wall("import"),
          },
        ]
      : []),
    { what: "import of the exported folder: all the same", value: wall("same"), unit: "ms" },
    { what: "sync of the exported folder: all the same", value: wall("sync"), unit: "ms" },
    { what: "manuscript export", value: wall("export"), unit: "ms" },
    { what: "cp -r", value: wall("copy"), unit: "ms" },
    { what: "start: manuscript books", value: wall("start"), unit: "ms" },
    { what: "start: node -e 0", value: wall("bare"), unit: "ms" },
    { what: "export ÷ (2.5 × cp -r + node -e 0)", value: room, unit: "×", bar: "≤ 1", met: room <= 1 },
    { what: "manuscript export", value: cpu("export"), unit: "ms CPU" },
    { what: "node reads each chapter from SQLite and writes it", value: cpu("floor"), unit: "ms CPU" },
    { what: "export ÷ that, both less node -e 0", value: work("export") / work("floor"), unit: "×" },
    { what: "export again, nothing edited", value: wall("again"), unit: "ms" },
  ],
  HOW,
);
