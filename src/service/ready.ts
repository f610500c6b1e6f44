import type { AnswerOf, EndpointId } from "../contract/index.ts";

/**
 * A finished answer of an operation: JSON as bytes, made by the file itself, sent as it is. `answer` is never set: it
 * ties the body to the row that it answers.
 */
export interface Ready<Id extends EndpointId> {
  body: Buffer;
  readonly answer?: AnswerOf<Id>;
}
