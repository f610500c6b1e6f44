import type { JSX } from "preact";
import { areKeysOn, setKeysOn } from "../../parts/keys.ts";
import { setTheme, theme } from "../../parts/theme.ts";

/** The themes with their names. */
const THEMES: Readonly<Record<string, string>> = { "": "As the system", light: "Light", dark: "Dark" };

/** How the page looks and listens, in this browser. */
export function Look(): JSX.Element {
  return (
    <div class="stacked">
      <fieldset class="seg">
        <legend class="hidden">Light or dark</legend>
        {Object.entries(THEMES).map(([one, name]) => (
          <button key={one} type="button" aria-pressed={theme.value === one} onClick={() => setTheme(one)}>
            {name}
          </button>
        ))}
      </fieldset>
      <label class="check">
        <input
          type="checkbox"
          checked={areKeysOn.value}
          onChange={({ currentTarget }) => setKeysOn(currentTarget.checked)}
        />{" "}
        Single letters are shortcuts (press <kbd>?</kbd> to see them)
      </label>
      <p class="soft">
        Set in Literata and Source Sans 3, under the SIL Open Font License;{" "}
        <a class="link" href="/assets/LICENCES.txt">
          licences of all that this page is made of
        </a>
        .{" "}
        <a class="link" href="/docs">
          The API
        </a>
      </p>
    </div>
  );
}
