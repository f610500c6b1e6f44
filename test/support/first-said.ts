import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** The first that a program says on one of its pipes. Throws how it ended, and all it said, if it ends before. */
export async function firstSaid(child: ChildProcess, where: "stdout" | "stderr" = "stdout"): Promise<string> {
  const stream = child[where];
  if (stream === null) throw new Error(`its ${where} is not a pipe`);
  const talk: string[] = [];
  child.stderr?.on("data", (chunk: Buffer) => talk.push(String(chunk)));
  const [first] = await Promise.race([
    once(stream, "data"),
    once(child, "close").then(([exit, signal]) =>
      Promise.reject(new Error(`It ended with ${exit ?? signal}, and said ${talk.join("") || "nothing"}`)),
    ),
  ]);
  return String(first);
}
