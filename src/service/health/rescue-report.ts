import type { ChapterFinding, ParagraphFinding } from "../../store/rescue.ts";
import { counted, grouped, localTime, oneLine } from "../../text/columns.ts";
import type { Rescued } from "./rescue.ts";

/** A chapter as the report tells of it. */
interface Chapter {
  id: string;
  title: string;
  state: "whole" | "part" | "lost";
  words: number;
  /** Paragraphs that are known to be missing, and those that are, or may be, as they were some time ago. */
  missing: number;
  older: number;
}

/** The report of a rescue. */
interface RescueReport {
  /** Nothing is missing, and nothing older than it was. */
  isWhole: boolean;
  /** In reading order. */
  chapters: Chapter[];
  /** Other losses, and other things that are older, a sentence each. */
  losses: string[];
  /** All of it in words, for a frightened writer. */
  text: string;
}

/** Tells what came back of the manuscript of this name, and what did not. `folders` hold it as Markdown. */
export function reportOf(
  rescued: Rescued,
  { name, folders }: { name: string; folders: readonly string[] },
): RescueReport {
  const told = inOrder(rescued).map((finding) => ({ finding, chapter: chapterOf(rescued, finding) }));
  const chapters = told.map(({ chapter: { paragraphs: _, ...chapter } }) => chapter);
  const losses = lossesOf(rescued);
  const isWhole = losses.length === 0 && chapters.every(({ state }) => state === "whole");
  const of = (state: Chapter["state"]) => told.filter(({ chapter }) => chapter.state === state);
  const sections = [
    `# ${sumOf(chapters)}${rescued.salvage.isCut ? ", but the newest saves are missing" : ""}`,
    [
      `The new manuscript is \`${name}\`, beside this report. ${inMarkdown(folders)}`,
      "The damaged file was only read, and is as it was. Keep it until you have looked through this.",
      ...((rescued.salvage.account.tables.keys ?? []).length === 0 ? [] : [KEYS_KEPT]),
      ...(isWhole ? ["Nothing that was written is missing, as far as anything in the file tells."] : []),
    ].join(" "),
    ...listOf(
      "Chapters that are here in part",
      [
        ...(of("part").length === 0 || rescued.history.isWhole ? [] : [UNSURE]),
        ...of("part").map(({ finding, chapter }) => partOf(finding, chapter)),
      ],
      "\n\n",
    ),
    ...listOf(
      "Chapters that are lost",
      of("lost").map(({ chapter }) => `- ${titled(chapter)}: nothing of its text was found.`),
    ),
    ...listOf(
      "What else is missing or older",
      losses.map((loss) => `- ${loss}`),
    ),
    ...listOf(
      "Chapters that are whole",
      of("whole").map(({ finding, chapter }) =>
        [`- ${titled(chapter)}, ${counted(chapter.words, "word")}`, ...copiedOf(finding)].join(". "),
      ),
    ),
  ];
  return { isWhole, chapters, losses, text: `${sections.join("\n\n")}\n` };
}

function listOf(heading: string, lines: readonly string[], between = "\n"): string[] {
  return lines.length === 0 ? [] : [`## ${heading}`, lines.join(between)];
}

function inMarkdown(folders: readonly string[]): string {
  if (folders.length === 0) return "";
  return `The same text is there as Markdown: ${folders.map((folder) => `\`${folder}/\``).join(", ")}.`;
}

/** Chapters by their books and places, as far as these are known. */
function inOrder({ salvage }: Rescued): ChapterFinding[] {
  const key = ({ row }: ChapterFinding) => `${row?.book_id ?? "~"} ${row?.rank ?? "~"}`;
  return [...salvage.chapters].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function chapterOf({ chapters }: Rescued, finding: ChapterFinding): Chapter & { paragraphs: number } {
  const { id, isProved, blocks, paragraphs, row } = finding;
  const missing = paragraphs.filter(({ kind }) => kind === "missing").length;
  const older = paragraphs.filter(({ kind }) => kind === "older" || kind === "doubtful").length;
  const isEmpty = blocks.length === 0 && (missing > 0 || row === undefined || Number(row.block_count) > 0);
  const state = isProved ? "whole" : isEmpty ? "lost" : "part";
  return { id, ...(chapters.get(id) ?? NOTHING), state, missing, older };
}

const NOTHING = { title: "", words: 0, paragraphs: 0 };

function sumOf(chapters: readonly Chapter[]): string {
  const count = (state: Chapter["state"]) => chapters.filter((chapter) => chapter.state === state).length;
  const [whole, part, lost] = [count("whole"), count("part"), count("lost")];
  const all = chapters.length;
  if (all === 0) return "No chapter was found";
  if (all === 1) return `The one chapter is ${whole === 1 ? "whole" : part === 1 ? "here in part" : "lost"}`;
  if (whole === all) return `All ${all} chapters are whole`;
  const sum = `${whole} of ${grouped(all)} chapters ${whole === 1 ? "is" : "are"} whole`;
  const rest = [
    ...(part === 0 ? [] : [`${part} ${part === 1 ? "is" : "are"} here in part`]),
    ...(lost === 0 ? [] : [`${lost} ${lost === 1 ? "is" : "are"} lost`]),
  ];
  return [sum, ...rest].join(", ");
}

function titled({ title, id }: Pick<Chapter, "title" | "id">): string {
  return `**${title}** (${id})`;
}

function partOf(finding: ChapterFinding, chapter: Chapter & { paragraphs: number }): string {
  const told = [...finding.paragraphs]
    .filter(({ kind }) => kind !== "same")
    .sort((a, b) => ((a.rank ?? "~") < (b.rank ?? "~") ? -1 : 1));
  const { rowOrigin, lostMentions, row } = finding;
  const expected = Number(row?.block_count ?? 0);
  const lines = [
    ...missingIn(finding, told).map((line) => `- ${line}`),
    ...told
      .filter(({ kind }) => kind !== "missing")
      .map((paragraph) => `- ${sentenceOf(finding, paragraph)}`),
    ...copiedOf(finding).map((line) => `- ${line}.`),
    ...(lostMentions === 0
      ? []
      : [
          `- ${counted(lostMentions, "link")} to the story map ${lostMentions === 1 ? "is" : "are"} missing.`,
        ]),
    ...(rowOrigin === undefined ? [] : [`- ${rowSentence(rowOrigin)}`]),
    ...(told.length > 0 ? [] : [`- ${UNEXPLAINED}`]),
  ];
  const { paragraphs, words } = chapter;
  const of = expected > 0 ? ` of the ${expected} that it counted when it was written last` : "";
  const here = `${counted(paragraphs, "paragraph")}${of} ${paragraphs === 1 ? "is" : "are"} here, each item of a list counted by itself: ${counted(words, "word")}.`;
  return `### ${chapter.title} (${chapter.id})\n\n${here}\n\n${lines.join("\n")}`;
}

const UNSURE =
  "The history that would tell of more is damaged: what was written last may be missing without being named. Read these chapters through.";
const UNEXPLAINED =
  "Every paragraph that anything tells of is here, but what says that this is all of it, as it was written last, is damaged. Read it through.";

function rowSentence(origin: NonNullable<ChapterFinding["rowOrigin"]>): string {
  return origin === "nothing"
    ? "What was stored of the chapter besides its text is gone: its status and synopsis, and perhaps its title and its place."
    : `Its title, status and synopsis are as they were in the copy \`${origin.copy}\` of ${dayOf(origin.at)}.`;
}

const LONGEST_QUOTE = 80;

/** Tells of missing paragraphs, in one sentence for each place where some stood. */
function missingIn(finding: ChapterFinding, told: readonly ParagraphFinding[]): string[] {
  const places = told.filter(({ kind }) => kind === "missing").map(({ rank }) => placeIn(finding, rank));
  return [...new Set(places)].map((place) => {
    const count = places.filter((each) => each === place).length;
    const [what, text] =
      count === 1 ? ["a paragraph", "its text"] : [counted(count, "paragraph"), "their text"];
    return `Missing: ${what} ${place}. Nothing that was found holds ${text}.`;
  });
}

function sentenceOf(finding: ChapterFinding, { id, kind, origin }: ParagraphFinding): string {
  const own = finding.blocks.find((row) => row.id === id);
  const quote = `“${oneLine(String(own?.source ?? ""), LONGEST_QUOTE)}”`;
  if (origin === undefined)
    return `Perhaps: ${quote} stood outside of the chapter's list; it may have been deleted.`;
  const from = origin.from === "a copy" ? `, taken from the copy \`${origin.copy}\`` : "";
  const since =
    origin.from === "a copy" ? `as it was on ${dayOf(origin.at)}` : `as it was until ${dayOf(origin.at)}`;
  return kind === "older"
    ? `Older: ${quote} is ${since}${from}; what was written in it later is missing.`
    : `Perhaps older: ${quote} is as it was until ${dayOf(origin.at)}, unless it was changed back since.`;
}

function dayOf(at: number | undefined): string {
  return at === undefined ? "a day that is not known" : localTime(new Date(at).toISOString());
}

function placeIn({ blocks }: ChapterFinding, rank: string | undefined): string {
  if (rank === undefined) return "at a place that is not known";
  const before = [...blocks]
    .filter((row) => String(row.rank) < rank)
    .sort((a, b) => (String(a.rank) < String(b.rank) ? -1 : 1))
    .at(-1);
  if (before === undefined) return "at the beginning";
  return `behind “${oneLine(String(before.source), LONGEST_QUOTE)}”`;
}

/** Which copies stand in for what the file has lost, though nothing is older by it. */
function copiedOf({ paragraphs }: ChapterFinding): string[] {
  const copies = paragraphs.flatMap(({ kind, origin }) =>
    kind === "same" && origin?.copy ? [origin.copy] : [],
  );
  return [...new Set(copies)].map((copy) => {
    const count = copies.filter((each) => each === copy).length;
    return `${counted(count, "paragraph")} ${count === 1 ? "was" : "were"} taken from the copy \`${copy}\`; nothing was written in ${count === 1 ? "it" : "them"} since`;
  });
}

const NOUNS: Readonly<Record<string, string>> = {
  books: "book",
  goals: "goal",
  parts: "part",
  facts: "entry of the story map",
  snippets: "note",
  dismissals: "dismissed finding",
  fact_merges: "merged entry of the story map",
  proposals: "proposal",
  proposed_edits: "proposed change",
  milestones: "milestone",
  book_pictures: "picture's place",
};
const PLURALS: Readonly<Record<string, string>> = {
  facts: "entries of the story map",
  fact_merges: "merged entries of the story map",
};

function lossesOf({ salvage, history }: Rescued): string[] {
  const { newerFormat } = salvage;
  return [
    ...(newerFormat === undefined ? [] : [newerLoss(newerFormat)]),
    ...rowLosses(salvage),
    ...logLosses(salvage),
    ...accountLosses(salvage.account),
    // A whole history names every row that is missing.
    ...(salvage.gone === 0 || history.isWhole ? [] : [pagesGone(salvage)]),
    ...(history.isWhole ? [] : [historyLoss(history)]),
  ];
}

function newerLoss(format: number): string {
  return `Whatever a newer version of Manuscript keeps in ways of its own: the file has format ${format}, which this version does not know. Rescue it with that version as well.`;
}

function rowLosses({
  others,
  pictures,
  lostBooks,
  droppedMentions,
  detachedNotes,
}: Rescued["salvage"]): string[] {
  const rows = [...others].flatMap(([table, { lost, older, lostNames }]) => {
    const many = (count: number) => counted(count, NOUNS[table] ?? table, PLURALS[table]);
    return [
      ...(lost === 0
        ? []
        : [`${many(lost)} ${lost === 1 ? "is" : "are"} missing${calledBy(lostNames, lost)}.`]),
      ...(older === 0 ? [] : [`${many(older)} ${older === 1 ? "is" : "are"} as some time ago.`]),
    ];
  });
  return [
    ...picturesLost(pictures.lost),
    ...lostBooks.map((id) => `The title of the book ${id} is lost, unless its history had an older one.`),
    ...rows,
    ...(droppedMentions === 0
      ? []
      : [`${counted(droppedMentions, "link")} to the story map had to go, for what they stood at is gone.`]),
    ...(detachedNotes === 0
      ? []
      : [
          `${counted(detachedNotes, "note")} lost the paragraph that it stood beside; it is with its chapter.`,
        ]),
  ];
}

function picturesLost(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const names = files.map((file) => `\`${oneLine(file, LONGEST_QUOTE)}\``).join(", ");
  return [
    `${counted(files.length, "picture")} did not come back whole: ${names}. Import or sync the folder that has ${files.length === 1 ? "it" : "them"} again.`,
  ];
}

function logLosses({ badFrames, isCut, isForeign }: Rescued["salvage"]): string[] {
  return [
    ...(badFrames === 0
      ? []
      : [
          `${counted(badFrames, "page")} of the log of the newest saves could not be read; a save from then may be missing.`,
        ]),
    ...(isCut ? [CUT_LOG] : []),
    ...(isForeign ? [FOREIGN_LOG] : []),
  ];
}

function pagesGone({ gone, pageCount }: Rescued["salvage"]): string {
  return `Of the ${pageCount} pages of the file ${gone} ${gone === 1 ? "is" : "are"} gone. What stood on them may be missing without anything that tells of it.`;
}

const CUT_LOG =
  "The log of the newest saves has lost its end. All that is here is as it was before that: saves that came after are missing, and nothing tells which.";

const FOREIGN_LOG =
  "The log beside the file was written for another manuscript and was left out. This one's newest saves may be missing.";

/** The names of what is missing, and how many more are. */
function calledBy(names: readonly string[], count: number): string {
  if (names.length === 0) return "";
  const more = count - names.length;
  const list = names.map((name) => `“${oneLine(name, LONGEST_QUOTE)}”`).join(", ");
  return `: ${list}${more === 0 ? "" : `, and ${grouped(more)} of which nothing tells the name`}`;
}

const KEYS_KEPT =
  "API keys are taken over as hashes, for the file holds nothing else of them: programs go on with the keys that they have. Look through `manuscript key list`, in case one that was revoked is valid again.";
const KEYS_LOST =
  "API keys may be missing; `manuscript key list` shows those that are here. A program whose key is gone needs a new one.";
const CREDITS_LOST =
  "What tells of the credits is damaged: the balance that `manuscript account` shows may be wrong.";
const SETTINGS_LOST =
  "The plan and the language model may be missing, and programs whose key is refused need a new one: `manuscript account show` shows what is here.";

function accountLosses({ broken }: Rescued["salvage"]["account"]): string[] {
  const isBroken = (...tables: readonly string[]) => broken.some((table) => tables.includes(table));
  return [
    ...(isBroken("keys") ? [KEYS_LOST] : []),
    ...(isBroken("ledger", "holds") ? [CREDITS_LOST] : []),
    ...(isBroken("settings") ? [SETTINGS_LOST] : []),
  ];
}

function historyLoss({ since, lostMilestones }: Rescued["history"]): string {
  const begins = since === null ? "begins anew with this file" : `goes back to ${dayOf(since)}`;
  const names = lostMilestones.map((name) => `“${name}”`).join(", ");
  return `The history ${begins}; older revisions are gone${names === "" ? "" : `, and with them the milestones ${names}`}.`;
}
