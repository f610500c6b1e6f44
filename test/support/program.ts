import { resolve } from "node:path";

/** The built program, for measurements that run it in a process of its own. */
export const PROGRAM = resolve(import.meta.dirname, "../../bin/manuscript.js");
