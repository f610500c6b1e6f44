/** What a page of another origin tries on a server at `AT`, with a token, a session and a key that it has somehow learnt. */
export interface Loot {
  at: string;
  token: string;
  session: string;
  key: string;
}

/**
 * Thirteen kinds of attack. Each is the body of an asynchronous function in the attacker's page; what it returns is what the
 * page has learnt. `ask` fetches and tells the answer's body, `frame` and `wait` do what they say.
 */
export const ATTACKS: Readonly<Record<string, string>> = {
  "a read with what the browser keeps": `return await ask("/api/v1/books", { credentials: "include" })`,
  "a read with a stolen session": `return await ask("/api/v1/books", { headers: bearer(loot.session) }) + await ask("/api/v1/books", { headers: bearer(loot.key) })`,
  "a write that asks no leave": `return await ask("/api/v1/books", { method: "POST", mode: "no-cors", credentials: "include", body: EVIL })`,
  "a write that asks leave": `return await ask("/api/v1/books", { method: "POST", headers: { ...bearer(loot.session), "Content-Type": "application/json" }, body: EVIL })`,
  "signing in with a stolen token": `return await ask("/api/v1/session", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token: loot.token }) }) +
    await ask("/api/v1/session", { method: "POST", mode: "no-cors", body: JSON.stringify({ token: loot.token }) }) + await ask("/api/v1/session/code", { method: "POST", mode: "no-cors", body: "{}" })`,
  "a picture and a style": `for (const name of ["img", "video"]) { const made = document.createElement(name); made.src = AT + "/api/v1/books"; document.body.append(made); }
    const style = document.createElement("link"); style.rel = "stylesheet"; style.href = AT + "/docs"; document.head.append(style); await wait(300)`,
  "a script": `for (const path of ["/api/v1/openapi.json", "/api/v1/owner/keys", "/docs"]) { const made = document.createElement("script"); made.src = AT + path; document.body.append(made); } await wait(300)`,
  "frames of every view": `let read = ""; for (const path of ["/", "/open#" + loot.token, "/settings", "/docs", "/api/v1/books"]) read += await frame(AT + path); return read`,
  "a form in a frame": `send("inner"); await wait(400)`,
  "a form in a window": `send("_blank"); await wait(600)`,
  "a window that is held on to": `let read = ""; for (const path of ["/settings", "/docs", "/api/v1/owner/keys"]) {
      const made = open(AT + path); await wait(900);
      try { read += made.closed ? "" : made.document.body.innerText; } catch {}
      try { made.postMessage("give", "*"); made.location = AT + "/api/v1/books"; } catch {}
      await wait(200); } return read`,
  "a beacon and sockets": `navigator.sendBeacon(AT + "/api/v1/books", new Blob([EVIL], { type: "text/plain" }));
    return await new Promise((resolve) => { const made = new WebSocket(AT.replace("http", "ws") + "/api/v1/books"); made.onopen = () => resolve("open"); made.onerror = () => resolve("");
      new EventSource(AT + "/api/v1/acts").onmessage = ({ data }) => resolve(data); setTimeout(() => resolve(""), 1500); })`,
  "what the browser keeps for this machine": `return [document.cookie, ...Object.values({ ...localStorage }), ...Object.values({ ...sessionStorage }), ...(await indexedDB.databases()).map(({ name }) => name)].join("")`,
};

const HEAD = `
  const AT = loot.at;
  const EVIL = JSON.stringify({ title: "EVIL" });
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const bearer = (secret) => ({ Authorization: "Bearer " + secret });
  const ask = (path, init) => fetch(AT + path, init).then((answer) => answer.text(), () => "");
  const frame = (src) => new Promise((resolve) => {
    const made = document.createElement("iframe");
    made.onload = () => { try { resolve(made.contentDocument.body.innerText); } catch { resolve(""); } };
    setTimeout(() => resolve(""), 1500);
    made.src = src;
    document.body.append(made);
  });
  const send = (target) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action: AT + "/api/v1/books", enctype: "text/plain", target });
    const field = document.createElement("input");
    Object.assign(field, { name: '{"title":"EVIL","x":"', value: '"}' });
    form.append(field);
    const inner = document.createElement("iframe");
    inner.name = "inner";
    document.body.append(inner, form);
    form.submit();
  };`;

/** The attacker's page: it runs every attack, one after the other, and keeps what each has learnt in `window.learnt`. */
export function attackPage(loot: Loot): string {
  const runs = Object.entries(ATTACKS).map(
    ([what, body]) =>
      `try { learnt[${JSON.stringify(what)}] = String((await (async () => { ${body} })()) ?? ""); } catch (error) { learnt[${JSON.stringify(what)}] = ""; }`,
  );
  return `<!doctype html><meta charset="utf-8"><title>A friendly page</title><body><script>
(async () => {
  const loot = ${JSON.stringify(loot)};
  const learnt = {};
  ${HEAD}
  ${runs.join("\n  ")}
  window.learnt = learnt;
})();
</script></body>`;
}
