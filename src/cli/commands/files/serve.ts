import { existsSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { RunningServer } from "../../../http/server.ts";
import type { RequestWorker } from "../../../http/worker.ts";
import { BadRequest } from "../../../refusals.ts";
import { readAccount } from "../../../service/account/account.ts";
import { createKey, listKeys, revokeKey } from "../../../service/account/keys.ts";
import { TOKEN_MS } from "../../../service/account/sign-in.ts";
import { type Manuscript, retryWhileBusy } from "../../../service/manuscript.ts";
import type { Locked } from "../../../service/shelf/open-locked.ts";
import type { Windows } from "../../../service/shelf/windows.ts";
import { placeOf, tiersOf } from "../../input/arguments.ts";
import { networkOf } from "../../input/manuscript-file.ts";
import { type Call, reply } from "../../io/call.ts";
import { talk, untilStopped } from "../../io/terminal.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ROWS } from "../../rows/files.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";
import type { ShownPage } from "./browser.ts";
import { openServed, type ServedFolders, servedPlaces, serveFolders, type ToServe } from "./serve-folders.ts";

type AllOptions = OptionsOf<(typeof ROWS)["serve"]>;
type ServeOptions = Pick<AllOptions, "port"> &
  Partial<AllOptions> & {
    /** Serves as a desktop program: until the last window of the page has been closed for a while. */
    windows?: Windows;
  };

/** Of so many files in folders the links are printed; of others "manuscript open" makes one. */
const MOST_LINKS = 20;

/** The first requests have the machine to themselves. */
const WARM_AFTER_MS = 250;

/** Serves manuscripts over HTTP. */
export const COMMANDS: CommandsOf<typeof ROWS, "serve"> = {
  serve: (call, { files, ...options }) => serveUntilStopped(call, files, options),
};

/** Serves files, or else the one that the call is about. The address is on stdout once it listens, the talk on stderr. */
export async function serveUntilStopped(
  call: Call,
  files: readonly string[],
  options: ServeOptions,
): Promise<void> {
  const { sample: isSample } = options;
  const settings = await settingsOf(options);
  const toServe = isSample
    ? { files: [samplePath(call, files)], folders: [], within: [] }
    : servedPlaces(call, files);
  assertApart([...toServe.files, ...toServe.within], options);
  const { RequestWorker } = await import("../../../http/worker.ts");
  const worker = new RequestWorker();
  const shelves = await openAll(call, toServe, { ...options, worker });
  const { served, folders } = shelves;
  const manuscripts = served.map(({ manuscript }) => manuscript);
  try {
    const sample = isSample ? manuscripts[0] : undefined;
    if (sample !== undefined) await fillSample(sample);
    const { startServer } = await import("../../../http/server.ts");
    const copiesIn = folderOf(call, options);
    const shelf = folders === undefined ? {} : { shelf: folders.shelf };
    const server = await startServer({ manuscripts, ...shelf, worker, copiesIn, ...settings });
    try {
      const { windows } = options;
      const left = windows === undefined ? [] : [untilLeft(server), windows.moving];
      const stopped = Promise.race([untilStopped(call.terminal), ...left]);
      const { key, isRenewed } = sample === undefined ? {} : renewKey(sample);
      const page = await openPages(call, server, shelves, options);
      const own = key === undefined ? {} : { key };
      if (settings.isRemote) await warnOfRemote(call, options.host ?? "", server.url);
      const paths = [...served.map(({ path }) => path), ...(folders?.files ?? [])];
      await announce(
        call,
        { url: server.url, files: paths, links: page.links, ...own },
        { local: server.local, isRenewed },
      );
      await page.tell();
      for (const { path, manuscript } of served) await tellOfModel(call, path, manuscript);
      const warming = setTimeout(() => worker.warm(manuscripts), WARM_AFTER_MS);
      const schedules = await keepCopies(call, shelves, options);
      await stopped;
      page.drop();
      for (const schedule of schedules) schedule.stop();
      clearTimeout(warming);
    } finally {
      await server.close();
    }
  } finally {
    shelves.close();
  }
}

/** As long as a link may be used: the first window may take its time. */
const LEFT_MS = TOKEN_MS;
const LOOK_MS = 5000;
/** A window stays signed in for as long as anybody leaves it open. */
const APP_SESSION_MS = 90 * 86_400_000;

/** Resolves once no window has been open for a while: each keeps a connection, also while the machine sleeps. */
async function untilLeft(server: RunningServer): Promise<void> {
  for (let leftMs = 0; leftMs <= LEFT_MS; leftMs += LOOK_MS) {
    await wait(LOOK_MS, undefined, { ref: false });
    if (await server.isConnected()) leftMs = 0;
  }
}

/** All that a server serves. */
interface Shelves {
  served: readonly Locked[];
  folders: ServedFolders | undefined;
  close(): void;
}

/** Opens the files that are named, and makes folders ready to be asked for. Throws `Unavailable` if another server has any. */
async function openAll(
  call: Call,
  toServe: ToServe,
  { sample: create = false, openFiles, worker }: ServeOptions & { worker: RequestWorker },
): Promise<Shelves> {
  const warn = (message: string) => void talk(call.terminal, `Warning: ${message}`);
  const surroundings = { create, network: networkOf(call.terminal), warn };
  const most = openFiles === undefined ? {} : { most: openFiles };
  const served: Locked[] = [];
  const close = () => {
    for (const one of served) one.close();
  };
  const tellRefusal = ({ store }: Manuscript) => {
    if (store.refusal !== undefined) warn(store.refusal);
  };
  try {
    for (const path of toServe.files) served.push(await openServed(path, served, surroundings));
    for (const { manuscript } of served) tellRefusal(manuscript);
    const isFirst = (manuscript: Manuscript) => {
      tellRefusal(manuscript);
      void tellOfModel(call, manuscript.store.path, manuscript);
    };
    const folders = await serveFolders(toServe, { ...most, worker, surroundings, isFirst, warn });
    return { served, folders, close: () => [folders, { close }].forEach((one) => void one?.close()) };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * A link to the page of each manuscript, and its address in the file, for `manuscript open`; with `--open` the first is
 * shown in a browser.
 */
async function openPages(
  { terminal, json }: Call,
  server: RunningServer,
  { served, folders }: Shelves,
  { open: opens = false, app = false }: ServeOptions,
) {
  const { announceServer } = await import("../../../service/account/sign-in.ts");
  let shown: ShownPage | undefined;
  const manuscripts = served.map(({ manuscript }) => manuscript);
  const { shelf, files = [] } = folders ?? {};
  const within = files.length > MOST_LINKS ? [] : files.map((path) => () => shelf?.at(path));
  const links = [...manuscripts, ...within].map((whose, at) =>
    server.linkTo(whose, () => (at === 0 ? shown?.drop() : undefined)),
  );
  folders?.announce(server.local);
  for (const manuscript of manuscripts)
    await Promise.resolve(retryWhileBusy(() => announceServer(manuscript, server.local))).catch(
      (error: unknown) =>
        talk(terminal, `Warning: "manuscript open" will not find this server: ${String(error)}`),
    );
  if (opens) shown = (await import("./browser.ts")).showPage(terminal, links[0] ?? "", { app });
  const tell = async () => {
    if (shown === undefined || json) return;
    await (await import("./browser.ts")).tellHow(terminal, shown.opened, { app });
  };
  return { links, tell, drop: () => shown?.drop() };
}

/** Starts to keep copies of what is served; of the sample, which is made anew, only if a folder is named. */
async function keepCopies(
  call: Call,
  { served, folders }: Shelves,
  { backups = true, sample: isSample = false }: ServeOptions,
) {
  if (backups === false || (isSample && backups === true)) return [];
  const schedule = await import("../../../service/backups/schedule.ts");
  const { copiesOf } = await import("../../../service/backups/listed.ts");
  const folder = folderOf(call, { backups });
  const tell = (line: string) => void talk(call.terminal, line);
  const schedules = [
    ...served.map(({ path, manuscript }) => {
      const options = { folder: copiesOf(path, folder).folder, tell };
      return new schedule.BackupSchedule(schedule.copiedWhileOpen(manuscript), options);
    }),
    new schedule.FolderSchedule(() => folders?.shelf.files ?? [], folder, { tell }),
  ];
  for (const schedule of schedules) schedule.start();
  return schedules;
}

/** Where copies are made, if a folder is named. */
function folderOf(call: Call, { backups }: Pick<ServeOptions, "backups">): string | undefined {
  return typeof backups === "string" ? placeOf(call, backups, "--backups") : undefined;
}

async function settingsOf(options: ServeOptions) {
  const { port, host = "127.0.0.1", disable, cache, quiet, log = "line" } = options;
  const { allowRemote, allowHost = [], cors = [] } = options;
  const { addressOf, hostName, isAnyAddress, isLoopback, webOrigin } = await import("../../../http/hosts.ts");
  const disabled = disable === undefined ? [] : tiersOf("--disable", disable);
  const named = allowHost.map(hostName);
  const origins = cors.map(webOrigin);
  const address = await addressOf(host);
  const isRemote = !isLoopback(address);
  if (isRemote && !allowRemote) {
    throw new BadRequest(
      `--host ${host} can be reached from other machines, and nothing is encrypted. Leave it out and put TLS in front: ${inFront(port)}. Or add --allow-remote.`,
    );
  }
  // Whoever names an address means to be asked for it by that name.
  const own = isAnyAddress(address) ? [] : [hostName(address), ...(address === host ? [] : [hostName(host)])];
  return {
    ...{ port, host: address, isRemote, allowHosts: [...own, ...named], cors: origins, disable: disabled },
    ...(options.windows === undefined ? {} : { windows: options.windows, sessionMs: APP_SESSION_MS }),
    cacheMib: cache,
    log: quiet ? ("off" as const) : log,
  };
}

/** Throws `BadRequest` for manuscripts of one name whose copies would lie in one folder, where nothing tells them apart. */
function assertApart(paths: readonly string[], { backups }: ServeOptions): void {
  if (typeof backups !== "string") return;
  const names = paths.map((path) => basename(path));
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice === undefined) return;
  throw new BadRequest(
    `Two of them are called ${twice}, and their copies would lie in one folder; leave out --backups, or serve them apart.`,
  );
}

/** How other machines get in without anybody on the way reading along. */
function inFront(given: number | string): string {
  const port = Number(given) === 0 ? "PORT" : given;
  return `"ssh -L ${port}:127.0.0.1:${port} THIS-MACHINE" from there, or "caddy reverse-proxy --from NAME --to 127.0.0.1:${port}" here with --allow-host NAME`;
}

async function warnOfRemote({ terminal }: Call, host: string, url: string): Promise<void> {
  await talk(
    terminal,
    `Warning: ${host} can be reached from other machines, and nothing is encrypted: whoever is on the way can read prose and key. Safer: stay on 127.0.0.1, and ${inFront(new URL(url).port)}.`,
  );
}

async function announce(
  call: Call,
  answer: CommandAnswer<"serve">,
  { local, isRenewed = false }: { local: string; isRenewed?: boolean | undefined },
): Promise<void> {
  const { terminal } = call;
  await reply(call, answer, ({ url }) => url);
  if (call.json) return;
  const [own, others] = [answer.links.length, answer.files.length - answer.links.length];
  for (const [at, file] of answer.files.slice(0, own).entries()) {
    await talk(terminal, `Serving ${file}; stop with Ctrl-C.`);
    await talk(
      terminal,
      `Its page, for you: ${answer.links[at]} (once, within two minutes; then: manuscript open)`,
    );
  }
  if (others > 0)
    await talk(
      terminal,
      `Serving ${others} manuscripts, each opened when it is asked for; stop with Ctrl-C. The page of one: manuscript open --file FILE`,
    );
  // Where any address is listened on, this machine is asked by its own.
  await talk(terminal, `Docs: ${local}/docs`);
  if (answer.key === undefined) return;
  await talk(terminal, `Key, shown this once: ${answer.key}`);
  if (isRenewed)
    await talk(
      terminal,
      'It is a new one: the key of the last start opens nothing any more. One that stays: "manuscript key create --file sample.manuscript".',
    );
  await talk(terminal, `Try it:\n  curl -H "Authorization: Bearer ${answer.key}" ${answer.url}/api/v1/books`);
}

/** Says where AI calls are sent, if anywhere: with `--json` too if that is another machine. */
async function tellOfModel({ terminal, json }: Call, path: string, manuscript: Manuscript): Promise<void> {
  const { llm } = readAccount(manuscript);
  if (llm === null || (json && !llm.remote)) return;
  const { describeModel } = await import("../access/account.ts");
  await talk(terminal, `${llm.remote ? "Warning: " : ""}AI calls of ${path} go to ${describeModel(llm)}.`);
}

/** The path of the sample. Throws `BadRequest` if another manuscript is named. */
function samplePath({ terminal: { cwd }, file }: Call, files: readonly string[]): string {
  if (files.length > 0 || file !== undefined)
    throw new BadRequest("--sample serves ./sample.manuscript alone; name no other.");
  const path = join(cwd, "sample.manuscript");
  return existsSync(path) ? realpathSync(path) : path;
}

/** Puts the novel into a new sample. */
async function fillSample(manuscript: Manuscript): Promise<void> {
  const { listBooks } = await import("../../../service/list-books.ts");
  if (listBooks(manuscript).total > 0) return;
  const { plantSample, SAMPLE } = await import("../../../files/sample.ts");
  await plantSample(manuscript, SAMPLE);
}

/** A key in place of that of the last start; `isRenewed` if there was one: only its hash is known, it cannot be shown again. */
function renewKey(manuscript: Manuscript): { key: string; isRenewed: boolean } {
  const old = listKeys(manuscript).keys.filter(
    ({ name, revokedAt }) => name === "sample" && revokedAt === null,
  );
  for (const { id } of old) revokeKey(manuscript, id);
  return { key: createKey(manuscript, { name: "sample" }).key, isRenewed: old.length > 0 };
}
