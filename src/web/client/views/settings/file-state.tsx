import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Answer } from "../../api/operations.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useRead } from "../../api/reads.ts";
import { Button } from "../../parts/button.tsx";
import { size } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { Compaction } from "./compaction.tsx";

/** The path and size of the file, and on request a check for damage. */
export function FileState(): JSX.Element {
  const file = useRead("readFileState", {});
  const [diagnosis, setDiagnosis] = useState<Answer<"checkFile"> | Problem | "running">();
  const check = async () => {
    setDiagnosis("running");
    try {
      setDiagnosis(await ask("checkFile", {}));
    } catch (thrown) {
      setDiagnosis(asProblem(thrown));
    }
  };
  return (
    <Await read={file}>
      {({ file: path, bytes, historyBytes, unusedBytes, logBytes, freeBytes, format, refusal }) => (
        <>
          <dl class="facts">
            <dt>Path</dt>
            <dd>
              <code>{path}</code>
            </dd>
            <dt>This file</dt>
            <dd>
              {size(bytes)}
              {historyBytes !== null && `, of that ${size(historyBytes)} history`}
              {unusedBytes !== null && unusedBytes > 0 && ` and ${size(unusedBytes)} unused`}
              {logBytes > 0 && `, and ${size(logBytes)} in its log`}; {size(freeBytes)} free on the disk
            </dd>
            <dt>Format</dt>
            <dd>{format}</dd>
          </dl>
          {refusal !== null && (
            <p class="refusal" role="alert">
              {refusal}
            </p>
          )}
          <p class="acts">
            <Button disabled={diagnosis === "running"} onClick={() => check()}>
              {diagnosis === "running" ? "Checking …" : "Check it for damage"}
            </Button>
          </p>
          {diagnosis !== undefined && diagnosis !== "running" && <Diagnosis found={diagnosis} />}
          <Compaction />
        </>
      )}
    </Await>
  );
}

function Diagnosis({ found }: { found: Answer<"checkFile"> | Problem }): JSX.Element {
  if (found instanceof Error) return <p role="alert">{found.message}</p>;
  if (found.status === "ok") return <p role="status">All {found.checks.length} checks passed.</p>;
  return (
    <ul class="checks" role="status">
      {found.checks
        .filter(({ status }) => status !== "ok")
        .map(({ name, found: what, remedy }) => (
          <li key={name}>
            <b>{name}</b> {what} {remedy}
          </li>
        ))}
    </ul>
  );
}
