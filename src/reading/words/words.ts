const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Verbs that carry speech; whoever is next to one is a person. */
export const SPEECH_VERBS = set(
  "said says say asked asks replied replies cried cries answered answers returned exclaimed whispered whispers murmured muttered remarked observed continued added repeated inquired enquired interrupted declared responded rejoined shouted yelled called screamed snapped growled sighed laughed grinned demanded suggested announced explained admitted agreed protested insisted stammered gasped groaned sobbed snarled hissed began quoth ventured retorted echoed pleaded mumbled drawled concluded faltered ejaculated persisted assented chuckled croaked",
);

/** Verbs of what people do, in the forms that follow a name. */
export const PERSON_VERBS = set(
  "thought felt looked turned went came stood sat knew saw could would did told spoke took smiled nodded shook shrugged frowned laughed blushed walked ran rose got gave heard wanted wished loved hated hoped feared believed understood remembered forgot knelt leaned leant stared glanced gazed listened waited paused hesitated put held caught drew pulled pushed sprang jumped started threw found tried wrote read ate drank slept woke left entered arrived married died lived kissed bowed smoked wondered decided noticed seemed must thinks knows wants loves looks takes sits stands turns walks smiles nods sees feels hears goes comes gives holds tells asks kept met sent swore wept shivered trembled stepped hurried raised lifted dropped lay led opened closed had has himself herself who whose whom",
);

/** Prepositions that say where something is; what follows without an article is a place. */
export const PLACE_PREPOSITIONS = set("in into through throughout across via within outside near");

/** Prepositions that lead to a place as often as to a person. */
export const WAY_PREPOSITIONS = set("at to from toward towards beyond around of over off past for");

/** Verbs after which "at Darcy" is no place. */
export const AIMING_WORDS = set(
  "look looks looked looking glance glances glanced glancing stare stares stared staring gaze gazed gazing smile smiled smiling laugh laughed laughing glare glared nod nodded angry shout shouted scream screamed point pointed pointing wink winked peer peered peering grin grinned frown frowned swear swore vexed surprised snap snapped in",
);

/** True for a word after which a name is not who acts: "nobody in Marrow would". */
export function isPreposition(key: string): boolean {
  return PLACE_PREPOSITIONS.has(key) || WAY_PREPOSITIONS.has(key) || key === "with" || key === "by";
}
