import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { Await } from "../../parts/states.tsx";
import { Compaction } from "./compaction.tsx";
import { size } from "./size.ts";

/** The path and size of the file, and on request a check for damage. */
export function FileState(): JSX.Element {
  const file = useRead("readFileState", {});
  const [asked, setAsked] = useState(0);
  const {
    answer,
    refusal: fault,
    isLoading,
  } = useAnswer("checkFile", asked > 0 ? {} : undefined, {
    version: asked,
  });
  return (
    <Await read={file}>
      {({
        file: path,
        bytes,
        historyBytes,
        unusedBytes,
        logBytes,
        freeBytes,
        format,
        refusal,
        cloud,
        versions,
        movesTo,
      }) => (
        <>
          <dl>
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
            <dt>Opened by</dt>
            <dd>
              Manuscript {versions.manuscript}, file format {format}, Node {versions.node}, SQLite{" "}
              {versions.sqlite}
            </dd>
          </dl>
          {cloud !== null && <InCloud cloud={cloud} movesTo={movesTo} />}
          {refusal !== null && (
            <p class="callout" role="alert">
              {refusal}
            </p>
          )}
          <p class="acts">
            <Button disabled={isLoading} onClick={() => setAsked(asked + 1)}>
              {isLoading ? "Checking …" : "Check it for damage"}
            </Button>
          </p>
          {fault && <p role="alert">{fault}</p>}
          {answer && !isLoading && <Diagnosis {...answer} />}
          <Compaction />
        </>
      )}
    </Await>
  );
}

/** A warning of a file in a cloud folder, and an offer to move it where the program can. */
function InCloud({
  cloud,
  movesTo,
}: Pick<Answer<"readFileState">, "movesTo"> & { cloud: string }): JSX.Element {
  const warning = `This file lies in ${cloud}, which may copy or replace it while you write.`;
  if (movesTo === null)
    return (
      <p class="callout">
        {warning} Close this window, move the file to a folder of this computer alone, and keep only its
        copies in {cloud}: a copy is finished when it is written, and safe there.
      </p>
    );
  const move = () =>
    write("moveFile", {}, ({ file }) => `It moves to ${file} and opens in a new window; close this one.`);
  return (
    <div class="callout">
      <p>
        {warning} It can be moved to <code>{movesTo}</code>, and its copies stay in {cloud}: a copy is
        finished when it is written, and safe there.
      </p>
      <p class="acts">
        <Button onClick={move}>Move it, and open it there</Button>
      </p>
    </div>
  );
}

function Diagnosis({ status: state, checks }: Answer<"checkFile">): JSX.Element {
  if (state === "ok") return <p role="status">All {checks.length} checks passed.</p>;
  return (
    <ul class="callout" role="status">
      {checks
        .filter(({ status }) => status !== "ok")
        .map(({ name, found: what, remedy }) => (
          <li key={name}>
            <b>{name}</b> {what} {remedy}
          </li>
        ))}
    </ul>
  );
}
