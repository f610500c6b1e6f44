import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { PUBLISH_FORMATS } from "../../../contract/enums.ts";
import { EXIT } from "../../../contract/problems.ts";
import { kindOfName } from "../../../files/document-kinds.ts";
import { exportApart, exportFolder, renderBook } from "../../../files/export.ts";
import { nameFolder } from "../../../files/file-names.ts";
import { pathsOf } from "../../../files/pictures.ts";
import type { OutFile } from "../../../files/write-folder.ts";
import { BadRequest, rescuing } from "../../../refusals.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import type { Critic } from "../../../service/review/export-critic.ts";
import { counted } from "../../../text/columns.ts";
import { once } from "../../../text/once.ts";
import { placeOf } from "../../input/arguments.ts";
import { resolveBook } from "../../input/resolve.ts";
import { type Call, reply } from "../../io/call.ts";
import { print, type Terminal, talk, withProgress } from "../../io/terminal.ts";
import { tellKept } from "../../output/import-report.ts";
import { tellExportedPictures, tellLeftPictures } from "../../output/pictures.ts";
import { shellWord } from "../../output/shell-word.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ROWS } from "../../rows/files.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";
import { inOwnFolder } from "./own-folder.ts";

// What few exports need is not loaded for all.
const loadAsImported = once(() => import("../../../files/export-as-imported.ts"));
const loadCritic = once(() => import("../../../service/review/export-critic.ts"));
const loadResolvePoint = once(() => import("../../input/resolve-milestone.ts"));

/** A book is read once from its beginning to its end: to keep more of the file's pages takes longer than to read them. */
const CACHE_MIB = 2;

/** Formats that are always one document; Markdown may be a folder. */
const DOCUMENTS = ["txt", ...PUBLISH_FORMATS, "pdf"] as const;

/** Options of the command. */
export type ExportOptions = OptionsOf<(typeof ROWS)["export"]>;

/** Writes a book as Markdown, into a folder or chapter after chapter to stdout; or the whole manuscript as a bundle. */
export const COMMANDS: CommandsOf<typeof ROWS, "export"> = {
  export: async (call, { book: wanted, ...given }) => {
    const options = { ...given, format: given.format ?? formatOf(call, given) };
    const { output } = options;
    if (options.format !== "json" && (options.format !== "markdown" || isOneText(call, given))) {
      const { exportDocument } = await import("./document.ts");
      return await exportDocument(call, wanted, { ...options, format: options.format });
    }
    assertTogether(call, wanted, options);
    assertOfDocument(given);
    if (options.format === "json") {
      const { exportBundle } = await import("./bundle.ts");
      return await exportBundle(call, options);
    }
    if (output !== undefined && output !== "-") assertNamesFolder(call, wanted, output);
    const manuscript = await call.open({ cacheMib: CACHE_MIB });
    const { id: bookId, title } = resolveBook(manuscript, wanted);
    const { at, asImported = false, plain = false, blockIds = false, force = false } = options;
    const critic = options.critic ? (await loadCritic()).openCritic(manuscript, bookId) : undefined;
    const how = { asImported, plain: plain || critic !== undefined, blockIds, force, mark: critic?.mark };
    const moment =
      at === undefined ? undefined : (await loadResolvePoint()).resolvePoint(manuscript, bookId, at);
    if (output === "-") {
      const { chapters, pictures } = asImported
        ? await (await loadAsImported()).renderAsImported(manuscript, bookId)
        : await renderBook(manuscript, bookId, { ...how, moment });
      await writeOut(call.terminal, chapters);
      await tellUnmarked(call.terminal, critic);
      return await tellLeftPictures(call.terminal, pathsOf(pictures));
    }
    const folder =
      output === undefined ? join(call.terminal.cwd, nameFolder(title)) : placeOf(call, output, "--output");
    await inOwnFolder(call, manuscript, { path: folder, who: "manuscript export" }, () =>
      exportInto(call, manuscript, { bookId, folder, moment }, how),
    );
    await tellUnmarked(call.terminal, critic);
  },
};

async function exportInto(
  call: Call,
  manuscript: Manuscript,
  { bookId, folder, moment }: { bookId: string; folder: string; moment: string | undefined },
  options: Record<"asImported" | "plain" | "blockIds" | "force", boolean> & {
    mark: Critic["mark"] | undefined;
  },
): Promise<void> {
  const {
    book,
    files,
    pictures,
    unsaid,
    busy,
    kept,
    damaged = [],
  } = await withProgress(call.terminal, "Exporting", async (step) => {
    const how = { ...options, step, settleMs: call.terminal.settleMs };
    if (moment !== undefined || how.mark !== undefined)
      return exportApart(manuscript, bookId, folder, { ...how, moment });
    return options.asImported
      ? (await loadAsImported()).exportAsImported(manuscript, bookId, folder, how)
      : exportFolder(manuscript, bookId, folder, how);
  });
  const answer: CommandAnswer<"export"> = {
    bookId: book.id,
    title: book.title,
    folder,
    chapters: book.chapters.map(({ id, title }, index) => {
      const { file, status } = files[index]!; // one file a chapter
      return { id, title, file, status };
    }),
    pictures,
    ...(options.asImported ? { unsaid } : {}),
    ...(busy.length === 0 ? {} : { busy }),
    ...(kept.length === 0 ? {} : { kept }),
    ...(damaged.length === 0 ? {} : { damaged }),
  };
  await reply(call, answer, ({ chapters }) => {
    const written = chapters.filter(({ status }) => status === "written").length;
    return `${folder}: ${counted(chapters.length, "chapter")}, ${counted(written, "file")} written`;
  });
  for (const sentence of unsaid) await talk(call.terminal, sentence);
  await tellExportedPictures(call.terminal, pictures);
  await tellKept(call.terminal, kept);
  await tellLeft(call, manuscript.store.path, { damaged, busy });
}

/** Tells how many proposed edits the Markdown does not show. */
async function tellUnmarked(terminal: Terminal, critic: Critic | undefined): Promise<void> {
  const left = critic?.left() ?? 0;
  if (left > 0)
    await talk(
      terminal,
      `Not shown: ${counted(left, "proposed edit")}, of a paragraph with another one, or of a kind that Markdown cannot mark. See them with "manuscript proposals".`,
    );
}

/** Tells which files were left as they are, and fails the call. */
async function tellLeft(
  call: Call,
  path: string,
  { damaged, busy }: Pick<CommandAnswer<"export">, "damaged" | "busy">,
): Promise<void> {
  for (const { id, title, file } of damaged ?? []) {
    call.fail(EXIT.failed);
    await talk(
      call.terminal,
      `Not written: ${file}. What is stored of "${title}" (${id}) is damaged; try "manuscript doctor --mend", then export again, or run: ${rescuing(path)}.`,
    );
  }
  if (busy === undefined || busy.length === 0) return;
  call.fail(EXIT.conflict);
  await talk(
    call.terminal,
    `Saved by somebody meanwhile, and left so: ${busy.join(", ")}. Bring the folder in step with "manuscript sync", or export again.`,
  );
}

/** The format that the name after `-o` ends in, unless a folder of that name is there; else Markdown. */
function formatOf(call: Call, { output }: ExportOptions): NonNullable<ExportOptions["format"]> {
  const ending = /\.(review(?=\.html$)|\w+$)/i.exec(output ?? "")?.[1]?.toLowerCase();
  const format = DOCUMENTS.find((one) => one === ending);
  if (output === undefined || format === undefined) return "markdown";
  return isFolder(placeOf(call, output, "--output")) ? "markdown" : format;
}

/** True if Markdown is wanted as one text: of the chapters that are named, or in a file with such a name. */
function isOneText(call: Call, { format, chapters, output = "-" }: ExportOptions): boolean {
  const isNamed = /\.(?:md|markdown|txt)$/i.test(output) && !isFolder(placeOf(call, output, "--output"));
  return isNamed || (format === "markdown" && chapters !== undefined);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Throws `BadRequest` for options that only one document has. */
function assertOfDocument({ chapters, notes }: ExportOptions): void {
  const [option] = Object.entries({ "--chapters": chapters, "--notes": notes }).find(([, one]) => one) ?? [];
  if (option !== undefined)
    throw new BadRequest(
      `${option} is of a document; name its format with -f: markdown, ${DOCUMENTS.join(", ")}.`,
    );
}

/** Throws `BadRequest` for a folder that is called as a single document is, unless it is there or ends in a slash. */
function assertNamesFolder(call: Call, wanted: string | undefined, output: string): void {
  const isJson = /\.json$/i.test(output);
  const kind = kindOfName(output);
  if ((!isJson && kind === undefined) || existsSync(placeOf(call, output, "--output"))) return;
  const command = `manuscript export ${wanted === undefined ? "" : `${shellWord(wanted)} `}`;
  const docx = shellWord(output.replace(/\.[^./\\]*$/, ".docx"));
  const [what, instead] = isJson
    ? [
        "a JSON file",
        `For the whole manuscript as one JSON bundle: manuscript export -f json -o ${shellWord(output)}`,
      ]
    : [kind?.called, `Make a Word document, and save that as one: ${command}-o ${docx}`];
  throw new BadRequest(
    `${output} is the name of ${what}, and -o names a folder: an export writes Markdown, one file per chapter. ${instead}`,
  );
}

/** Throws `BadRequest` for options of which one leaves no meaning to another. */
function assertTogether(call: Call, wanted: string | undefined, options: ExportOptions): void {
  const { output, format, asImported, at, critic } = options;
  if (output === "-" && call.json)
    throw new BadRequest("-o - puts the book on stdout, so --json cannot; leave one out.");
  const assertNone = (names: readonly (keyof ExportOptions)[], what: string, isMeant = false) => {
    if (!isMeant && names.every((name) => options[name] === undefined || options[name] === false)) return;
    const flags = [
      ...(isMeant ? ["the book"] : []),
      ...names.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`),
    ];
    throw new BadRequest(`${what}; leave out ${flags.slice(0, -1).join(", ")} and ${flags.at(-1)}.`);
  };
  if (format === "json")
    assertNone(
      ["plain", "asImported", "blockIds", "critic", "at"],
      "-f json puts the whole manuscript into one bundle",
      wanted !== undefined,
    );
  if (critic)
    assertNone(
      ["at", "asImported", "blockIds", "force"],
      "--critic writes the prose of today into a new folder",
    );
  if (at !== undefined)
    assertNone(["asImported", "force"], "--at writes the book as it was into a new folder");
  if (asImported) assertNone(["plain", "blockIds"], "--as-imported writes the files as they came in");
}

/** The chapters one after another, a blank line between those that do not end in one. */
async function writeOut(terminal: Terminal, files: readonly OutFile[]): Promise<void> {
  for (const [index, { bytes }] of files.entries()) {
    await print(terminal, bytes);
    if (index + 1 < files.length) await print(terminal, missingLineEnds(bytes));
  }
}

function missingLineEnds(bytes: Buffer): string {
  const end = bytes.toString("latin1", Math.max(0, bytes.length - 4)).replaceAll("\r", "");
  return end === "" || end.endsWith("\n\n") ? "" : end.endsWith("\n") ? "\n" : "\n\n";
}
