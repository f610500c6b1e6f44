import { Fragment, type JSX } from "preact";
import { look } from "../../parts/choices/look.ts";
import { Switch } from "../../parts/choices/switch.tsx";

/** Each choice: what it is called, how the root bears it, and what can be chosen; "" is as in a book. */
const CHOICES = [
  {
    label: "Typeface",
    name: "face",
    options: [
      ["", "Literata"],
      ["sans", "Source Sans"],
      ["mono", "Typewriter"],
      ["system", "System"],
    ],
  },
  {
    label: "Size",
    name: "size",
    options: [
      ["small", "Small"],
      ["", "Book"],
      ["large", "Large"],
      ["larger", "Larger"],
    ],
  },
  {
    label: "Line length",
    name: "measure",
    options: [
      ["short", "Short"],
      ["", "Book"],
      ["long", "Long"],
    ],
  },
  {
    label: "Line height",
    name: "lead",
    options: [
      ["close", "Close"],
      ["", "Book"],
      ["open", "Open"],
    ],
  },
  {
    label: "Paragraphs",
    name: "paragraphs",
    options: [
      ["", "Indented"],
      ["spaced", "Spaced"],
    ],
  },
] as const;
const ROWS = CHOICES.map((choice) => ({ ...choice, chosen: look<string>(choice.name) }));

/** How prose is set where it is read and written, in this browser, with a sample of it. */
export function Writing(): JSX.Element {
  return (
    <>
      <div class="prose box">
        <p class="b open">
          She came round the end of the counter, which she did seldom, and straightened the birthday cards.
        </p>
        <p class="b">
          “You can stop a moment if you want to,” said Miss Dunnage. She had her finger on the switch.
        </p>
      </div>
      <dl class="type">
        {ROWS.map(({ label, name, options, chosen }) => (
          <Fragment key={name}>
            <dt class={name}>{label}</dt>
            <dd class={name}>
              <Switch label={label} kind="seg" options={options} chosen={chosen} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}
