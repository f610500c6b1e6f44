import { type ComponentType, h, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Loading } from "./states.tsx";

type Loaded<Props> = { View: ComponentType<Props> } | "failed";

/** A component that is loaded when it is first shown, and from then on there at once. */
export function later<Props extends object>(
  load: () => Promise<{ View: ComponentType<Props> }>,
): ComponentType<Props> {
  let loaded: Loaded<Props> | undefined;
  return function Later(props: Props): JSX.Element {
    const [, showAgain] = useState(0);
    useEffect(() => {
      if (typeof loaded === "object") return;
      load()
        .catch(load)
        .catch((): "failed" => "failed")
        .then((found) => {
          loaded = found;
          showAgain((count) => count + 1);
        });
    }, []);
    if (loaded === undefined) return <Loading />;
    if (loaded === "failed") return <Gone />;
    return h(loaded.View, props);
  };
}

/** The server has another version of the page by now, or does not answer. */
function Gone(): JSX.Element {
  return (
    <p class="callout" role="alert">
      This part of the page could not be loaded.{" "}
      <Button onClick={() => location.reload()}>Load the page again</Button>
    </p>
  );
}
