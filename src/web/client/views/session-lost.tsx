import type { JSX } from "preact";
import { ByCode } from "./signed-out.tsx";

/** A line over a text that is being written: the session has ended, and writing goes on. */
export function View(): JSX.Element {
  return (
    <div class="offline">
      <p role="alert">
        You are signed out. Go on writing: what you type is kept in this browser, and saved once you are in
        again. On the computer that holds the manuscript, run <code>manuscript open</code>.
      </p>
      <ByCode />
    </div>
  );
}
