import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, report } from "./report.ts";

// A whole novel, in whole processes: reading the files, parsing them with markdown-it alone, importing them.
const ROUNDS = 7;
const root = join(import.meta.dirname, "../..");
const corpus = process.env.MANUSCRIPT_CORPUS;
const novel =
  corpus !== undefined && existsSync(join(corpus, "moby-dick"))
    ? join(corpus, "moby-dick")
    : join(root, "fixtures/novel");
const files = readdirSync(novel).filter((file) => /^\d.*\.md$/.test(file));
const words = files.reduce(
  (sum, file) => sum + readFileSync(join(novel, file), "utf8").split(/\s+/).length,
  0,
);

const READ = `const fs=require('fs');const d=${JSON.stringify(novel)};const t=fs.readdirSync(d).filter(f=>f.endsWith('.md')).map(f=>fs.readFileSync(d+'/'+f,'utf8'));`;
const PARSE = `${READ}const md=require(${JSON.stringify(join(root, "node_modules/markdown-it"))})('commonmark');for(const x of t)md.parse(x,{});`;
const folder = mkdtempSync(join(tmpdir(), "manuscript-bench-"));
const bin = join(root, "bin/manuscript.js");
const wall: Record<"read" | "parse" | "import" | "export", number[]> = {
  read: [],
  parse: [],
  import: [],
  export: [],
};
for (let round = 0; round < ROUNDS; round++) {
  const file = join(folder, `${round}.manuscript`);
  run([bin, "init", file]);
  wall.read.push(run(["-e", READ]));
  wall.parse.push(run(["-e", PARSE]));
  wall.import.push(run([bin, "import", novel, "--file", file]));
  wall.export.push(run([bin, "export", "-o", join(folder, String(round)), "--plain", "--file", file]));
}
rmSync(folder, { recursive: true });

report(
  `import: ${files.length} chapters, ${words} words, one transaction; wall time of whole processes, median of ${ROUNDS}`,
  [
    { what: "node reads the files", value: median(wall.read), unit: "ms" },
    { what: "… and markdown-it parses them", value: median(wall.parse), unit: "ms" },
    { what: "manuscript import", value: median(wall.import), unit: "ms" },
    { what: "manuscript export --plain", value: median(wall.export), unit: "ms" },
    { what: "import ÷ markdown-it alone", value: median(wall.import) / median(wall.parse), unit: "×" },
  ],
);

function run(args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.slice(0, 3).join(" ")} failed: ${stderr}`);
  return performance.now() - started;
}
