import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";

/** The HTML form of a book, and whether it is printed as soon as it is shown. */
export interface Previewed {
  html: string;
  prints: boolean;
}

/** The HTML form of a book in a frame in which no script runs. */
export function Preview({ of }: { of: Previewed }): JSX.Element {
  // The page's policy holds in the frame too, and takes no style from a text: it is put there by itself.
  const [style = "", css = ""] = /<style>([\s\S]*?)<\/style>/.exec(of.html) ?? [];
  const address = useMemo(
    () => URL.createObjectURL(new Blob([of.html.replace(style, "")], { type: "text/html" })),
    [of],
  );
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return (
    <iframe
      title="Preview"
      sandbox="allow-same-origin allow-modals"
      src={address}
      onLoad={({ currentTarget: { contentWindow } }) => {
        if (contentWindow === null) return;
        dress(contentWindow as Window & typeof globalThis, css);
        if (of.prints) contentWindow.print();
      }}
    />
  );
}

function dress(frame: Window & typeof globalThis, css: string): void {
  const sheet = new frame.CSSStyleSheet();
  sheet.replaceSync(css);
  frame.document.adoptedStyleSheets = [sheet];
}
