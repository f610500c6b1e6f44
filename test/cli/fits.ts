import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import * as z from "zod";
import { COMMAND_ANSWERS, type CommandAnswer } from "../../src/cli/rows/answers.ts";
import { EXIT } from "../../src/contract/problems.ts";
import type { Ran } from "./shell.ts";

type Documented = keyof typeof COMMAND_ANSWERS;

const ajv = new Ajv2020({ formats: { "date-time": true, date: true } });
const validators = new Map<Documented, ValidateFunction>();

/** Asserts that a command answered with its documented object and no other keys, and returns it. */
export function fits<Command extends Documented>(ran: Ran, command: Command): CommandAnswer<Command> {
  assert.equal(ran.exit, EXIT.done, ran.stdout + ran.stderr);
  return documented(ran.json(), command);
}

/** Asserts that this is a command's documented object, without other keys, and returns it. */
export function documented<Command extends Documented>(answer: unknown, command: Command) {
  const validate = validators.get(command) ?? ajv.compile(z.toJSONSchema(COMMAND_ANSWERS[command]));
  validators.set(command, validate);
  assert.ok(validate(answer), `${command}: ${ajv.errorsText(validate.errors)}`);
  return answer as CommandAnswer<Command>;
}
