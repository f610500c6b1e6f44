import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { type Manifest, published } from "../../build/npm/published.ts";
import { once } from "../../src/text/once.ts";
import { folder } from "../support/sandbox.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const manifest: Manifest = JSON.parse(read("package.json"));

/** The path of each file that npm would pack, or undefined where there is no npm. */
const packed = once((): string[] | undefined => {
  const argv = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const { stdout, error } = spawnSync("npm", argv, {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (error !== undefined) return undefined;
  const [about] = Object.values(JSON.parse(stdout)) as { files: { path: string }[] }[];
  return about?.files.map(({ path }) => path);
});

describe("the package that npm hands out", () => {
  it("has nothing that npm runs when it installs it, or warns of", () => {
    const { scripts, optionalDependencies, devDependencies, bin, exports, dependencies } =
      published(manifest);
    assert.deepEqual([scripts, optionalDependencies, devDependencies], [undefined, undefined, undefined]);
    assert.deepEqual([bin, exports, dependencies], [manifest.bin, manifest.exports, manifest.dependencies]);
    const { packages } = JSON.parse(read("package-lock.json"));
    const named = new Set(Object.keys(dependencies));
    for (const name of named)
      for (const needed of Object.keys(packages[`node_modules/${name}`].dependencies ?? {}))
        named.add(needed);
    const warned = [...named].filter((name) => {
      const { hasInstallScript, deprecated } = packages[`node_modules/${name}`] ?? {};
      return hasInstallScript === true || deprecated !== undefined;
    });
    assert.deepEqual(warned, []);
  });

  it("is for the Nodes that load the binding it brings", () => {
    assert.equal(manifest.engines.node, `^20.19 || ${published(manifest).engines.node}`);
  });

  it("says where its source and its issues are", () => {
    const { repository, homepage, bugs } = published(manifest) as Record<string, unknown>;
    for (const address of [JSON.stringify(repository), homepage, bugs])
      assert.match(String(address), /github\.com\/manuscript-app\/manuscript\b/);
  });

  it("holds the program, the sample, and each page and picture that the README shows", (t) => {
    const paths = packed();
    if (paths === undefined) return t.skip("there is no npm");
    const linked = [...read("README.md").matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = ""]) => path);
    const pages = linked.filter((path) => /^(?:docs\/.*\.(?:md|png)|[A-Z]+(?:\.md)?)$/.test(path));
    assert.ok(pages.length > 8);
    const wanted = [
      ...pages,
      "bin/manuscript.js",
      "dist/program/cli.js",
      "dist/page/page.json",
      "fixtures/novel/book.json",
    ];
    assert.deepEqual(
      wanted.filter((path) => !paths.includes(path)),
      [],
    );
  });

  it("holds no source, no test and nothing of a bundle", (t) => {
    const paths = packed();
    if (paths === undefined) return t.skip("there is no npm");
    assert.deepEqual(
      paths.filter((path) => /^(?:src|test|lab|build|bundles)\/|(?<!\.d)\.tsx?$|\.manuscript$/.test(path)),
      [],
    );
  });
});

describe("packing", () => {
  it("leaves package.json of a clone as it was", (t) => {
    const clone = cloned(t);
    const before = readFileSync(join(clone, "package.json"), "utf8");
    assert.equal(step(clone, "prepack").status, 0);
    assert.deepEqual(JSON.parse(readFileSync(join(clone, "package.json"), "utf8")), published(manifest));
    assert.equal(step(clone, "postpack").status, 0);
    assert.equal(readFileSync(join(clone, "package.json"), "utf8"), before);
  });

  it("does not take for ours what a pack that was broken off has left", (t) => {
    const clone = cloned(t);
    writeFileSync(join(clone, "package.json"), JSON.stringify(published(manifest)));
    const { status, stderr } = step(clone, "prepack");
    assert.equal(status, 1);
    assert.match(stderr, /git checkout package\.json/);
    assert.ok(!existsSync(join(clone, "node_modules")));
  });
});

/** A folder with what the two steps of packing read. */
function cloned(t: TestContext): string {
  const clone = folder(t);
  copyFileSync(join(root, "package.json"), join(clone, "package.json"));
  for (const path of ["build/npm", "build/prepack.ts", "build/postpack.ts"])
    cpSync(join(root, path), join(clone, path), { recursive: true });
  return clone;
}

function step(clone: string, name: "prepack" | "postpack") {
  const argv = ["--import", import.meta.resolve("tsx"), join(clone, `build/${name}.ts`)];
  return spawnSync(process.execPath, argv, { encoding: "utf8" });
}
