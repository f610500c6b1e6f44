import type { ComponentChildren, JSX } from "preact";
import { Opener } from "./button.tsx";
import { later } from "./later.tsx";
import type { LineFormProps } from "./line-form.tsx";

/** Loaded when the first of them is opened. */
const LineForm = later(() => import("./line-form.tsx"));

type OneLineProps = Omit<LineFormProps, "onDone"> & { opener: ComponentChildren; kind?: string };

/** A button that becomes a form in one line, which closes once what is in it has been added. */
export function OneLine({ opener, kind, ...form }: OneLineProps): JSX.Element {
  return (
    <Opener text={opener} kind={kind}>
      {(close) => <LineForm {...form} onDone={close} />}
    </Opener>
  );
}
