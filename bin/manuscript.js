#!/usr/bin/env node
const { readFileSync, statSync } = require("node:fs");
const { join } = require("node:path");

// CommonJS, and nothing imported before it is needed: Node's loader of modules takes a tenth of its start by itself.
const { engines, version } = JSON.parse(readFileSync(join(__dirname, "../package.json"), "utf8"));
const dist = join(__dirname, "../dist");
const argv = process.argv.slice(2);

// Asked before anything else is loaded: other Nodes cannot read the compiled files, or crash in SQLite.
const [major, minor] = process.versions.node.split(".").map(Number);
const fits = engines.node.split(" || ").some((range) => {
  const [line, least = 0] = range.replace(/^\D+/, "").split(".").map(Number);
  return major === line ? minor >= least : range.startsWith(">=") && major > line;
});
if (!fits) {
  const wanted = engines.node.replaceAll(/\D*([\d.]+)/g, ", $1+").slice(2);
  process.stderr.write(`manuscript: needs Node ${wanted}; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else if (argv.length === 1 && ["--version", "-v", "-V"].includes(argv[0])) {
  process.stdout.on("error", ({ code, message }) => {
    if (code === "EPIPE") return; // nobody reads it any more
    process.stderr.write(`manuscript: ${message}\n`);
    process.exitCode = 1;
  });
  process.stdout.write(`${version}\n`);
} else void start();

async function start() {
  // Where a failure comes from is told by the files as they were written.
  if (process.env.MANUSCRIPT_DEBUG === "1" || !(await runShort(argv[0]))) await import("../dist/cli/main.js");
}

/** Runs a command that is a file by itself, as build/short.ts makes them; false for any other. */
async function runShort(command) {
  if (!/^[a-z]+$/.test(command)) return false;
  if (isOfToday(`short/${command}.cjs`)) {
    const { loadShort } = require("./load-short.js");
    return loadShort(join(dist, `short/${command}.cjs`)).exports.startShort();
  }
  if (!isOfToday(`short/${command}.mjs`)) return false;
  const { startShort } = await import(`../dist/short/${command}.mjs`);
  return startShort();
}

/** Whether a file was made of what was compiled last, and not of what was there before. */
function isOfToday(name) {
  const madeAt = (file) => statSync(join(dist, file), { throwIfNoEntry: false })?.mtimeMs;
  const made = madeAt(name);
  return made !== undefined && made >= madeAt("cli/main.js");
}
