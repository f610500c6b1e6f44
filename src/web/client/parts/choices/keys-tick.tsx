import type { ComponentChildren, JSX } from "preact";
import { Tick } from "../fields.tsx";
import { noKeys } from "../keys.ts";

/** The box that turns the shortcuts of single letters on and off. */
export function KeysTick({ children }: { children?: ComponentChildren }): JSX.Element {
  const turn = (isOn: boolean) => {
    noKeys.value = isOn ? "" : "1";
  };
  return (
    <Tick isOn={!noKeys.value} onChange={turn}>
      Use single letters as shortcuts {children}
    </Tick>
  );
}
