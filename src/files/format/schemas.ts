import { BOOK_KEYS, FACT_KEYS, type FileKeys, FRONT_MATTER_KEYS, NOTE_KEYS } from "./keys.ts";

/** A file of a folder that editors can check while it is written. */
export interface FolderFile {
  /** As the folder calls it; what it is, for front matter. */
  name: string;
  about: string;
  /** Whether the file is a list of entries that have the keys. */
  isList: boolean;
  keys: FileKeys<string>;
  /** Its schema, relative to the folder. */
  schema: string;
}

/** Where a folder has the schemas of its files: hidden, in the folder itself, so that they are found offline and anywhere. */
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

/** The JSON Schema of a file, draft 7, which is what editors read. */
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

/** The schemas as files of a folder. */
export function schemaFiles(): { file: string; bytes: Buffer }[] {
  return FOLDER_FILES.map((file) => ({
    file: file.schema,
    bytes: Buffer.from(`${JSON.stringify(schemaOf(file), null, 2)}\n`),
  }));
}

/** The line by which editors find the schema of a file of this name; it is the first of a file that is new. */
export function schemaLine(name: string): string {
  const file = FOLDER_FILES.find((other) => other.name === name);
  return file === undefined ? "" : `# yaml-language-server: $schema=${file.schema}\n`;
}
