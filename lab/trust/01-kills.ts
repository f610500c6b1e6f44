import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { diagnose } from "../../src/service/health/doctor.ts";
import { PROGRAM } from "../../test/support/program.ts";
import { randomFrom } from "../../test/support/random.ts";
import { PART, type TrustPromise } from "./promise.ts";
import { type Desk, listLost, makeDesk, roomyFolder, type Save, serveDesk, Writer } from "./saves.ts";

const LANES = 3;
const WRITERS = 4;
/** A chapter each for so many turns: a revision is found by walking back from the newest. */
const CHAPTERS_EACH = 12;
const KILLS = 260 * PART;
const ANSWERS = 8500 * PART;
/** A server is killed after some answers, at most so many; a machine that is busy takes its time for them. */
const MOST_ANSWERS = 140;
const LONGEST_MS = 20_000;
/** A doctor's look at every so many kills of a lane. */
const DOCTOR_EVERY = 15;

const count = { servers: 0, commands: 0, answers: 0, byCommands: 0, looks: 0, withLog: 0 };

export const promise: TrustPromise = {
  number: 1,
  promise: "An answered save survives `kill -9`",
  bar: "250 kills, 8,000 answers, 4 writers over HTTP and commands beside them: 0 lost",
  measure: async () => {
    Object.assign(count, { servers: 0, commands: 0, answers: 0, byCommands: 0, looks: 0, withLog: 0 });
    const folder = mkdtempSync(join(roomyFolder(), "manuscript-kills-"));
    const seed = Number(process.env.MANUSCRIPT_SEED ?? 1);
    try {
      const lanes = Array.from({ length: LANES }, (_, lane) =>
        killAgain(join(folder, String(lane)), seed + lane),
      );
      const faults = (await Promise.all(lanes)).flat();
      const lost = faults.filter((line) => line.startsWith("lost")).length;
      const { servers, commands, answers, byCommands, looks, withLog } = count;
      if (servers + commands < 250 * PART) faults.push(`only ${servers + commands} kills`);
      if (answers < 8000 * PART) faults.push(`only ${answers} answers`);
      if (withLog < servers / 2) faults.push(`only ${withLog} kills left something in the log`);
      if (byCommands === 0) faults.push("no command was answered");
      return {
        figures: `${servers + commands} kills (${servers} of a server, ${commands} of a command; ${withLog} left a log behind), ${answers} answers (${byCommands} by commands), ${lost} lost; doctor ok ${looks} times`,
        faults,
      };
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    }
  },
};

/** Starts a server on one file, has it written to, kills it, and so on; then looks for every save in what is left. */
async function killAgain(folder: string, seed: number): Promise<string[]> {
  mkdirSync(folder);
  const random = randomFrom(seed);
  const desk = makeDesk(join(folder, "kept.manuscript"), (WRITERS + 1) * CHAPTERS_EACH);
  const own = (writer: number) => desk.chapterIds.slice(writer * CHAPTERS_EACH, (writer + 1) * CHAPTERS_EACH);
  const writers = Array.from({ length: WRITERS }, (_, at) => new Writer(desk, `writer ${at}`, own(at)));
  const commands = new Commands(desk, folder, own(WRITERS));
  const faults: string[] = [];
  const saves = () => [...writers.flatMap((writer) => writer.saves), ...commands.saves];
  for (let kill = 0; count.servers + count.commands < KILLS || count.answers < ANSWERS; kill++) {
    const before = saves().length;
    await killOnce(desk, { writers, commands, random });
    count.answers += saves().length - before;
    if ((statSync(`${desk.path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) count.withLog++;
    if (kill % DOCTOR_EVERY === 0) faults.push(...look(desk.path));
  }
  return [
    ...faults,
    ...[...writers, commands].flatMap(({ refused }) => refused),
    ...(await settle(desk, saves())),
  ];
}

/** One life of a server: four writers over HTTP and a command beside them, ended together at some moment. */
async function killOnce(
  desk: Desk,
  { writers, commands, random }: { writers: readonly Writer[]; commands: Commands; random: () => number },
): Promise<void> {
  const server = await serveDesk(desk);
  const until = new AbortController();
  const answered = () => writers.reduce((sum, { saves }) => sum + saves.length, 0);
  const start = answered();
  const ends = performance.now() + LONGEST_MS;
  const untilAnswers = async (wanted: number) => {
    while (answered() - start < wanted && performance.now() < ends) await wait(1);
  };
  const writing = writers.map((writer) => writer.write(server.port, until.signal));
  const most = Math.ceil(random() * MOST_ANSWERS);
  // Every other command is let go on until it has ended, or nearly.
  const isKilled = random() < 0.5;
  const command = commands.run(untilAnswers(isKilled ? random() * most : Infinity));
  await Promise.all([untilAnswers(most), isKilled ? undefined : command]);
  await wait(random() * 3); // not always when an answer has come
  until.abort();
  await server.stop("SIGKILL");
  count.servers++;
  await Promise.all([...writing, command]);
}

/** Commands that write, one at a time, most of them killed before they have ended. */
class Commands {
  readonly saves: Save[] = [];
  /** Answers that were no save. */
  readonly refused: string[] = [];
  readonly #desk: Desk;
  readonly #text: string;
  readonly #own: readonly string[];
  #turn = 0;

  constructor(desk: Desk, folder: string, own: readonly string[]) {
    this.#desk = desk;
    this.#text = join(folder, "text.md");
    this.#own = own;
  }

  /** One command, killed at a moment unless it has ended; what it has answered until then counts. */
  async run(moment: Promise<void>): Promise<void> {
    const turn = this.#turn++;
    const markdown = `The command line saved this as number ${turn}.\n\nAnd ${turn} more words.\n`;
    const chapterId = this.#own[turn % this.#own.length] ?? "";
    writeFileSync(this.#text, markdown);
    const name = `Command ${turn}`;
    const isFact = turn % 2 === 0;
    const words = isFact
      ? ["facts", "add", name, "--summary", markdown.trim()]
      : ["write", chapterId, this.#text, "--yes"];
    const child = spawn(process.execPath, [PROGRAM, ...words, "--json", "--file", this.#desk.path], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    let told = "";
    child.stdout.on("data", (chunk) => {
      told += chunk;
    });
    const ended = new Promise<void>((done) => child.once("close", () => done()));
    let isOver = false;
    void moment.then(() => {
      if (!isOver && child.kill("SIGKILL")) count.commands++;
    });
    await ended;
    isOver = true;
    if (!told.endsWith("\n")) return;
    const answer = JSON.parse(told) as { id: string; revision: number; error?: string };
    if (answer.error !== undefined) {
      this.refused.push(`${words[0]}: ${told.trim()}`);
      return;
    }
    count.byCommands++;
    this.saves.push(
      isFact
        ? { kind: "fact", id: answer.id, name, summary: markdown.trim() }
        : { kind: "prose", chapterId, revision: answer.revision, markdown },
    );
  }
}

/** Starts the server once more and stops it as one should: then the file alone, without its log, must hold every save. */
async function settle(desk: Desk, saves: readonly Save[]): Promise<string[]> {
  const server = await serveDesk(desk);
  const { exit } = await server.stop("SIGTERM");
  const faults = exit === 0 ? [] : [`a quiet stop ended with ${exit}`];
  if (existsSync(`${desk.path}-wal`)) faults.push("the log was not taken in");
  const alone = `${desk.path}.alone`;
  copyFileSync(desk.path, alone);
  return [...faults, ...look(alone), ...listLost(alone, saves)];
}

function look(path: string): string[] {
  const { status, checks } = diagnose(path);
  if (status !== "fail") count.looks++;
  return checks
    .filter((check) => check.status === "fail")
    .map(({ name, found }) => `doctor: ${name}: ${found}`);
}
