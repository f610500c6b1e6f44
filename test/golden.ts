import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { LOCK, mendedLock } from "../lab/nodes/lock.ts";
import { guide } from "../src/contract/guide.ts";
import { openapi } from "../src/contract/openapi.ts";
import { AGENTS, agentsPage } from "./support/agents-page.ts";
import { ARCHITECTURE, architecturePage } from "./support/architecture-page.ts";
import { DATA_MODEL, dataModelPage } from "./support/data-model.ts";
import { FOLDER_FORMAT, folderFormatPage } from "./support/folder-format.ts";
import { helpTexts } from "./support/help.ts";
import { PERFORMANCE, performancePage } from "./support/performance-page.ts";
import { REFERENCE, renewed } from "./support/readme.ts";

/** The base address that the goldens name. */
export const BASE_URL = "http://127.0.0.1:7341/api/v1";

/** The command that writes the goldens anew. */
export const REGENERATE = "npm run golden";

/** Each golden file and the text that it must hold. */
export async function goldens(): Promise<Map<string, string>> {
  const folder = join(import.meta.dirname, "../fixtures/golden");
  return new Map([
    [join(folder, "openapi.json"), `${JSON.stringify(openapi(BASE_URL), null, 2)}\n`],
    [join(folder, "llms.txt"), guide(BASE_URL)],
    [join(folder, "help.txt"), await helpTexts()],
    [REFERENCE, await renewed()],
    [ARCHITECTURE, architecturePage()],
    [AGENTS, agentsPage()],
    [DATA_MODEL, dataModelPage()],
    [FOLDER_FORMAT, folderFormatPage()],
    [PERFORMANCE, performancePage()],
    [LOCK, mendedLock()],
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [path, text] of await goldens()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(path);
  }
}
