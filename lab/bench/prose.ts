import MarkdownIt from "markdown-it";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { writeChapter } from "../../src/prose/write.ts";
import { chapterOf, cpuSince, median, report } from "./report.ts";

// A long chapter and a short one; ours and markdown-it alone turn by turn, because machines are noisy.
const LONG = 3.2e6;
const SHORT = 120e3;
const ROUNDS = 15;

const plain = new MarkdownIt("commonmark", { html: true }).enable(["table", "strikethrough"]);

/** A chapter of this many bytes, as dense in marks as novels are: emphasis in a tenth of the paragraphs, few quotes and lists. */
function novel(bytes: number): string {
  const paragraphs: string[] = [];
  let size = 0;
  for (const [index, text] of chapterOf(Math.ceil(bytes / 4))
    .split("\n\n")
    .entries()) {
    if (size >= bytes) break;
    const paragraph = dress(text, index);
    paragraphs.push(paragraph);
    size += Buffer.byteLength(paragraph) + 2;
  }
  return `${paragraphs.join("\n\n")}\n`;
}

function dress(text: string, index: number): string {
  if (index % 10 === 1) return text.replace(/(\w+) (\w+) (\w+)/, "*$1* **$2** $3");
  if (index % 60 === 3) return `> ${text}`;
  if (index % 120 === 17) return `- ${text.replace(" ", "\n- ")}`;
  if (index % 40 === 5) return `## Part ${index}`;
  return text;
}

function time(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  return cpuSince(start) / 1000;
}

function measure(bytes: number) {
  const markdown = novel(bytes);
  const nodes = parseMarkdown(markdown).blocks.map(({ node }) => node);
  const times = { parse: [] as number[], plain: [] as number[], write: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.parse.push(time(() => parseMarkdown(markdown)));
    times.plain.push(time(() => plain.parse(markdown, {})));
    times.write.push(time(() => writeChapter(nodes)));
  }
  const perMegabyte = 1e6 / Buffer.byteLength(markdown);
  const [parse, alone, write] = [times.parse, times.plain, times.write].map(median) as [
    number,
    number,
    number,
  ];
  return { parse, alone, write, parseRate: parse * perMegabyte, writeRate: write * perMegabyte };
}

const short = measure(SHORT);
const long = measure(LONG);
const ratio = long.parse / long.alone;
const growth = Math.max(long.parseRate / short.parseRate, long.writeRate / short.writeRate);
report(`prose: a chapter of ${LONG / 1e6} MB, CPU, median of ${ROUNDS}`, [
  { what: "write", value: long.write, unit: "ms", bar: "≤ 100", met: long.write <= 100 },
  { what: "parse", value: long.parse, unit: "ms" },
  { what: "markdown-it alone", value: long.alone, unit: "ms" },
  { what: "parse ÷ markdown-it alone", value: ratio, unit: "×", bar: "≤ 1.1", met: ratio <= 1.1 },
  { what: `per MB, against ${SHORT / 1e3} KB`, value: growth, unit: "×", bar: "≤ 2", met: growth <= 2 },
]);
