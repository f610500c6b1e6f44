import type { AnswerOf } from "../../contract/index.ts";
import { LAYOUT_NAMES, type LayoutName } from "../../files/layouts/names.ts";
import type { SyncAnswer } from "../../files/sync.ts";
import type { Account } from "../../service/account/account.ts";
import type { Key } from "../../service/account/keys.ts";
import type { Accepted } from "../../service/annotations/accept-proposals.ts";
import type { Stats } from "../../service/books/stats.ts";
import type { Diagnosis } from "../../service/health/doctor.ts";
import type { BundleSize } from "../../service/interchange/bundle.ts";
import type { ImportAnswer } from "../../service/interchange/import-book.ts";
import type { Comparison } from "../../service/prose/compare-revisions.ts";
import type { MapAnswer } from "../../service/prose/map-paragraphs.ts";
import type { ReplaceAnswer } from "../../service/prose/replace-text.ts";
import { count, flag, type JsonSchema, list, object, orNull, text, time, words } from "./json-schema.ts";
import { compared, detached, importedBook, mention } from "./schemas-import.ts";

/** `init --json`. */
export interface InitAnswer {
  /** The file's full path. */
  file: string;
  /** Names the file in its keys. */
  writer: string;
}

/** `serve --json`, one line, once it listens. */
export interface ServeAnswer {
  url: string;
  /** Full paths of the manuscripts. */
  files: string[];
  /** With `--sample`: a key for it. */
  key?: string;
}

/** `export --json`. */
export interface ExportAnswer {
  bookId: string;
  title: string;
  /** The full path. */
  folder: string;
  /** In reading order; `same` was not touched. */
  chapters: { id: string; title: string; file: string; status: "written" | "same" }[];
}

/** `export -f json --json`. */
export interface ExportBundleAnswer extends BundleSize {
  /** The full path. */
  file: string;
  bytes: number;
}

/** `import --json`: what became of each file, how they were read and why so, and the files that were left out. */
export interface ImportPathAnswer extends ImportAnswer {
  layout: LayoutName;
  why: string;
  skipped: { file: string; reason: string }[];
}

/** `import FILE.json --json`. */
export interface ImportBundleAnswer extends BundleSize {
  /** The full path of the bundle. */
  file: string;
  /** False after a dry run. */
  written: boolean;
}

/** `synopsis CHAPTER --json`. */
export interface SynopsisAnswer {
  id: string;
  synopsis: string;
}

/** `detect CHAPTER --apply --json`: the endpoint's answer, what was written of it, and the act that takes it back. */
export type DetectAnswer = AnswerOf<"detectMentions"> & { accepted: Accepted; act: string | null };

/** `check CHAPTER --dismiss FINDING --json`: what is left of the endpoint's answer, and the act that takes it back. */
export type DismissAnswer = AnswerOf<"checkConsistency"> & { dismissed: string[]; act: string | null };

/** `key create --json`: the record, and the key itself this once. */
export interface CreatedKey extends Key {
  key: string;
}

/** `completion SHELL --json`. */
export interface CompletionAnswer {
  shell: string;
  /** What the shell is to read. */
  script: string;
}

/** What the commands without an endpoint answer with `--json`. */
export interface CliAnswers {
  init: InitAnswer;
  serve: ServeAnswer;
  import: ImportPathAnswer;
  sync: SyncAnswer;
  export: ExportAnswer;
  "export -f json": ExportBundleAnswer;
  "import FILE.json": ImportBundleAnswer;
  doctor: Diagnosis;
  stats: Stats;
  replace: ReplaceAnswer;
  synopsis: SynopsisAnswer;
  diff: Comparison;
  map: MapAnswer;
  "detect --apply": DetectAnswer;
  "check --dismiss": DismissAnswer;
  "key create": CreatedKey;
  "key list": { keys: Key[]; total: number };
  "key revoke": Key;
  "account show": Account;
  "account set": Account;
  completion: CompletionAnswer;
}

const key = {
  id: text,
  name: text,
  prefix: text,
  allow: list(words("read", "ai", "write")),
  createdAt: time,
  lastUsedAt: orNull(time),
  expiresAt: orNull(time),
  revokedAt: orNull(time),
};

const account = object({
  writer: text,
  subscription: object({ active: flag, until: orNull({ type: "string", format: "date" }) }),
  allowance: object({ perMonth: orNull(count), used: { type: "integer" } }),
  credits: { type: "integer" },
  llm: orNull(
    object({ url: text, model: text, remote: flag, timeoutSeconds: { type: "number", exclusiveMinimum: 0 } }),
  ),
});

const edited = object({
  blockId: text,
  type: words("paragraph", "heading"),
  /** The paragraph's text, without marks. */
  before: text,
  after: text,
  /** UTF-16 offsets in `before`. */
  edits: list(object({ from: count, to: count, insert: text })),
});

const proposal = object(
  {
    id: text,
    type: words("mention", "new_fact", "new_alias"),
    factId: orNull(text),
    name: text,
    kind: text,
    confidence: { type: "number", minimum: 0, maximum: 1 },
    reason: text,
    occurrences: list(object({ blockId: text, from: count, to: count, text })),
    candidates: list(text),
    aliases: list(text),
  },
  ["candidates", "aliases"],
);

const finding = object({
  id: text,
  type: words("contradiction", "name_drift"),
  severity: words("info", "warn", "error"),
  message: text,
  factId: orNull(text),
  evidence: list(object({ chapterId: text, blockId: text, from: count, to: count, text })),
  suggestion: orNull(text),
  confidence: { type: "number", minimum: 0, maximum: 1 },
});

const bundleSize = { books: count, chapters: count, words: count, acts: count };
const verdict = words("ok", "warn", "fail");
const day = { type: "string", format: "date" };
const whole = { type: "integer" };

/** JSON Schema of each of those answers; every other command answers with the body of its endpoint. */
export const CLI_SCHEMAS: Readonly<Record<keyof CliAnswers, JsonSchema>> = {
  init: object({ file: text, writer: text }),
  serve: object({ url: text, files: list(text), key: text }, ["key"]),
  import: object({
    ...importedBook,
    layout: words(...LAYOUT_NAMES),
    why: text,
    skipped: list(object({ file: text, reason: text })),
  }),
  sync: object({
    ...importedBook,
    files: list(
      object({
        file: text,
        chapterId: orNull(text),
        status: words("written", "same", "gone", "deleted", "orphaned", "removed", "conflict", "busy"),
      }),
    ),
    deletions: list(text),
  }),
  export: object({
    bookId: text,
    title: text,
    folder: text,
    chapters: list(object({ id: text, title: text, file: text, status: words("written", "same") })),
  }),
  "export -f json": object({ file: text, bytes: count, ...bundleSize }),
  "import FILE.json": object({ file: text, written: flag, ...bundleSize }),
  doctor: object({
    file: text,
    status: verdict,
    checks: list(object({ name: text, status: verdict, found: text, remedy: orNull(text) })),
  }),
  stats: object({
    bookId: text,
    title: text,
    wordCount: count,
    chapterCount: count,
    chapters: object({ draft: count, revising: count, done: count }),
    goal: orNull(
      object({
        targetWords: count,
        deadline: orNull(day),
        dailyWords: orNull(count),
        remainingWords: count,
        wordsPerDay: orNull(count),
      }),
    ),
    today: object({ net: whole, goal: orNull(count) }),
    streak: count,
    average: whole,
    daysToTarget: orNull(count),
    days: list(object({ date: day, added: whole, removed: whole, imported: whole, net: whole })),
  }),
  replace: object({
    bookId: text,
    title: text,
    replaced: count,
    skipped: count,
    chapters: list(
      object({
        id: text,
        title: text,
        wordCount: count,
        revision: count,
        paragraphs: list(edited),
        mentionsDropped: list(mention),
      }),
    ),
    act: orNull(text),
  }),
  synopsis: object({ id: text, synopsis: text }),
  diff: object({ ...compared, from: count, to: count }),
  map: object({
    chapters: list(
      object({
        ...compared,
        revision: count,
        mentionsDropped: list(mention),
        snippetsDetached: list(detached),
      }),
    ),
    act: orNull(text),
  }),
  "detect --apply": object({
    chapterId: text,
    revision: count,
    engine: text,
    proposals: list(proposal),
    accepted: object({
      proposals: list(text),
      facts: list(object({ id: text, name: text, kind: text })),
      aliases: list(object({ factId: text, alias: text })),
      mentions: count,
    }),
    act: orNull(text),
  }),
  "check --dismiss": object({
    chapterId: text,
    revision: count,
    engine: text,
    findings: list(finding),
    dismissed: list(text),
    act: orNull(text),
  }),
  "key create": object({ ...key, key: text }),
  "key list": object({ keys: list(object(key)), total: count }),
  "key revoke": object(key),
  "account show": account,
  "account set": account,
  completion: object({ shell: text, script: text }),
};
