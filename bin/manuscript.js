#!/usr/bin/env node
import { readFileSync } from "node:fs";
import module from "node:module";

// Asked before anything else is loaded: other Nodes cannot read the compiled files, or crash in SQLite.
const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [major, minor] = process.versions.node.split(".").map(Number);
const fits = engines.node.split(" || ").some((range) => {
  const [line, least = 0] = range.replace(/^\D+/, "").split(".").map(Number);
  return major === line ? minor >= least : range.startsWith(">=") && major > line;
});
if (fits) {
  module.enableCompileCache?.(); // from Node 22 on
  // Without a file left to open, not even the part that explains an error can be loaded.
  await import("../dist/program/cli.js").catch((error) => {
    if (error?.code !== "EMFILE" && error?.code !== "ENFILE") throw error;
    process.stderr.write(
      "manuscript: Too many files are open at once; close programs, or allow more with: ulimit -n 1024\n",
    );
    process.exitCode = 1;
  });
} else {
  const wanted = engines.node.replaceAll(/\D*([\d.]+)/g, ", $1+").slice(2);
  process.stderr.write(`manuscript: needs Node ${wanted}; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
}
