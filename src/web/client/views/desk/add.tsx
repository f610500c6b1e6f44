import type { JSX } from "preact";
import { OneLine } from "../../parts/one-line.tsx";

interface AddProps {
  what: string;
  onAdd: (title: string) => Promise<unknown>;
}

/** A button that becomes the field of the title of a new chapter or part. */
export function Add({ what, onAdd }: AddProps): JSX.Element {
  const fields = [{ name: "title", label: `Title of the new ${what}` }];
  return (
    <div class="add">
      <OneLine opener={`Add a ${what}`} fields={fields} onAdd={({ title = "" }) => onAdd(title)} />
    </div>
  );
}
