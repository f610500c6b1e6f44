import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BadRequest, Unavailable } from "../../../refusals.ts";
import { homeFolder } from "../../input/manuscript-file.ts";
import type { Terminal } from "../../io/terminal.ts";
import { chromiumOf } from "./browser.ts";

/** A long novel takes seconds; a browser that hangs is ended. */
const MOST_MS = 180_000;

/** Typesets an HTML document for paper. Throws `BadRequest` where no browser is found that can. */
export async function printPdf(terminal: Terminal, html: Uint8Array): Promise<Buffer> {
  const chromium = chromiumOf(terminal);
  if (chromium === undefined)
    throw new BadRequest(
      "A PDF is typeset by Chromium, Chrome, Edge or Brave, and none of them was found. Install one; or export with -f html, open that in any browser, and print it.",
    );
  const folder = makePlace(homeFolder(terminal));
  try {
    const [page, pdf] = [join(folder, "book.html"), join(folder, "book.pdf")];
    writeFileSync(page, html, { mode: 0o600 });
    const talk = await run(chromium, [
      ...["--headless", "--disable-gpu", "--no-pdf-header-footer", "--no-first-run"],
      ...[`--user-data-dir=${join(folder, "profile")}`, `--print-to-pdf=${pdf}`],
      // Chromium refuses to run as root in its sandbox. The page has no script, and its policy allows none.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      pathToFileURL(page).href,
    ]);
    return readPdf(pdf, chromium, talk);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A new folder in the home and not hidden, for some browsers may read nothing else; with the system's own where the home takes none. */
function makePlace(home: string): string {
  const name = "manuscript-print-";
  try {
    return mkdtempSync(join(home, name));
  } catch {
    return mkdtempSync(join(tmpdir(), name));
  }
}

function readPdf(path: string, chromium: string, talk: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Unavailable(`${chromium} made no PDF. It said: ${talk.trim().slice(-300) || "nothing"}`, {
      cause,
    });
  }
}

/** Runs a program to its end; returns what it says. */
function run(program: string, argv: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, argv, {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: MOST_MS,
      killSignal: "SIGKILL",
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk).slice(-4000);
    });
    child.on("error", reject);
    child.on("close", () => resolve(said));
  });
}
