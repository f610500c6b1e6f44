import { BOOK_KEYS, FACT_KEYS, type FileKeys, FRONT_MATTER_KEYS, NOTE_KEYS } from "./keys.ts";

/** A file of a folder that editors can check while it is written. */
export interface FolderFile {
  /** File name in the folder; a description for front matter. */
  name: string;
  about: string;
  /** True if the file is a list of entries with these keys. */
  isList: boolean;
  keys: FileKeys<string>;
  /** Path of its schema, relative to the folder. */
  schema: string;
}

/** Hidden folder of the schemas. It lies in the book's folder, so that editors find it offline. */
const HIDDEN = ".schemas";

/** Every file of a folder that has keys. */
export const FOLDER_FILES: readonly FolderFile[] = [
  {
    name: "book.yaml",
    about: "What the book is called, how long it is to be, and in which order its chapters stand.",
    isList: false,
    keys: BOOK_KEYS,
    schema: `${HIDDEN}/book.schema.json`,
  },
  {
    name: "facts.yaml",
    about: "The story map: a list, an entry for each person, place or thing.",
    isList: true,
    keys: FACT_KEYS,
    schema: `${HIDDEN}/facts.schema.json`,
  },
  {
    name: "notes.yaml",
    about: "The marginalia: a list, an entry for each note.",
    isList: true,
    keys: NOTE_KEYS,
    schema: `${HIDDEN}/notes.schema.json`,
  },
  {
    name: "front matter",
    about:
      "What a chapter's file says of it besides the prose, in YAML between `---` and `---` at the very top.",
    isList: false,
    keys: FRONT_MATTER_KEYS,
    schema: `${HIDDEN}/front-matter.schema.json`,
  },
];

/** Returns the JSON Schema of a file, draft 7, which editors read. */
export function schemaOf({ name, about, isList, keys }: FolderFile): Record<string, unknown> {
  const entry = {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(keys).map(([key, { about: said, value }]) => [key, { description: said, ...value }]),
    ),
  };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: name,
    description: about,
    ...(isList ? { type: ["array", "null"], items: entry } : { ...entry, type: ["object", "null"] }),
  };
}

/** Returns the schemas as files of a folder. */
export function schemaFiles(): { file: string; bytes: Buffer }[] {
  return FOLDER_FILES.map((file) => ({
    file: file.schema,
    bytes: Buffer.from(`${JSON.stringify(schemaOf(file), null, 2)}\n`),
  }));
}

/** Returns the line by which editors find the schema of a file. Only a new file begins with it. */
export function schemaLine(name: string): string {
  const file = FOLDER_FILES.find((other) => other.name === name);
  return file === undefined ? "" : `# yaml-language-server: $schema=${file.schema}\n`;
}
