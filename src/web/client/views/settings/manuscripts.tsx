import type { JSX } from "preact";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { Form, type Values } from "../../parts/form.tsx";
import { Await } from "../../parts/states.tsx";

/** The manuscripts of this computer that were opened before, and a new one; each opens in a window of its own. */
export function Manuscripts(): JSX.Element {
  const read = useRead("listRecentFiles", {});
  const open = (body: { file: string } | { name: string }) =>
    write("openInWindow", { body }, "It opens in a window of its own.");
  return (
    <Await read={read}>
      {({ manuscripts, folder }) =>
        folder === null ? (
          <p class="soft">
            A server has this file. Started by a double click, or by <code>manuscript app</code>, the program
            lists the others here.
          </p>
        ) : (
          <>
            <ul class="rows">
              {manuscripts.map(({ file, isThis }) => (
                <li key={file}>
                  <span>
                    {nameOf(file)} <small>{folderOf(file)}</small>
                  </span>
                  {isThis ? (
                    <small>open here</small>
                  ) : (
                    <Button kind="plain" onClick={() => open({ file })}>
                      Open
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            <Form class="line" onSave={({ name = "" }: Values) => open({ name })}>
              <input
                class="field"
                name="name"
                dir="auto"
                required
                maxLength={200}
                aria-label="Name of the new manuscript"
                placeholder="Name"
              />
              <Button type="submit">New manuscript</Button>
            </Form>
            <p class="soft">A new one is made in {folder}.</p>
          </>
        )
      }
    </Await>
  );
}

/** The name of a file without its folder and ending. */
function nameOf(file: string): string {
  return file.replace(/^.*[\\/]/, "").replace(/\.manuscript$/, "");
}

function folderOf(file: string): string {
  return file.replace(/[\\/][^\\/]*$/, "");
}
