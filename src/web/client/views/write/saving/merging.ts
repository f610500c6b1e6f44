// What a save needs when something came between: loaded as one.
export { mergeTheirs } from "../text/merge.ts";
export { findArrived } from "./doubt.ts";
