import { fileURLToPath } from "node:url";
import { answerBeside, type Beside, runBeside } from "./beside.ts";
import { type CopyTarget, type MadeCopy, makeCopy } from "./make-copy.ts";

interface Job {
  from: string;
  target: CopyTarget;
}

/** A copy that is being made. */
export type Copying = Beside<MadeCopy>;

const FILE = fileURLToPath(import.meta.url);
const NAME = "copy";

/** `makeCopy` in a process of its own. */
export function copyBeside(from: string, target: CopyTarget): Copying {
  return runBeside<Job, MadeCopy>(FILE, NAME, { from, target });
}

answerBeside(FILE, NAME, ({ from, target }: Job) => makeCopy(from, target));
