import assert from "node:assert/strict";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { parse } from "../../src/cli/program.ts";
import { GROUPS } from "../../src/cli/rows/groups.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { type Shell, shell } from "../cli/shell.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const unique = (lines: readonly string[]) => [...new Set(lines)];

/** The command lines in a line for a shell, without the program's name; what follows a comment, a pipe or a `<` is cut off. */
function linesIn(text: string): string[] {
  const bare = text.replace(/\s+#.*/, "").replace(/(\w)(?:\|\w+)+/g, "$1"); // bash|zsh|fish
  return bare
    .split(/ (?:\||&&|>|<|<<<) /)
    .flatMap((part) => /^manuscript ([a-z].*)$/.exec(part.trim())?.[1] ?? []);
}

/** The lines of the blocks for a shell in a page. */
function blockLines(page: string): string[] {
  return [...read(page).matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = ""]) =>
    block.split("\n").flatMap(linesIn),
  );
}

const PAGES = [
  ...["README.md", "SECURITY.md", "TRUST.md", ".github/CONTRIBUTING.md", "fixtures/novel/README.md"],
  ...readdirSync(join(root, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : [])),
];
const EXAMPLES = GROUPS.flatMap(({ ROWS, FAMILIES }) => [...FAMILIES, ...ROWS]).flatMap(({ examples }) =>
  examples.flatMap((line) => linesIn(`manuscript ${line}`)),
);
const SHOWN = unique([...PAGES.flatMap(blockLines), ...EXAMPLES]);

/** The lines within the sentences of documents, messages and the page. */
function mentioned(): string[] {
  const spans = PAGES.flatMap((page) =>
    [...read(page).matchAll(/`(manuscript [^`]+)`/g)].map(([, span = ""]) => span),
  );
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const told = files.flatMap((file) => {
    if (!/\.tsx?$/.test(file)) return [];
    const text = read(`src/${file}`).replace(/^\s*(?:\/?\*|\/\/).*$/gm, "");
    const patterns = [
      /["“](manuscript [a-z][^"”\n]*)["”]/g,
      />(manuscript [^<]+)</g,
      /: (manuscript [a-z][^`"\n]*)[`"]/g,
    ];
    return patterns
      .flatMap((pattern) => [...text.matchAll(pattern)].map(([, line = ""]) => line))
      .map((line) => line.replace(/\$\{option\}/, "--before").replace(/ ?\$?\{[^}]*\}/g, " 1"))
      .map((line) => line.replace(/[.,)](?: .*)?$/, "")); // the sentence goes on
  });
  return unique([...spans, ...told].flatMap(linesIn));
}

/** The words of a line as a shell splits them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""),
  );
}

/** What the parser refuses of a line; undefined if it is a command with its arguments and options. */
async function faultOf(line: string): Promise<string | undefined> {
  const sink = { write: (_: unknown, done?: () => void) => done?.() };
  const terminal = { stdout: sink, stderr: sink } as never;
  return await parse(wordsOf(line), terminal, async () => {}).then(
    () => undefined,
    (error: Error & { exitCode?: number }) => (error.exitCode === 0 ? undefined : error.message), // 0: help
  );
}

describe("every command line", () => {
  it("that a document or a help shows is one that the parser takes", async () => {
    for (const line of SHOWN) assert.equal(await faultOf(line), undefined, line);
  });

  it("that a document or a message mentions is one, too, or the name of a command", async () => {
    const names = GROUPS.flatMap(({ ROWS, FAMILIES }) => [...FAMILIES, ...ROWS]).map(({ name }) => name);
    const lines = mentioned();
    assert.ok(lines.length > 50, `${lines.length} lines`);
    for (const line of lines) if (!names.includes(line)) assert.equal(await faultOf(line), undefined, line);
  });

  it("that is shown runs on a manuscript that has what it names", async (t) => {
    const whole = await prepared(t);
    lines: for (const line of SHOWN) {
      if (WAITS.test(line)) continue;
      let why = "";
      for (const books of [1, 2]) {
        const sh = shell(t).with({ env: { MANUSCRIPT_FILE: "novel.manuscript" } });
        if (line.startsWith("init")) layOut(sh.cwd);
        else cpSync(whole.cwd, sh.cwd, { recursive: true });
        if (books === 2) await sh("book", "add", "A Second Book");
        const { exit, stderr } = await run(sh, line);
        if (exit === EXIT.done) continue lines;
        why += stderr;
      }
      assert.fail(`${line}: ${why}`);
    }
  });
});

/** Waits for a client or a signal, opens a window, asks, changes this machine, needs another program, or depends on the day. */
const WAITS =
  /^(?:serve|open|watch|app|edit|mcp(?!.*--print))\b|--watch\b|^restore$|^milestone restore (?!.*--dry)|^(?:book delete 2|chapter delete (?!.*--yes).*)$|python3|2027-01-31$|18:30/;

const CHAPTERS = [
  ...["Prologue", "Etymology", "Extracts", "Loomings", "Calm", "The Storm", "An Old Scene"],
  ...["Nantucket", "Chowder", "The Ship", "Ahab", "Squid", "The Chase"],
];
const PROSE = (title: string, words = "grey") =>
  `# ${title}\n\nTobit saw a ${words} *whale* at 6 o'clock.\n\n***\n\nAhab had ${words} eyes. He very suddenly seemed to be late.\n\nThe harbour lay in the lantern's light.\n`;

/** The folders and files that lines name. */
function layOut(cwd: string): void {
  const at = (...names: string[]) => join(cwd, ...names);
  for (const folder of ["chapters", "my-vault", "media/stick", "srv/novels", "home/novels"])
    mkdirSync(at(folder), { recursive: true });
  writeFileSync(at("chapters", "01-one.md"), PROSE("One"));
  writeFileSync(
    at("my-vault", "Index.md"),
    "---\nlongform:\n  format: scenes\n  title: Vault\n  scenes:\n    - One\n---\n",
  );
  writeFileSync(at("my-vault", "One.md"), PROSE("One"));
  for (const name of ["novel.md", "chapter.md", "calm.md"]) writeFileSync(at(name), PROSE("Calm", "white"));
}

/** A manuscript with one book in which the chapters, parts, cast, notes and drafts of the help's examples are. */
async function prepared(t: TestContext): Promise<Shell> {
  const sh = shell(t);
  layOut(sh.cwd);
  const done = async (given: string, stdin = "") => {
    const { exit, stderr } = await sh.with({ stdin })(...wordsOf(given));
    assert.equal(exit, EXIT.done, `${given}: ${stderr}`);
  };
  await done("init novel.manuscript");
  await done("import - --title 'Moby Dick' --split 1", CHAPTERS.map((title) => PROSE(title)).join("\n"));
  for (const part of ["Part One", "Part Two", "The Return", "Part Three"]) await done(`part add '${part}'`);
  for (const chapter of [8, 9, 10]) await done(`chapter move ${chapter} --part 'Part Two'`);
  await done("milestone add 'Draft 1'");
  for (const words of ["white", "black", "pale", "green", "silver", "blue"])
    await done("write 4", PROSE("Loomings", words));
  await done("milestone add 'Draft 2'");
  for (const fact of ["Ahab", "'Captain Ahab'", "Tobit"]) await done(`facts add ${fact}`);
  await done("facts edit Ahab --alias 'Old Thunder' --attribute eyes=brown");
  await done("notes add Which? --chapter 4");
  await done("map 5 --propose -- sed s/e/E/");
  await done("key create --name scripts");
  await done("goal set 90000");
  for (const folder of ["my-novel", "out"]) await done(`export -o ${folder}`);
  await done("backup");
  writeFileSync(join(sh.cwd, "loomings.md"), (await sh("show", "4", "-f", "markdown", "--header")).stdout);
  return sh;
}

/** Runs a line whose ids, files and places are filled in. */
async function run(sh: Shell, line: string) {
  const file = existsSync(join(sh.cwd, "novel.manuscript"));
  const ask = async (words: string) => (await sh(...wordsOf(words), "--json")).json<never>();
  let filled = line.replace(
    /(^| )(\/(?:media|srv)\/|~\/)/g,
    (_, before, place) => `${before}${place === "~/" ? "home/" : place.slice(1)}`,
  );
  if (file) {
    const first = async (words: string, kind: string) =>
      new RegExp(`${kind}_\\w+`).exec(JSON.stringify(await ask(words)))?.[0] ?? "none";
    const blocks = async (chapter: string) =>
      [...JSON.stringify(await ask(`show ${chapter} -f doc`)).matchAll(/b_\w+/g)].map(([id]) => id);
    const own = line.includes("b_…") ? await blocks(/(?:split|paragraphs) (\w+)/.exec(line)?.[1] ?? "4") : [];
    const others = line.includes("b_…") ? await blocks("'The Storm'") : [];
    filled = filled.replace(/--after b_…/, `--after ${others[0]}`);
    for (const id of own.slice(1)) filled = filled.replace("b_…", id);
    for (const [kind, list] of Object.entries({
      act: "history --limit 1",
      bk: "books",
      ch: "outline",
      sn: "notes",
      prop: "proposals",
      key: "key",
      fi: "check 4",
    }))
      if (filled.includes(`${kind}_…`)) filled = filled.replaceAll(`${kind}_…`, await first(list, kind));
    const copies = existsSync(join(sh.cwd, "novel-backups"))
      ? readdirSync(join(sh.cwd, "novel-backups"))
      : [];
    const copy = `novel-backups/${copies.find((name) => name.endsWith(".backup"))}`;
    filled = filled
      .replace(/novel-backups\/\S+/, copy)
      .replace(/^restore FILE/, `restore ${copy}`)
      .replace(/^rescue FILE/, "rescue novel.manuscript");
    if (!filled.startsWith("init"))
      for (const [, name = ""] of filled.matchAll(/([\w/-]+\.manuscript)\b/g))
        if (!existsSync(join(sh.cwd, name)))
          copyFileSync(join(sh.cwd, "novel.manuscript"), join(sh.cwd, name));
  }
  const stdin = line.startsWith("api ") ? '{"title": "A Second Book"}' : PROSE("Loomings", "golden");
  return await sh.with({ stdin })(...wordsOf(filled));
}
