/**
 * Prints how a book comes back from an editor: each novel goes out as a Word document, is edited in LibreOffice with the
 * truth written down, is edited here meanwhile, and comes in again. `MANUSCRIPT_CORPUS=folder npm run eval -- word`;
 * MANUSCRIPT_SEED chooses the edits. Needs LibreOffice with its Python (`soffice`, `python3-uno`); MANUSCRIPT_PYTHON names that if it is
 * not `python3`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leavesOfChapter } from "../../src/service/annotations/mentions.ts";
import { createSnippet, listSnippets } from "../../src/service/annotations/snippets.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { listProposals, readProposal } from "../../src/service/review/read-proposal.ts";
import { chaptersOfLeaves } from "../../src/store/rows/blocks.ts";
import { listChapters } from "../../src/store/rows/chapters.ts";
import { PROGRAM } from "../../test/support/program.ts";
import { randomFrom } from "../../test/support/random.ts";
import { report } from "../bench/report.ts";
import { listCorpus } from "./novels.ts";

const CALLER = { source: "cli" } as const;
const corpus = process.env.MANUSCRIPT_CORPUS;
const seed = Number(process.env.MANUSCRIPT_SEED ?? 1);
/** The Python that knows LibreOffice: the system's own, as a rule. */
const PYTHON = process.env.MANUSCRIPT_PYTHON ?? "python3";
const hasOffice =
  spawnSync("soffice", ["--version"]).status === 0 && spawnSync(PYTHON, ["-c", "import uno"]).status === 0;

/** Edits of each kind in a novel; words and tracked ones are more. */
const EACH = 6;
/** Paragraphs that the writer changes meanwhile, and notes that go along. */
const OWN = 20;

/** An edit of the editor's, as `word/edit.py` writes it down. */
interface Edit {
  op: string;
  id: string;
  before: string;
  /** Null for a paragraph that was deleted. */
  after: string | null;
  /** Text of a new paragraph. */
  new?: string;
  /** Text of the next paragraph, which was joined to this one. */
  other?: string;
  comment?: string;
  tracked: boolean;
}

interface Note {
  text: string | null;
  author: string | null;
  blockId: string | null;
}
interface Proposed {
  op: string;
  blockId: string | null;
  markdown: string | null;
}
interface Read {
  /** Texts by paragraph. */
  leaves: ReadonlyMap<string, string>;
  notes: readonly Note[];
  proposed: readonly Proposed[];
}

/** A manuscript in a folder of its own: documents go through the program, all else is asked within this process. */
class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), "manuscript-word-"));

  run<Answer>(...args: string[]): Answer {
    const all = [PROGRAM, ...args, "--json", "--file", this.at("book.manuscript")];
    const text = execFileSync(process.execPath, all, { encoding: "utf8", maxBuffer: 2 ** 30 });
    return JSON.parse(text) as Answer;
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  within<Result>(work: (manuscript: Manuscript) => Result): Result {
    const manuscript = openManuscript(this.at("book.manuscript"));
    try {
      return work(manuscript);
    } finally {
      manuscript.store.close();
    }
  }

  read(bookId: string): Read {
    return this.within((manuscript) => {
      const leaves = new Map<string, string>();
      for (const { id } of listChapters(manuscript.store, bookId)) {
        for (const [blockId, { text }] of leavesOfChapter(manuscript.store, id))
          leaves.set(blockId, plain(text));
      }
      const { proposals } = listProposals(manuscript, bookId, {});
      const proposed = proposals.flatMap(({ id }) => readProposal(manuscript, id).edits);
      return { leaves, notes: listSnippets(manuscript, bookId, {}).snippets, proposed };
    });
  }
}

/** Words alone: LibreOffice writes emphasis its own way, and shows the number of a footnote in the text. */
function plain(text: string): string {
  return text
    .replace(/^(?:> ?)+/gm, "")
    .replace(/\\(.)/g, "$1")
    .replace(/[*_`]/g, "")
    .replace(/(?<=[.,;:!?”’…])\d+(?= |$)/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Without its blanks: a line end within a paragraph is none in its text. */
function glued(text: string): string {
  return plain(text).replaceAll(" ", "");
}

/** How often something was right, of how often it was asked. */
class Score {
  right = 0;
  asked = 0;

  /** Counts one; what is wrong is shown. */
  add(isRight: boolean, what: unknown): void {
    this.asked++;
    if (isRight) this.right++;
    else console.error(JSON.stringify(what));
  }

  /** In per cent; 100 of nothing. */
  get share(): number {
    return this.asked === 0 ? 100 : (100 * this.right) / this.asked;
  }
}

const ids = new Score();
const comments = new Score();
const notes = new Score();
const tracked = new Score();
const own = new Score();
const untouched = new Score();

function evaluate(novel: string): void {
  const desk = new Desk();
  try {
    const random = randomFrom(seed);
    desk.run("init");
    const { bookId } = desk.run<{ bookId: string }>("import", join(corpus ?? "", novel));
    const before = desk.read(bookId);
    const long = [...before.leaves].filter(([, text]) => text.split(" ").length >= 8).map(([id]) => id);
    const pick = (count: number, from: readonly string[]) =>
      [...from].sort(() => random() - 0.5).slice(0, count); // a lab's shuffle
    desk.within((manuscript) => {
      for (const blockId of pick(OWN, long))
        createSnippet(manuscript, bookId, { kind: "note", blockId, text: `Note on ${blockId}.` }, CALLER);
    });
    const [out, back, truth] = [desk.at("out.docx"), desk.at("back.docx"), desk.at("truth.json")];
    desk.run("export", bookId, "-f", "docx", "--notes", "note", "-o", out);
    const script = join(import.meta.dirname, "word/edit.py");
    execFileSync(PYTHON, [script, out, back, truth, String(seed), String(EACH)]);
    const edits = JSON.parse(readFileSync(truth, "utf8")) as Edit[];
    const edited = new Set(edits.map(({ id }) => id));
    const mine = pick(
      OWN,
      long.filter((id) => !edited.has(id)),
    );
    desk.within((manuscript) => {
      for (const [blockId, chapterId] of chaptersOfLeaves(manuscript.store, mine)) {
        const markdown = `${before.leaves.get(blockId)} And this is mine.`;
        replaceParagraph(manuscript, { chapterId, blockId }, { markdown }, CALLER);
      }
    });
    desk.run("import", back, "--yes");
    judge(edits, { before, after: desk.read(bookId), mine });
  } finally {
    rmSync(desk.folder, { recursive: true, force: true });
  }
}

function judge(
  edits: readonly Edit[],
  { before, after, mine }: { before: Read; after: Read; mine: readonly string[] },
): void {
  for (const edit of edits) {
    if (edit.tracked) tracked.add(isProposed(edit, after.proposed), edit);
    else ids.add(isWhere(edit, before, after), { ...edit, now: after.leaves.get(edit.id) });
    if (edit.comment !== undefined)
      comments.add(
        after.notes.some(({ text, blockId }) => text === edit.comment && blockId === edit.id),
        edit,
      );
  }
  for (const { text, blockId, author } of after.notes)
    if (author === null && blockId !== null) notes.add(text === `Note on ${blockId}.`, { text, blockId });
  for (const id of mine)
    own.add(after.leaves.get(id)?.endsWith("And this is mine.") === true, after.leaves.get(id));
  const touched = new Set([...mine, ...edits.map(({ id }) => id)]);
  const joined = new Set(edits.flatMap(({ other }) => (other === undefined ? [] : glued(other))));
  for (const [id, text] of before.leaves)
    if (!touched.has(id) && !joined.has(glued(text)))
      untouched.add(after.leaves.get(id) === text, { id, text });
}

/** True if the paragraph has its id and its text, and a new one has an id of its own. */
function isWhere({ op, id, after, new: fresh }: Edit, before: Read, now: Read): boolean {
  if (after === null) return !now.leaves.has(id);
  const holder = [...now.leaves].find(([, text]) => text === plain(after))?.[0];
  // A joined paragraph may go on as either of the two.
  const isHere =
    op === "join" ? holder !== undefined && before.leaves.has(holder) : now.leaves.get(id) === plain(after);
  const other = fresh && [...now.leaves].find(([, text]) => text === plain(fresh))?.[0];
  return isHere && (fresh === undefined || (other !== undefined && !before.leaves.has(other ?? "")));
}

function isProposed({ op, id, after, new: fresh }: Edit, proposed: readonly Proposed[]): boolean {
  const here = proposed.filter(({ blockId }) => blockId === id);
  if (op === "delete") return here.some((edit) => edit.op === "delete");
  if (fresh !== undefined)
    return here.some((edit) => edit.op === "insert_after" && plain(edit.markdown ?? "") === plain(fresh));
  return here.some((edit) => edit.op === "replace" && plain(edit.markdown ?? "") === plain(after ?? ""));
}

if (corpus === undefined) console.error("word: set MANUSCRIPT_CORPUS to a folder of novels");
else if (!hasOffice) console.error("word: left out, for LibreOffice is missing (soffice and python3-uno)");
else {
  const novels = listCorpus(corpus);
  for (const novel of novels) evaluate(novel);
  const line = (what: string, { share, right, asked }: Score, least: number) => ({
    ...{ what: `${what} (${right} of ${asked})`, value: share, unit: "%" },
    ...{ bar: `≥ ${least}`, met: share >= least },
  });
  report(
    "word: a book back from an editor in LibreOffice",
    [
      line("paragraphs edited, with their ids and texts", ids, 97),
      line("the editor's comments on their paragraphs", comments, 100),
      line("own notes that went along, on theirs", notes, 100),
      line("tracked changes proposed", tracked, 99),
      line("the writer's edits meanwhile kept", own, 100),
      line("paragraphs that nobody touched as they were", untouched, 100),
    ],
    `${novels.length} novels, seed ${seed}`,
  );
}
