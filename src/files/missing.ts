import { Refusal } from "../refusals.ts";

/** Something that the owner named is not there; unlike the API's own answer it may say what is, for it is all theirs. */
export class Missing extends Refusal {
  readonly code = "not_found";
}
