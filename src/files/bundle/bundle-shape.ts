import { hash } from "node:crypto";
import { z } from "zod";
import { BadRequest } from "../../refusals.ts";
import {
  type Bundle,
  type BundleShape,
  type Cell,
  olderBundleShape,
  type ShapedColumn,
} from "../../service/interchange/bundle.ts";

/** First key of a bundle. */
export const MARK = "bundle";

const Settings = z.strictObject({
  plan: z.strictObject({
    active: z.boolean(),
    until: z.iso.date().nullable(),
    allowance: z.int().nonnegative().nullable(),
  }),
  llm: z
    .strictObject({ url: z.string(), model: z.string(), timeoutSeconds: z.number().positive() })
    .nullable(),
});

/**
 * Reads a bundle from JSON text and checks every cell by its column. Throws `BadRequest` for a text that is cut off,
 * is something else, or was written by a newer version.
 */
export function readBundleText(text: string, shape: BundleShape, name: string): Bundle {
  const value = parse(text, name);
  const marked = z.looseObject({ manuscript: z.literal(MARK), version: z.int().positive() }).safeParse(value);
  if (!marked.success) {
    throw new BadRequest(
      `${name} is not a bundle as "manuscript export -f json" writes it. To take in a folder, name the folder.`,
    );
  }
  const { version: written } = marked.data;
  if (written > shape.version) {
    throw new BadRequest(
      `${name} was written by a newer version of manuscript; update this one to import it.`,
    );
  }
  assertAsWritten(text, written, name);
  const read = schemaOf(written === shape.version ? shape : olderBundleShape(written)).safeParse(value);
  if (!read.success) throw misshapen(read.error, name);
  const { version, settings, tables, pictures = [] } = read.data;
  const rows = Object.entries(tables).map(([table, { rows }]) => [table, rows as Cell[][]]);
  return {
    version,
    settings,
    tables: Object.fromEntries(rows), // the schema was made from the shape
    pictures: pictures.map(([hash, type, bytes]) => ({ hash, type, bytes: Buffer.from(bytes, "base64") })),
  };
}

/** Returns the last line of a bundle: the SHA-256, in hexadecimal, of all text before it. */
export function checksumLine(sha256: string): string {
  return `,\n"sha256":"${sha256}"}\n`;
}

/** The first version whose bundles have a checksum. */
const WITH_CHECKSUM = 3;

function assertAsWritten(text: string, version: number, name: string): void {
  const at = text.lastIndexOf(checksumLine("").slice(0, -'"}\n'.length));
  if (version < WITH_CHECKSUM && at < 0) return;
  const before = text.slice(0, Math.max(at, 0));
  if (text === before + checksumLine(hash("sha256", before))) return;
  throw new BadRequest(
    `${name} is not as it was written: its checksum does not fit, so a part of it was changed or lost. Nothing was written; export it again, or take a copy that is whole.`,
  );
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest(`${name} is not whole: it is not valid JSON. Nothing was written; export it again.`);
  }
}

function schemaOf({ version, tables }: BundleShape) {
  const shapes = tables.map(({ name, columns }) => {
    const names = tuple(columns.map((column) => z.literal(column.name)));
    const cells = tuple(columns.map(cellOf));
    return [name, z.strictObject({ columns: names, rows: z.array(cells) })] as const;
  });
  return z.strictObject({
    manuscript: z.literal(MARK),
    version: z.literal(version),
    settings: Settings,
    tables: z.strictObject(Object.fromEntries(shapes)),
    pictures: z.array(z.tuple([z.string(), z.string(), z.string()])).optional(), // none where there are none
    ...(version < WITH_CHECKSUM ? {} : { sha256: z.string() }),
  });
}

// Every table has a column.
const tuple = (items: readonly z.ZodType[]) => z.tuple(items as readonly [z.ZodType, ...z.ZodType[]]);

function cellOf({ type, isNullable, words, isJson }: ShapedColumn): z.ZodType {
  const plain =
    words !== undefined
      ? z.literal(words as string[])
      : type === "INTEGER"
        ? z.int()
        : isJson
          ? z.string().refine(isJsonText, "not JSON")
          : z.string().refine((text) => !LONE_SURROGATE.test(text), "not valid Unicode");
  return isNullable ? plain.nullable() : plain;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return !LONE_SURROGATE.test(text);
  } catch {
    return false;
  }
}

function misshapen({ issues }: z.ZodError, name: string): BadRequest {
  const [first] = issues;
  const where = first === undefined ? "" : ` at ${first.path.join("/")}: ${first.message}`;
  return new BadRequest(`${name} is not a whole bundle${where}. Nothing was written; export it again.`);
}
