import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Node } from "./fetch-node.ts";
import { type Package, pagePackages, productionPackages } from "./packages.ts";
import type { Product } from "./product.ts";

/**
 * The parts of a bundle as a software bill of materials: Node, SQLite, the packages that are loaded and those that the page is
 * made of. It has no time and no random number: the same parts make the same text. Source: https://cyclonedx.org/docs/1.6/json/.
 */
export function sbom(root: string, product: Product, node: Node): string {
  const loaded = productionPackages(root);
  const inPage = pagePackages(root).filter(({ folder }) => !loaded.some((one) => one.folder === folder));
  const { name, version, license, description } = product;
  const component = {
    ...{ type: "application", "bom-ref": refOf(product), name, version, description },
    ...{ licenses: licensesOf(license), purl: purlOf(product) },
  };
  const components = [
    nodeComponent(node),
    sqliteComponent(root),
    ...[...loaded, ...inPage].map(packageComponent),
  ];
  const refs = new Map(loaded.map((one) => [one.folder, refOf(one)]));
  const dependencies = [
    { ref: component["bom-ref"], dependsOn: components.map((one) => one["bom-ref"]).sort() },
    ...loaded.map((one) => ({
      ref: refOf(one),
      dependsOn: one.needs.flatMap((folder) => refs.get(folder) ?? []).sort(),
    })),
  ];
  const parts = { metadata: { component }, components, dependencies };
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(parts))}`;
  const head = { bomFormat: "CycloneDX", specVersion: "1.6", serialNumber, version: 1 };
  return `${JSON.stringify({ ...head, ...parts }, null, 2)}\n`;
}

function nodeComponent({ packageName, version, binary }: Node) {
  const content = createHash("sha256").update(binary).digest("hex");
  return {
    ...{ type: "platform", "bom-ref": `node@${version}`, name: "node", version },
    ...{ hashes: [{ alg: "SHA-256", content }], licenses: licensesOf("MIT") },
    purl: purlOf({ name: packageName, version }),
  };
}

/** SQLite, which is compiled into its binding. Its header states the version. */
function sqliteComponent(root: string) {
  const header = readFileSync(join(root, "node_modules/better-sqlite3/deps/sqlite3/sqlite3.h"), "utf8");
  const version = /^#define SQLITE_VERSION\s+"(.+)"$/m.exec(header)?.[1];
  if (version === undefined) throw new Error("sqlite3.h states no version");
  return {
    ...{ type: "library", "bom-ref": `sqlite@${version}`, name: "sqlite", version },
    ...{ licenses: licensesOf("blessing"), purl: `pkg:generic/sqlite@${version}` },
  };
}

function packageComponent(part: Package) {
  const content = Buffer.from(part.integrity.replace("sha512-", ""), "base64").toString("hex");
  return {
    ...{ type: "library", "bom-ref": refOf(part), name: part.name, version: part.version },
    ...{ hashes: [{ alg: "SHA-512", content }], licenses: licensesOf(part.license) },
    purl: purlOf(part),
  };
}

function refOf({ name, version }: { name: string; version: string }): string {
  return `${name}@${version}`;
}

function purlOf({ name, version }: { name: string; version: string }): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** A choice of several licences is an expression. */
function licensesOf(license: string): object[] {
  return [license.includes(" ") ? { expression: license } : { license: { id: license } }];
}

/** A UUID of the kind whose meaning is its maker's, of a text's hash. Source: https://www.rfc-editor.org/rfc/rfc9562. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
