import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a whole process came to, its start and end included. */
export interface Cost {
  /** User and system, of all its threads. */
  cpuMs: number;
  /** The most memory that it held. */
  rssMb: number;
}

// The process tells by itself at its end: nothing else knows the peak of one child.
const TELL = `import{writeSync}from"node:fs";process.on("exit",()=>{const{userCPUTime:u,systemCPUTime:s,maxRSS:m}=process.resourceUsage();writeSync(3,JSON.stringify({cpuMs:(u+s)/1000,rssMb:m/1024}))});`;

/** Runs Node with these arguments and returns what it cost. Throws if it fails. */
export function costOf(args: readonly string[]): Cost {
  const { status, stderr, output } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${TELL}`, ...args],
    { encoding: "utf8", stdio: ["ignore", "ignore", "pipe", "pipe"] },
  );
  if (status !== 0) throw new Error(`${args.slice(0, 3).join(" ")} failed: ${stderr}`);
  return JSON.parse(output[3] ?? "");
}

/** CPU of a program that is not Node, in ms; undefined if it is not there. */
export function cpuOfProgram(command: string, args: readonly string[]): number | undefined {
  const { status, stderr } = spawnSync("bash", ["-c", 'time -p "$0" "$@" >/dev/null', command, ...args], {
    encoding: "utf8",
  });
  if (status !== 0) return undefined;
  const seconds = [...stderr.matchAll(/^(?:user|sys) ([\d.]+)$/gm)].map(([, value]) => Number(value));
  return 1000 * seconds.reduce((sum, value) => sum + value, 0);
}

/** CPU that all threads of a running process have used, in ms: by the scheduler's own account, elsewhere by that of `ps`. */
export function cpuMsOf(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) {
    const { stdout } = spawnSync("ps", ["-o", "time=", "-p", String(pid)], { encoding: "utf8" });
    return 1000 * stdout.split(":").reduce((seconds, part) => 60 * seconds + Number(part), 0);
  }
  const of = (task: string) => Number(readFileSync(join(tasks, task, "schedstat"), "utf8").split(" ")[0]);
  return readdirSync(tasks).reduce((all, task) => all + of(task), 0) / 1e6;
}

/** Memory that a running process holds. Linux only. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
