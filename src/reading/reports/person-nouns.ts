import type { Gender } from "../word-lists.ts";

/** Nouns that stand for a person, by whom they may mean. */
export const PERSON_NOUNS: Readonly<Record<Gender | "anyone", string>> = {
  female:
    "woman girl lady mother sister daughter wife widow aunt nurse maid bride queen grandmother niece mistress actress",
  male: "man boy gentleman father brother son husband uncle fellow lad king grandfather nephew",
  anyone:
    "captain inspector sergeant major colonel doctor professor detective constable officer soldier sailor priest prisoner child stranger driver old other guest patient teacher surgeon judge lawyer writer painter singer pianist",
};
