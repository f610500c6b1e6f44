import * as access from "./access.ts";
import * as ai from "./ai.ts";
import * as annotations from "./annotations.ts";
import * as desktop from "./desktop.ts";
import * as files from "./files.ts";
import * as help from "./help.ts";
import * as milestones from "./milestones.ts";
import * as proposals from "./proposals.ts";
import * as reading from "./reading.ts";
import {
  type CommandRow,
  type CommandsOf,
  type Families,
  type FamilyRow,
  type RunCommand,
  slotsOf,
  type WrittenRows,
} from "./rows.ts";
import * as structure from "./structure.ts";
import * as writing from "./writing.ts";

/** Commands under one heading of the help. */
interface CommandGroup {
  heading: string;
  ROWS: readonly CommandRow[];
  FAMILIES: readonly FamilyRow[];
}

type FirstWord<Name> = Name extends `${infer Word} ${string}` ? Word : Name & string;

/** The file of each command, by the first word of its name. */
type FilesOf<Rows extends WrittenRows> = {
  [Word in FirstWord<keyof Rows>]: () => Promise<{ COMMANDS: CommandsOf<Rows, Word> }>;
};

function group<Rows extends WrittenRows>(
  heading: string,
  { ROWS, FAMILIES = {} }: { ROWS: Rows; FAMILIES?: Families },
  load: FilesOf<Rows>,
): CommandGroup {
  const rows = Object.entries(ROWS).map(([name, { takes = {}, ...row }]) => {
    const slots = slotsOf(takes);
    const isOption = ({ flags }: { flags: string }) => flags.startsWith("-");
    const word = name.split(" ")[0] as keyof FilesOf<Rows>; // as `FilesOf` has them
    return {
      ...{
        name,
        ...row,
        options: slots.filter(isOption),
        arguments: slots.filter((slot) => !isOption(slot)),
      },
      load: async () => ((await load[word]()).COMMANDS as Record<string, RunCommand>)[name]!, // as `CommandsOf` has them
    };
  });
  const families = Object.entries(FAMILIES).map(([name, family]) => ({ name, ...family }));
  return { heading, ROWS: rows, FAMILIES: families };
}

/** Every command, in the help's order. */
export const GROUPS: readonly CommandGroup[] = [
  group("The manuscript:", files, {
    init: () => import("../commands/files/init.ts"),
    use: () => import("../commands/files/init.ts"),
    serve: () => import("../commands/files/serve.ts"),
    open: () => import("../commands/files/open.ts"),
    import: () => import("../commands/files/import.ts"),
    sync: () => import("../commands/files/sync.ts"),
    export: () => import("../commands/files/export.ts"),
    backup: () => import("../commands/files/backup.ts"),
    compact: () => import("../commands/files/compact.ts"),
    doctor: () => import("../commands/files/doctor.ts"),
    rescue: () => import("../commands/files/rescue.ts"),
  }),
  group("Reading:", reading, {
    books: () => import("../commands/reading/outline.ts"),
    outline: () => import("../commands/reading/outline.ts"),
    show: () => import("../commands/reading/show.ts"),
    search: () => import("../commands/reading/search.ts"),
    history: () => import("../commands/reading/history.ts"),
    watch: () => import("../commands/reading/watch.ts"),
    diff: () => import("../commands/reading/diff.ts"),
    stats: () => import("../commands/reading/stats.ts"),
    report: () => import("../commands/reading/report.ts"),
  }),
  group("Writing:", writing, {
    edit: () => import("../commands/writing/edit.ts"),
    write: () => import("../commands/writing/write.ts"),
    restore: () => import("../commands/writing/restore.ts"),
    replace: () => import("../commands/writing/replace.ts"),
    status: () => import("../commands/writing/chapter-fields.ts"),
    synopsis: () => import("../commands/writing/chapter-fields.ts"),
    map: () => import("../commands/writing/map.ts"),
    undo: () => import("../commands/writing/undo.ts"),
  }),
  group("Structure:", structure, {
    chapter: () => import("../commands/structure/chapter.ts"),
    part: () => import("../commands/structure/part.ts"),
    book: () => import("../commands/structure/book.ts"),
    goal: () => import("../commands/structure/goal.ts"),
  }),
  group("Drafts:", milestones, { milestone: () => import("../commands/structure/milestone.ts") }),
  group("Beside the prose:", annotations, {
    facts: () => import("../commands/annotations/facts.ts"),
    notes: () => import("../commands/annotations/notes.ts"),
  }),
  group("Review:", proposals, { proposals: () => import("../commands/review/proposals.ts") }),
  group("Asking the engine:", ai, {
    detect: () => import("../commands/ai/detect.ts"),
    check: () => import("../commands/ai/check.ts"),
  }),
  group("Keys, account, API:", access, {
    key: () => import("../commands/access/key.ts"),
    account: () => import("../commands/access/account.ts"),
    api: () => import("../commands/access/api.ts"),
    mcp: () => import("../commands/access/mcp.ts"),
  }),
  group("On the desktop:", desktop, {
    app: () => import("../commands/desktop/app.ts"),
  }),
  group("Help:", help, { completion: () => import("../commands/help/completion.ts") }),
];
