import { readAssets } from "./assets.ts";

/** What the page may do: nothing but its own scripts, styles, fonts and this server. Source: docs/decisions/020-page.md. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "frame-src 'self' blob:", // two panes, and the preview of an export, in which no script runs
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types ProseMirrorClipboard",
].join("; ");

/** True for the addresses of the page's views: the same empty page answers each, and its script shows the view. */
export function isShellPath(path: string): boolean {
  return /^\/(?:open|settings|b\/[^/]+(?:\/.*)?)?$/.test(path);
}

/**
 * The empty page: it holds no prose and needs no key, for whatever it shows comes over the API. With `isApp` its windows keep
 * the server running.
 */
export function shell(isApp: boolean): Buffer {
  const assets = readAssets();
  const page = assets === undefined ? UNBUILT : html(assets);
  return Buffer.from(
    isApp ? page.replace("</body>", `<script type="module" src="/assets/stay.js"></script>\n</body>`) : page,
  );
}

function html({ script, style, preload, fonts }: Exclude<ReturnType<typeof readAssets>, undefined>): string {
  const links = [
    `<link rel="stylesheet" href="/assets/${style}">`,
    ...fonts.map(
      (name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${name}">`,
    ),
    ...preload.map((name) => `<link rel="modulepreload" href="/assets/${name}">`),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Manuscript</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
${links.join("\n")}
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript. The command line and <a href="/docs">the API</a> do without it.</noscript>
<script type="module" src="/assets/${script}"></script>
</body>
</html>
`;
}

const UNBUILT =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Manuscript</title><p>The page was not built: run "npm run build" and start the server again.</p></html>\n';
