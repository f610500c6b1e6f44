import * as z from "zod";
import { validate } from "../../contract/validate.ts";
import type { Caller, Manuscript } from "../../service/manuscript.ts";
import { once } from "../../text/once.ts";
import { lenient, type ToolSchema } from "./lenient.ts";

/** One call of a tool: what it works on, and who asks. */
export interface ToolAsking {
  manuscript: Manuscript;
  /** What acts of this agent carry. */
  caller: Caller & { byName: string };
}

/** What a tool changes: nothing; something beside the prose; prose. */
type Effect = "reads" | "adds" | "saves" | "rewrites";

/** One tool as a table lists it. */
export interface ToolRow<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  about: string;
  effect: Effect;
  /** It is there only for an agent that may write. */
  needsWrite?: boolean;
  input: Input;
  /** What answers a call with a text, loaded with the first: most of a program that is started is never asked. */
  load: () => Promise<(asking: ToolAsking, args: z.output<Input>) => string | Promise<string>>;
}

/** A tool, ready to be listed and called. */
export interface Tool extends Pick<ToolRow, "name" | "title" | "about" | "effect"> {
  needsWrite: boolean;
  /** Its arguments as JSON Schema. */
  schema: () => ToolSchema;
  /** Checks the arguments and runs it, on what is open once its code is loaded. Throws `BadRequest` that says what is wrong with them, and what the tool throws. */
  call: (asking: () => ToolAsking, args: unknown) => Promise<string>;
}

/** The tool of a row. */
export function defineTool<Input extends z.ZodObject>(row: ToolRow<Input>): Tool {
  const schema = once(() => z.toJSONSchema(row.input, { io: "input" }) as ToolSchema);
  return {
    ...{ name: row.name, title: row.title, about: row.about, effect: row.effect },
    needsWrite: row.needsWrite ?? false,
    schema,
    call: async (asking, args) => {
      const input = validate(row.input, lenient(args ?? {}, schema()), `The call of ${row.name}`);
      const answer = await row.load();
      return answer(asking(), input);
    },
  };
}

const CHANGES = { adds: [false, false], saves: [true, true], rewrites: [true, false] } as const;

/**
 * The tool as `tools/list` shows it: without what costs words and tells an agent nothing, as bounds that a refusal names.
 * Where there is one book, `book` is not among its arguments, though it is taken.
 */
export function listTool({ name, title, about, effect, schema }: Tool, hasManyBooks: boolean) {
  const [destructiveHint, idempotentHint] = effect === "reads" ? [] : CHANGES[effect];
  // A tool that is not said to read alone writes.
  const hints = effect === "reads" ? { readOnlyHint: true } : { destructiveHint, idempotentHint };
  const { properties = {}, required } = brief(schema());
  const { book, ...others } = properties;
  return {
    name,
    description: about,
    inputSchema: {
      type: "object" as const,
      properties: book !== undefined && hasManyBooks ? { ...others, book } : others,
      ...(required === undefined ? {} : { required: [...required] }),
    },
    annotations: { title, ...hints, openWorldHint: false },
  };
}

const LEFT_OUT = new Set(["$schema", "additionalProperties", "minimum", "maximum", "minItems", "maxItems"]);

function brief(schema: ToolSchema): ToolSchema {
  const kept = Object.entries(schema).filter(
    ([key, value]) => !LEFT_OUT.has(key) || (key === "additionalProperties" && typeof value === "object"),
  );
  const { properties, items, ...rest } = Object.fromEntries(kept) as ToolSchema;
  return {
    ...rest,
    ...(items === undefined ? {} : { items: brief(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, value]) => [key, brief(value)]),
          ),
        }),
  };
}
