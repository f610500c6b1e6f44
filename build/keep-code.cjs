const { readFileSync, writeFileSync } = require("node:fs");
const { CODE, hashOf, loadShort } = require("../bin/load-short.js");

// Runs a file of `dist/short` with a command line, and keeps what V8 has compiled of it by then.
const [, , path, ...argv] = process.argv;
process.argv = [process.execPath, path, ...argv];
const { exports: short, script } = loadShort(path);
process.on("exit", () => {
  writeFileSync(path + CODE, Buffer.concat([hashOf(readFileSync(path)), script.createCachedData()]));
});
void short.startShort();
