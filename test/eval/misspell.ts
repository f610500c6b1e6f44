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
