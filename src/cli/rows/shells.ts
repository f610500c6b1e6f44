/** The shells whose completion there is a script for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
