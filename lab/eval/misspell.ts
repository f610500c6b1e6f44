/** Spellings that writers confuse by ear. */
const SOUNDS =
  `c:k k:c ph:f f:ph i:y y:i ie:y th:t ck:k s:z z:s ee:ea ai:ay ei:ie oo:u ll:l nn:n tt:t rr:r l:ll n:nn t:tt er:or
ey:y on:en an:en ine:yn gh: w:wh a:e e:a o:a`
    .split(/\s+/)
    .map((pair) => pair.split(":") as [string, string]);
const TRIES = 40;

/** The name as it is misspelt: by ear two times of three, else letters swapped, doubled or dropped; undefined where none fits. */
export function misspell(name: string, random: () => number): string | undefined {
  const lower = name.toLowerCase();
  for (let tries = 0; tries < TRIES; tries++) {
    const variant = random() < 0.65 ? byEar(lower, random) : byHand(lower, random);
    if (variant === undefined || variant === lower || variant.length < 3) continue;
    return variant.charAt(0).toUpperCase() + variant.slice(1);
  }
  return undefined;
}

function byEar(name: string, random: () => number): string | undefined {
  const [sound, other] = SOUNDS[Math.floor(random() * SOUNDS.length)]!; // below its length
  const at = name.indexOf(sound);
  return at < 0 ? undefined : name.slice(0, at) + other + name.slice(at + sound.length);
}

function byHand(name: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (name.length - 1));
  const way = random();
  if (way < 0.4) return name.slice(0, at) + (name[at + 1] ?? "") + name[at] + name.slice(at + 2);
  if (way < 0.7) return name.slice(0, at) + name.slice(at + 1);
  return name.slice(0, at) + name[at] + name.slice(at);
}

const LAYOUTS = [
  "qwertyuiop asdfghjkl zxcvbnm",
  "azertyuiop qsdfghjklm wxcvbn",
  "qwertzuiop asdfghjkl yxcvbnm",
];
const VOWELS = "aeiou";

/** The ways in which a name slips, each by itself: undefined where a name gives no occasion. */
export const SLIPS: Readonly<Record<string, (name: string, random: () => number) => string | undefined>> = {
  transposed: (name, random) => {
    const at = 1 + Math.floor(random() * (name.length - 2));
    return name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2);
  },
  dropped: (name, random) => {
    const at = 1 + Math.floor(random() * (name.length - 1));
    return name.slice(0, at) + name.slice(at + 1);
  },
  doubled: (name, random) => {
    const at = 1 + Math.floor(random() * (name.length - 1));
    return name.slice(0, at) + name[at] + name.slice(at);
  },
  undoubled: (name) => {
    const at = name.search(/(.)\1/);
    return at < 0 ? undefined : name.slice(0, at) + name.slice(at + 1);
  },
  vowel: (name, random) => {
    const places = [...name].flatMap((letter, at) => (at > 0 && VOWELS.includes(letter) ? [at] : []));
    const at = places[Math.floor(random() * places.length)];
    const other = VOWELS[Math.floor(random() * VOWELS.length)] ?? "";
    return at === undefined ? undefined : name.slice(0, at) + other + name.slice(at + 1);
  },
  phonetic: (name, random) => byEar(name, random),
  keyboard: (name, random) => {
    const at = 1 + Math.floor(random() * (name.length - 1));
    const layout = LAYOUTS[Math.floor(random() * LAYOUTS.length)] ?? "";
    const near = keysBeside(layout.split(" "), name[at] ?? "");
    const key = near[Math.floor(random() * near.length)];
    return key === undefined ? undefined : name.slice(0, at) + key + name.slice(at + 1);
  },
};

/** The keys left and right of one, and those that touch it in the rows above and below. */
function keysBeside(rows: readonly string[], key: string): string[] {
  const row = rows.findIndex((keys) => keys.includes(key));
  const at = rows[row]?.indexOf(key) ?? -1;
  const around: readonly [number, number][] = [
    [row, at - 1],
    [row, at + 1],
    [row - 1, at],
    [row - 1, at + 1],
    [row + 1, at - 1],
    [row + 1, at],
  ];
  return around.flatMap(([one, place]) => rows[one]?.[place] ?? []);
}
