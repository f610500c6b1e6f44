import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { serve } from "../support/client.ts";

const WRITES = 150;
const READERS = 4;

describe("cached answers", () => {
  it("are never older than what another process has written, and every entity tag is of one body", async (t) => {
    const lab = await serve(t);
    const { bookId, chapterId, otherChapterId } = lab.sample;
    const script = `
      const { openManuscript } = await import(${JSON.stringify(import.meta.resolve("../../src/service/manuscript.ts"))});
      const { replaceProse } = await import(${JSON.stringify(import.meta.resolve("../../src/service/prose/replace-prose.ts"))});
      const m = openManuscript(process.argv[1]);
      for (let i = 1; i <= ${WRITES}; i++) {
        replaceProse(m, process.argv[2], { markdown: "Write " + i + ".\\n\\n" + "word ".repeat(i) + "\\n" }, { source: "cli" });
        process.stdout.write(i + "\\n");
        await new Promise((resolve) => setTimeout(resolve, i % 7));
      }
      m.close();`;
    const args = [
      "--import",
      "tsx",
      "--input-type=module",
      "-e",
      script,
      lab.manuscript.store.path,
      chapterId,
    ];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let isWriting = true;
    const exit = once(child, "exit").finally(() => {
      isWriting = false;
    });
    let told = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      told = Number(chunk.toString().trim().split("\n").at(-1));
    });
    const bodies = new Map<string, string>();
    let reads = 0;
    const reader = async (number: number) => {
      const paths = [`/chapters/${chapterId}`, `/chapters/${chapterId}?format=doc`, `/books/${bookId}`];
      for (let turn = number; isWriting; turn++) {
        const path = paths[turn % paths.length]!; // within the list
        const least = told;
        const { text, body, headers } = await lab.ask("GET", path);
        reads++;
        // As many words as its number, besides its first paragraph; the outline counts them.
        const chapter = body.chapters?.find(({ id }: { id: string }) => id === chapterId) ?? body;
        if (least > 0)
          assert.ok(chapter.wordCount - 2 >= least, `${path}: ${chapter.wordCount - 2}, not ${least}`);
        const tag = headers.get("etag") ?? "";
        assert.equal(bodies.get(tag) ?? text, text, tag);
        bodies.set(tag, text);
        if (number === 0 && turn % 5 === 0) {
          const synopsis = { synopsis: `Our ${turn}.` };
          await lab.ask("PUT", `/chapters/${otherChapterId}/synopsis`, { body: synopsis });
          const { body: outline } = await lab.ask("GET", `/books/${bookId}`);
          assert.match(JSON.stringify(outline), new RegExp(`Our ${turn}\\.`));
        }
      }
    };
    await Promise.all(Array.from({ length: READERS }, (_, number) => reader(number)));
    assert.deepEqual(await exit, [0, null]);
    assert.ok(reads > WRITES, `${reads} reads`);
    const { body } = await lab.ask("GET", `/chapters/${chapterId}`);
    assert.match(body.text, new RegExp(`^Write ${WRITES}\\.`));
  });
});
