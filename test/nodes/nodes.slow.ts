import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { mendedLock } from "../../lab/nodes/lock.ts";
import { folder, manuscriptBytes } from "../support/sandbox.ts";

const root = join(import.meta.dirname, "../..");
const DRIVER = "store/file/driver.ts";
const NAME_OF_12 = "better-sqlite3-node20";
const read = (name: string) => readFileSync(join(root, name), "utf8");
const { engines } = JSON.parse(read("package.json"));

describe("the Nodes it runs on", () => {
  it("bin/manuscript.js takes those of `engines` and refuses the others in one sentence", (t) => {
    const path = join(folder(t), "bin/manuscript.js");
    cpSync(join(root, "bin"), join(path, ".."), { recursive: true });
    writeFileSync(join(path, "../../package.json"), read("package.json"));
    mkdirSync(join(path, "../../dist/program"), { recursive: true });
    writeFileSync(join(path, "../../dist/program/cli.js"), 'process.stdout.write("started\\n");');
    const start = (node: string) => run([...pretending({ node }), path]);
    for (const node of ["20.19.0", "20.20.2", "22.14.0", "22.23.3", "24.0.0", "25.9.0", "26.10.0"])
      assert.deepEqual(start(node), { status: 0, stdout: "started\n", stderr: "" }, node);
    for (const node of ["18.20.0", "20.18.3", "21.7.3", "22.13.1", "23.11.0"]) {
      const stderr = `manuscript: needs Node 20.19+, 22.14+, 24+; this is Node ${node}.\n`;
      assert.deepEqual(start(node), { status: 1, stdout: "", stderr }, node);
    }
  });

  it("`engines` is of the form that bin/manuscript.js reads, and the README says the same", () => {
    const ranges: string[] = engines.node.split(" || ");
    assert.deepEqual(
      ranges.filter((range) => !/^(\^\d+\.\d+|>=\d+)$/.test(range)),
      [],
    );
    const [first, second, last] = ranges.map((range) => range.replace(/^\D+/, ""));
    assert.ok(read("README.md").includes(`Node ${first}, ${second}, or ${last} and later`));
  });
});

describe("SQLite's binding", () => {
  it("is better-sqlite3 13 from Node 22.14 on and 12 before, and never both are loaded", (t) => {
    const src = source(t);
    install(src, "better-sqlite3", fake(13));
    install(src, NAME_OF_12, fake(12));
    assert.deepEqual(connected(src, { napi: "10" }), { is: 13 });
    assert.deepEqual(connected(src, { napi: "9" }), { is: 12 });
  });

  it("if it is missing or does not load, one sentence says what to do", (t) => {
    const src = source(t);
    const compile = 'compile it with "npm explore better-sqlite3 -- npm run build-release".';
    const cure13 = `SQLite does not load in Node 24.21.0 on ${process.platform}-${process.arch}: run "npm ci" with this Node; if that does not help, ${compile}`;
    const cure12 =
      'SQLite does not load in Node 20.20.2: use Node 22.14 or later, or, on Node 20, install python3, make and g++ and run "npm ci" again.';
    const check = () => {
      assert.deepEqual(connected(src, { node: "24.21.0", napi: "10" }), { Unavailable: cure13 });
      assert.deepEqual(connected(src, { node: "20.20.2", napi: "9" }), { Unavailable: cure12 });
    };
    check();
    // A binding that no system can load; 12's helper reports a missing one without a code.
    install(src, "better-sqlite3", 'require("./broken.node")');
    writeFileSync(join(src, "node_modules/better-sqlite3/broken.node"), "not a library");
    install(src, NAME_OF_12, 'throw new Error("Could not locate the bindings file. Tried: …")');
    check();
  });

  it("where it does not load, neither the doctor nor a rescue calls a file damaged", (t) => {
    const place = folder(t);
    const path = join(place, "book.manuscript");
    writeFileSync(path, manuscriptBytes());
    const hidden = `import Module from "node:module"; const load = Module._load;
      Module._load = (name, ...rest) => { if (name.startsWith("better-sqlite3")) throw Object.assign(new Error(name), { code: "MODULE_NOT_FOUND" }); return load(name, ...rest); };`;
    const ask = (...words: string[]) =>
      run([
        ...[
          "--import",
          import.meta.resolve("tsx"),
          "--import",
          `data:text/javascript,${encodeURIComponent(hidden)}`,
        ],
        ...[join(root, "src/cli/main.ts"), ...words],
      ]);
    for (const { status, stdout, stderr } of [
      ask("doctor", "--file", path),
      ask("rescue", path, "-o", join(place, "out")),
      ask("books", "--file", path),
    ]) {
      assert.equal(status, 1);
      assert.match(stdout + stderr, /SQLite does not load in Node/);
      assert.doesNotMatch(stdout + stderr, /damaged|rescue|restore/);
    }
    assert.ok(!existsSync(join(place, "out")));
  });

  it("is locked as npm does not lock it: 13 is never compiled, 12 is for Node 20 alone", () => {
    const { packages } = JSON.parse(read("package-lock.json"));
    assert.match(packages["node_modules/better-sqlite3"].version, /^13\./);
    assert.match(packages[`node_modules/${NAME_OF_12}`].version, /^12\./);
    assert.equal(packages[`node_modules/${NAME_OF_12}`].optional, true);
    assert.ok(
      read("package-lock.json") === mendedLock(),
      'package-lock.json lacks what npm leaves out: run "npm run golden"',
    );
  });
});

/** A copy of the sources that the driver needs, with no packages installed. */
function source(t: TestContext): string {
  const src = folder(t);
  for (const name of ["store", "text", "refusals.ts"])
    cpSync(join(root, "src", name), join(src, name), { recursive: true });
  writeFileSync(join(src, "package.json"), '{ "type": "module" }');
  return src;
}

/** A binding that tells which it is, and takes the functions that it is given. */
const fake = (is: number) => `module.exports = class { is = ${is}; function() {} aggregate() {} }`;

function install(src: string, name: string, code: string): void {
  const path = join(src, "node_modules", name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "index.js"), code);
}

/** What `connect` of that copy gives, or the class and message of what it throws, in a process of its own. */
function connected(src: string, versions: Readonly<Record<string, string>>): unknown {
  const code = `import { connect } from ${JSON.stringify(pathToFileURL(join(src, DRIVER)))};
    let answer;
    try { answer = connect("any"); } catch (error) { answer = { [error.name]: error.message }; }
    console.log(JSON.stringify(answer));`;
  const tsx = ["--import", import.meta.resolve("tsx")];
  const { stdout, stderr } = run([...tsx, ...pretending(versions), "--input-type=module", "-e", code]);
  assert.equal(stderr, "");
  return JSON.parse(stdout);
}

/** Options that make node give these as its versions. */
function pretending(versions: Readonly<Record<string, string>>): string[] {
  const all = `{ ...process.versions, ...${JSON.stringify(versions)} }`;
  const code = `Object.defineProperty(process, "versions", { value: ${all} });`;
  return ["--import", `data:text/javascript,${encodeURIComponent(code)}`];
}

function run(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, stdout, stderr };
}
