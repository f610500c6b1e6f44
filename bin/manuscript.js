#!/usr/bin/env node
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`manuscript: needs Node 20.19 or later, and this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  await import("../dist/cli/main.js");
}
