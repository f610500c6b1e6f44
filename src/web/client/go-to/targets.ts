import type { JSX } from "preact";

/** Somewhere to go, or something to do. */
export interface Target {
  key: string;
  name: string;
  /** Other names of it. */
  also?: readonly string[];
  /** The name with what was found in it marked. */
  shown?: JSX.Element;
  /** Its kind, in a word. */
  kind: string;
  to?: string;
  run?: () => void;
}

const MOST = 9;

/** Those of these targets whose names hold what is typed, the closest first; without a text the first of them. */
export function closest(targets: readonly Target[], text: string): readonly Target[] {
  const wanted = fold(text).trim();
  if (wanted === "") return targets.slice(0, MOST);
  return targets
    .map((target) => ({ target, rank: rankOf(target, wanted) }))
    .filter(({ rank }) => rank < FAR)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ target }) => target);
}

const FAR = 9;

/** 0 for the very name, then its beginning, the beginning of a word, anywhere in it, letters of it in order. */
function rankOf({ name, also = [] }: Target, wanted: string): number {
  return [name, ...also].reduce(
    (best, one, index) => Math.min(best, rankOfName(fold(one), wanted) + (index > 0 ? 0.5 : 0)),
    FAR,
  );
}

function rankOfName(name: string, wanted: string): number {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted))) return 2;
  if (name.includes(wanted)) return 3;
  return isWithin(name, wanted) ? 4 : FAR;
}

function isWithin(name: string, wanted: string): boolean {
  if (wanted.length < 3) return false;
  let at = 0;
  for (const letter of name) if (letter === wanted[at]) at++;
  return at === wanted.length;
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
