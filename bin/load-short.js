const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname } = require("node:path");
const { Script } = require("node:vm");

const SHA256_BYTES = 32;

/** What is written beside a file of `dist/short`: what V8 had compiled of it when it had run, behind the file's own hash. */
exports.CODE = ".code";

exports.hashOf = (source) => createHash("sha256").update(source).digest();

/**
 * Loads a file of `dist/short` with the code that is kept of it, which halves what it takes; the exports and the script. V8
 * refuses the code of another version, and compiles the file itself.
 */
exports.loadShort = (path) => {
  const source = readFileSync(path);
  const kept = readIfThere(path + exports.CODE);
  const isOfSource = kept?.subarray(0, SHA256_BYTES).equals(exports.hashOf(source));
  // It is a function already, and ASCII: nothing is put together or decoded, which is garbage enough to be collected.
  const script = new Script(source.latin1Slice(), {
    filename: path,
    cachedData: isOfSource ? kept.subarray(SHA256_BYTES) : undefined,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, path, dirname(path));
  return { exports: module.exports, script };
};

function readIfThere(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
