import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { bareAssertions, branchesIn, exportedNames } from "./support/functions.ts";
import { ROOMS } from "./support/rooms.ts";
import { clientFiles, files, filesInCircles, type Import, importsOf, read } from "./support/source.ts";

/** The one file that may import SQLite, and the only folder whose files hold SQL. */
const DRIVER = /^store\/file\/driver\.ts$/;
const MOST_BRANCHES = 15;
/** Names that each file of a folder exports in its own sense, as the commands' groups do. */
const IN_EACH_FILE = new Map([
  ["ROWS", /^cli\/rows\//],
  ["FAMILIES", /^cli\/rows\//],
  ["COMMANDS", /^cli\/commands\//],
]);
/** A row of the contract, the operation that answers it and the statement that it rests on may share a name: one a layer. */
const LAYER = /^(contract\/rows|service|store)\//;

// What stands against a rule today. Each list may only become shorter: a line that is no longer needed fails.
/** Files that import each other in a circle. */
const CIRCLES: readonly string[] = [];
/** Functions of more than fifteen branches. The linter holds the 80 lines of a function. */
const BRANCHY: readonly string[] = [
  "files/annotations/notes-yaml.ts: leadsTo",
  "files/annotations/write-annotations.ts: syncAnnotations",
  "files/export.ts: exportFolder",
  "files/sync/sync-changed.ts: planList",
  "prose/reconcile/duplicates.ts: preferAnchored",
  "service/interchange/resolve-anchor.ts: finder",
];
/** Names that two files export. */
const TWICE: readonly string[] = [];

/** Files of a face that no room imports: where a program or a process begins. */
const ENTRIES: readonly string[] = [
  "cli/main.ts",
  "cli/program.ts",
  "cli/run.ts",
  "http/worker-main.ts",
  "index.ts",
];

const names = Object.keys(ROOMS);

/** The row of a file or room: its own, that of the nearest folder around it, or that of the files beside the rooms. */
function rowOf(path: string): string {
  if (ROOMS[path] !== undefined) return path;
  if (ROOMS[`${path}/*`] !== undefined) return `${path}/*`;
  return dirname(path) === "." ? "*.ts" : rowOf(dirname(path));
}

/** The room of a file; one beside the rooms is its own, and so is each folder in a room that ends with `/*`. */
function roomOf(file: string): string {
  const row = rowOf(file);
  if (!file.includes("/")) return file;
  if (!row.endsWith("/*")) return row;
  const [room = "", inside = "", ...rest] = file.split("/");
  return rest.length === 0 ? room : `${room}/${inside}`;
}

/** True for a file in the folder of its room, and for one beside the rooms. */
function isFace(file: string): boolean {
  return dirname(file) === roomOf(file) || !file.includes("/");
}

function isShared(file: string): boolean {
  return rowOf(file) === "*.ts" || rowOf(file) === "text";
}

/** The imports of a file that its room's row must allow: those of other rooms and of packages. */
function outwardOf(file: string): Import[] {
  return importsOf(file).filter(
    ({ to }) => !to.startsWith("node:") && (to.startsWith("npm:") || roomOf(to) !== roomOf(file)),
  );
}

function allows(entry: string, { to, kind }: Import): boolean {
  const [, prefix, path = ""] = /^(?:(types|lazy):)?(.*)$/.exec(entry) ?? [];
  const isKind = prefix === undefined || kind === prefix || (prefix === "lazy" && kind === "types");
  return isKind && (path === to || `${path}.ts` === to || (!to.startsWith("npm:") && rowOf(to) === path));
}

/** True if a file of a room may import what it does: its row allows it, everyone may, or it is a room of its own row. */
function mayImport(file: string, found: Import): boolean {
  const row = rowOf(file);
  if (found.to.startsWith("npm:")) return ROOMS[row]!.imports.some((entry) => allows(entry, found)); // every file has a row
  if (rowOf(found.to) === row) return true;
  if (isShared(found.to)) return !isShared(file);
  return ROOMS[row]!.imports.some((entry) => allows(entry, found)); // every file has a row
}

/** Fails for what is new against a rule, and for what is listed as known and stands no longer. */
function assertKnown(found: readonly string[], known: readonly string[], what: string): void {
  assert.deepEqual(
    found.filter((one) => !known.includes(one)),
    [],
    what,
  );
  assert.deepEqual(
    known.filter((one) => !found.includes(one)),
    [],
    "mended: take it off the list of what is known",
  );
}

describe("architecture", () => {
  it("every row of the table has files, and there are at most twenty-one", () => {
    const used = new Set(files.map(rowOf));
    assert.ok(files.length > 50, "the folder was not found");
    assert.deepEqual(
      names.filter((name) => !used.has(name)),
      [],
    );
    assert.ok(names.length <= 21);
    // A folder without a row would count among the files beside the rooms.
    assert.deepEqual(
      files.filter((file) => rowOf(file) === "*.ts" && file.includes("/")),
      [],
      "give its folder a row in test/support/rooms.ts",
    );
  });

  it("every room imports only what the table allows, types too", () => {
    const broken = files.flatMap((file) =>
      outwardOf(file)
        .filter((found) => !mayImport(file, found))
        .map(({ to, kind }) => `${file} may not import ${to} (${kind})`),
    );
    assert.deepEqual(broken, []);
  });

  it("of another room a file is imported only if it lies in that room's own folder; the page keeps to that, too", () => {
    const broken = [...files, ...clientFiles].flatMap((file) =>
      outwardOf(file)
        .filter(({ to }) => /\.tsx?$/.test(to) && !to.startsWith("web/client/") && !isFace(to))
        .map(({ to }) => `${file} may not import ${to}: it is private to ${roomOf(to)}`),
    );
    assert.deepEqual(broken, []);
  });

  it("a room's own folder holds its face alone: what no other room imports lies in a folder within it", () => {
    const imported = new Set(
      [...files, ...clientFiles].flatMap((file) => outwardOf(file).map(({ to }) => to)),
    );
    assert.deepEqual(
      files.filter((file) => isFace(file) && !imported.has(file) && !ENTRIES.includes(file)),
      [],
    );
  });

  it("the table allows nothing that no file needs", () => {
    const idle = Object.entries(ROOMS).flatMap(([name, { imports }]) => {
      const found = files.filter((file) => rowOf(file) === name).flatMap(outwardOf);
      return imports
        .filter((entry) => !found.some((one) => allows(entry, one)))
        .map((entry) => `${name}: ${entry}`);
    });
    assert.deepEqual(idle, []);
  });

  it("a room imports only rooms that stand above it in the table", () => {
    const upward = Object.entries(ROOMS).flatMap(([name, { imports }], place) =>
      imports
        .map((entry) => entry.replace(/^(?:types|lazy):/, ""))
        .filter((path) => !path.startsWith("npm:") && names.indexOf(rowOf(path)) >= place)
        .map((path) => `${name} → ${path}`),
    );
    assert.deepEqual(upward, []);
  });

  it("rooms import each other in no circle, neither values nor types", () => {
    const graph = new Map<string, Set<string>>();
    for (const file of files)
      for (const { to, kind } of outwardOf(file)) {
        if (to.startsWith("npm:") || kind === "lazy") continue;
        graph.set(roomOf(file), (graph.get(roomOf(file)) ?? new Set()).add(roomOf(to)));
      }
    const reached = (room: string, seen = new Set<string>()): Set<string> => {
      for (const next of graph.get(room) ?? [])
        if (!seen.has(next)) {
          seen.add(next);
          reached(next, seen);
        }
      return seen;
    };
    assert.deepEqual(
      [...graph.keys()].filter((room) => reached(room).has(room)),
      [],
    );
  });

  it("the page takes only types of the contract, values of what is pure, and packages that are bundled", () => {
    const pure =
      /^(?:web\/client|text|prose\/document)\/|^(?:ids|three-way|prose\/(?:merge-blocks|merge-words|read-pasted))\.ts$|^contract\/(?:limits|enums|act-words)\.ts$/;
    const packages =
      /^npm:(?:manuscript:routes|preact|@preact\/signals|lucide|d3-force|prosemirror-\w+|diff)$/;
    const broken = clientFiles.flatMap((file) =>
      importsOf(file)
        .filter(
          ({ to, kind }) =>
            !pure.test(to) && !packages.test(to) && !(kind === "types" && /^contract\//.test(to)),
        )
        .map(({ to, kind }) => `${file} may not import ${to} (${kind})`),
    );
    assert.ok(clientFiles.length > 10, "the page was not found");
    assert.deepEqual(broken, []);
  });

  it("a view's style is one rule for its own class, so that it reaches no other view", () => {
    const shared = /^(?:tokens|base|bar|parts|prose|page)\.css$/;
    const style = join(import.meta.dirname, "../src/web/client/style");
    const sheets = readdirSync(style).filter((file) => file.endsWith(".css") && !shared.test(file));
    assert.ok(sheets.length > 10, "the styles were not found");
    const broken = sheets.flatMap((file) => {
      const own = `.${file.replace(".css", "")}`;
      const rules = rulesOf(readFileSync(join(style, file), "utf8"));
      const outside = rules.filter(({ depth, selector }) => depth === 0 && selector !== own);
      const beside = rules.filter(({ selector }) => /^(?:& *)?[+~]/.test(selector));
      return [...outside, ...beside].map(({ selector }) => `${file}: ${selector}`);
    });
    assert.deepEqual(broken, []);
  });

  it("nothing imports in a circle, neither values nor types", () => {
    assertKnown(filesInCircles(), CIRCLES, "files import each other in a circle");
  });

  it("only the driver imports better-sqlite3, and only the store holds SQL", () => {
    const drivers = files.filter((file) => importsOf(file).some(({ to }) => to === "npm:better-sqlite3"));
    assert.equal(drivers.length, 1);
    assert.match(drivers.join(), DRIVER);
    const sql = /\b(SELECT\s.+\sFROM|INSERT INTO|DELETE FROM|UPDATE\s\w+\sSET)\b/;
    assert.deepEqual(
      files.filter((file) => !file.startsWith("store/") && sql.test(read(file))),
      [],
    );
  });

  it("commands take types alone from the shapes of their answers, for zod takes longer than they do", () => {
    const loading = files.filter((file) =>
      importsOf(file).some(({ kind, to }) => kind !== "types" && to === "cli/rows/answers.ts"),
    );
    assert.deepEqual(loading, []);
  });

  it("a command that is quick loads neither a parser nor a server", () => {
    const heavy = /^npm:(?:markdown-it|prosemirror|zod|express)/;
    const quick = [
      "reading/outline",
      "reading/show",
      "reading/history",
      "writing/chapter-fields",
      "files/sync",
    ];
    const loaded = (file: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(file)) return seen;
      seen.add(file);
      if (file.endsWith(".ts"))
        for (const { to, kind } of importsOf(file)) if (kind === "value") loaded(to, seen);
      return seen;
    };
    for (const command of ["cli/main.ts", ...quick.map((name) => `cli/commands/${name}.ts`)]) {
      const all = [...loaded(command)];
      assert.ok(all.length > 1, `${command} has no imports`);
      assert.deepEqual(
        all.filter((to) => heavy.test(to)),
        [],
        command,
      );
    }
  });

  it("no function has more than 15 branches", () => {
    const branchy = files.flatMap((file) =>
      branchesIn(read(file))
        .filter(({ branches }) => branches > MOST_BRANCHES)
        .map(({ name }) => `${file}: ${name}`),
    );
    assertKnown(branchy, BRANCHY, "a function has too many branches: divide it");
  });

  it("says beside every `!` why the value is there", () => {
    const bare = files.flatMap((file) => bareAssertions(read(file)).map((line) => `${file}:${line}`));
    assert.deepEqual(bare, []);
  });

  it("no name is exported twice", () => {
    const twice = [...exportedNames()].flatMap(([name, places]) => {
      const layers = places.map((file) => LAYER.exec(file)?.[1]);
      const isOneOperation = !layers.includes(undefined) && new Set(layers).size === layers.length;
      const isInEach = places.every((file) => IN_EACH_FILE.get(name)?.test(file));
      return places.length === 1 || isOneOperation || isInEach ? [] : [name];
    });
    assertKnown(twice, TWICE, "two files export one name: qualify one");
  });

  it("nothing is exported by default", () => {
    assert.deepEqual(
      files.filter((file) => /^export default/m.test(read(file))),
      [],
    );
  });

  it("no signal is made of a time or of other signals: Node 20 lets those be collected, and they never fire", () => {
    assert.deepEqual(
      files.filter((file) => /\bAbortSignal\s*\.\s*(?:any|timeout)\s*\(/.test(read(file))),
      [],
    );
  });

  it("no list is spread into arguments: of a long one the stack overflows", () => {
    const spread =
      /\b(?:push|unshift|max|min|hypot|splice|toSpliced|fromCharCode|fromCodePoint)\((?:[^(){}]*, )?\.\.\./;
    assert.deepEqual(
      files.filter((file) => spread.test(read(file))),
      [],
      "take largest, smallest or append from text/extremes.ts",
    );
  });

  it("nothing is left undone or untyped", () => {
    const marks = /\b(TODO|FIXME|XXX)\b|@ts-ignore|@ts-expect-error|\bas any\b|: any\b/;
    assert.deepEqual(
      files.filter((file) => marks.test(read(file))),
      [],
    );
  });
});

/** The selectors of a style, each with the number of rules around it. */
function rulesOf(css: string): { selector: string; depth: number }[] {
  let depth = 0;
  return [...css.replace(/\/\*.*?\*\//gs, "").matchAll(/([^{};]*)([{}])/g)].flatMap(
    ([, before = "", brace]) => {
      if (brace === "}") depth--;
      return brace === "{" ? [{ selector: before.trim(), depth: depth++ }] : [];
    },
  );
}
