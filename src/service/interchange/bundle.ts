import { ACT_SOURCES, PROPOSAL_OPS, SNIPPET_KINDS, STATUSES } from "../../contract/enums.ts";
import { BadRequest, WouldLose } from "../../refusals.ts";
import {
  BUNDLED,
  type BundledColumn,
  type Cell,
  isBlank,
  listColumns,
  listOlderTables,
  listTables,
  loadTables,
  type Tables,
  upgradeTables,
} from "../../store/bundle.ts";
import { formatOf } from "../../store/examine.ts";
import { lastActSeq } from "../../store/journal/acts.ts";
import { type AccountPlan, readPlan, savePlan } from "../../store/rows/account.ts";
import { type BookCounts, countBook, listBooks } from "../../store/rows/books.ts";
import { hashOfPicture, insertPicture, listPictures, type NewPicture } from "../../store/rows/pictures.ts";
import { changeLanguageModel, type LanguageModel, readLanguageModel } from "../account/language-model.ts";
import { type Aspect, examine } from "../health/examine.ts";
import { assertSubscription, type Manuscript } from "../manuscript.ts";

export type { Cell };

/** Settings of a manuscript. A remote model is left out: its consent holds for one file only. */
export interface BundledSettings {
  plan: AccountPlan;
  llm: Pick<LanguageModel, "url" | "model" | "timeoutSeconds"> | null;
}

/** Everything that the writer made, history included, as plain values. */
export interface Bundle {
  /** The number of the file's format. */
  version: number;
  settings: BundledSettings;
  /** Tables of that format. */
  tables: Tables;
  /** The bytes of every picture. */
  pictures: readonly NewPicture[];
}

/** A column and its permitted values. */
export interface ShapedColumn extends BundledColumn {
  /** All permitted values, if they are few. */
  words?: readonly Cell[];
  isJson: boolean;
}

/** Tables of a bundle and their columns, in order. */
export interface BundleShape {
  version: number;
  tables: readonly { name: string; columns: readonly ShapedColumn[] }[];
}

/** Size of a bundle. */
export interface BundleSize {
  books: number;
  chapters: number;
  words: number;
  acts: number;
}

const WORDS: Readonly<Record<string, readonly Cell[]>> = {
  "chapters.status": STATUSES,
  "chapters.eol": ["lf", "crlf", "mixed"],
  "chapters.bom": [0, 1],
  "snippets.kind": SNIPPET_KINDS,
  "snippets.resolved": [0, 1],
  "proposed_edits.op": PROPOSAL_OPS,
  "proposed_edits.status": ["open", "accepted", "rejected"],
  "working_copies.written": [0, 1],
  "acts.source": ACT_SOURCES,
};
const JSON_COLUMNS = new Set([
  "books.manifest",
  "books.metadata",
  "blocks.node",
  "facts.aliases",
  "facts.attributes",
  "snippets.items",
  "snippets.detached",
  "snippets.quote",
  "snippets.replies",
  "journal.before",
  "exchanges.fields",
]);

/** Returns the shape of a bundle in today's format, from the tables themselves. */
export function bundleShape({ store }: Manuscript): BundleShape {
  const tables = BUNDLED.map((name) => ({ name, columns: listColumns(store, name) }));
  return shaped(formatOf(store), tables);
}

/** Returns the shape of a bundle in an older format. */
export function olderBundleShape(version: number): BundleShape {
  return shaped(version, listOlderTables(version));
}

function shaped(
  version: number,
  tables: readonly { name: string; columns: readonly BundledColumn[] }[],
): BundleShape {
  const shapes = tables.map(({ name, columns }) => ({
    name,
    columns: columns.map((column): ShapedColumn => {
      const key = `${name}.${column.name}`;
      const words = WORDS[key];
      return { ...column, ...(words === undefined ? {} : { words }), isJson: JSON_COLUMNS.has(key) };
    }),
  }));
  return { version, tables: shapes };
}

/** Reads the whole manuscript at one moment, and finds the first flaw that would stop it from being loaded again. */
export function readBundle({ store }: Manuscript): {
  bundle: Bundle;
  size: BundleSize;
  flaw: string | undefined;
} {
  return store.snapshot(() => {
    const model = readLanguageModel(store);
    const llm =
      model === null || model.remote
        ? null
        : { url: model.url, model: model.model, timeoutSeconds: model.timeoutSeconds };
    const bundle = {
      version: formatOf(store),
      settings: { plan: readPlan(store), llm },
      tables: listTables(store),
      pictures: listPictures(store),
    };
    return { bundle, size: sizeOf(store), flaw: firstFlaw(store) };
  });
}

/**
 * Loads a bundle into a blank manuscript, all of it or nothing: the result is checked before it is kept. Throws
 * `WouldLose` if anything was ever written there, `BadRequest` for rows that contradict each other, or a picture that has not its hash.
 */
export function loadBundle(
  manuscript: Manuscript,
  { version, settings, tables, pictures }: Bundle,
  { dryRun }: { dryRun: boolean },
): BundleSize {
  const { store } = manuscript;
  const load = () => {
    assertSubscription(manuscript);
    if (!isBlank(store)) {
      throw new WouldLose(
        `${store.path} holds a manuscript, and a bundle is a whole one. Make an empty file with "manuscript init NEW.manuscript" and import it there, with --file.`,
      );
    }
    const changed = pictures.find(({ hash, bytes }) => hashOfPicture(bytes) !== hash);
    if (changed !== undefined)
      throw inconsistent(`the picture ${changed.hash} has not the bytes of its hash`);
    try {
      loadTables(store, version === formatOf(store) ? tables : upgradeTables(tables, version));
    } catch (error) {
      throw inconsistent(error instanceof Error ? error.message : String(error));
    }
    const flaw = firstFlaw(store);
    if (flaw !== undefined) throw inconsistent(flaw);
    for (const picture of pictures) insertPicture(store, picture);
    savePlan(store, settings.plan);
    if (settings.llm !== null) changeLanguageModel(store, settings.llm);
    return sizeOf(store);
  };
  return store.setAside(load, { dryRun });
}

function inconsistent(why: string): BadRequest {
  return new BadRequest(
    `The bundle contradicts itself: ${why}. Nothing was written; export it again from its manuscript.`,
  );
}

const TOLERATED: ReadonlySet<Aspect> = new Set(["order"]); // nothing is lost by it

function firstFlaw(store: Manuscript["store"]): string | undefined {
  const { flaws } = examine(store);
  for (const [aspect, lines] of Object.entries(flaws)) {
    if (lines.length > 0 && !TOLERATED.has(aspect as Aspect)) return `${aspect}: ${lines[0]}`;
  }
  return undefined;
}

function sizeOf(store: Manuscript["store"]): BundleSize {
  const books = listBooks(store).map(({ id }) => countBook(store, id));
  const sum = (of: keyof BookCounts) => books.reduce((total, counts) => total + counts[of], 0);
  return {
    books: books.length,
    chapters: sum("chapterCount"),
    words: sum("wordCount"),
    acts: lastActSeq(store),
  };
}
