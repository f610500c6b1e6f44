import type { Express, Response } from "express";
import { NotFound } from "../../refusals.ts";
import { readAsset } from "../../web/assets.ts";
import { isShellPath, PAGE_POLICY, shell } from "../../web/shell.ts";
import { sendBody } from "./send.ts";

/** Of every HTML that we send: nobody may read it from elsewhere, or keep hold of the window that it was opened from. */
export const HTML_HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  Vary: "Accept",
};

const HEADERS = {
  ...HTML_HEADERS,
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": PAGE_POLICY,
};

/** Answers the owner's page: the same empty page for every view, and its files. Neither needs a key, neither holds prose. */
export function addPage(app: Express, { isApp }: { isApp: boolean }): void {
  app.locals.isApp = isApp;
  app.get("/assets/:name", (request, response) => {
    response.locals.route = "/assets";
    const asset = readAsset(request.params.name);
    if (asset === undefined) throw new NotFound("file of the page");
    const keep = asset.isImmutable ? "public, max-age=31536000, immutable" : "no-cache";
    const zipped = request.acceptsEncodings("gzip") ? asset.zipped : undefined;
    sendBody(response, 200, zipped ?? asset.body, {
      "Content-Type": asset.type,
      "Cache-Control": keep,
      "Cross-Origin-Resource-Policy": "same-origin",
      Vary: "Accept-Encoding",
      ...(zipped === undefined ? {} : { "Content-Encoding": "gzip" }),
    });
  });
  app.get(["/open", "/settings", "/b/*view"], ({ path }, response, next) => {
    if (isShellPath(path)) sendShell(response);
    else next();
  });
}

/** Sends the empty page. */
export function sendShell(response: Response): void {
  response.locals.route = "/";
  sendBody(response, 200, shell(response.app.locals.isApp === true), HEADERS);
}
