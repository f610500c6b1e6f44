import { tar, xz, zip } from "./archives.ts";
import { under } from "./bundle-file.ts";
import { deb } from "./deb.ts";
import type { Node } from "./fetch-node.ts";
import { layOut } from "./layout.ts";
import { type Platform, systemOf } from "./platforms.ts";
import { readProduct } from "./product.ts";
import { sbom } from "./sbom.ts";

/** What is handed out for one platform: each file's name and bytes. */
export function makeBundle(root: string, platform: Platform, node: Node): Map<string, Uint8Array> {
  const product = readProduct(root);
  const name = `manuscript-${product.version}-${platform}`;
  const files = layOut(root, platform, node);
  const made = new Map<string, Uint8Array>([
    [`${name}.cdx.json`, Buffer.from(sbom(root, product, node))],
    systemOf(platform) === "win"
      ? [`${name}.zip`, zip(under(name, files))]
      : [`${name}.tar.xz`, xz(tar(under(name, files)))],
  ]);
  if (systemOf(platform) === "linux") {
    const architecture = platform === "linux-x64" ? "amd64" : "arm64";
    made.set(`manuscript_${product.version}_${architecture}.deb`, deb(product, architecture, files));
  }
  return made;
}
