import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The parts of package.json that a bundle tells. */
export interface Product {
  name: string;
  version: string;
  license: string;
  description: string;
}

/** The product, as package.json describes it. */
export function readProduct(root: string): Product {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
}
