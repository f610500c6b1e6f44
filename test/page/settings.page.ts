import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { approveCode, issueToken, plainCode } from "../../src/service/account/sign-in.ts";
import { leaveFree } from "../cli/leave-free.ts";
import { suite } from "../support/sandbox.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

describe("signing in and settings in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  it("a link opens the page signed in, leaves no token behind, and works once", async () => {
    const token = issueToken(lab.own);
    const { page, complaints } = await lab.open(`/open#${token}`, { isSignedOut: true });
    await page.getByRole("heading", { name: "Fare Not Taken" }).waitFor();
    assert.doesNotMatch(page.url(), /#/);
    assert.deepEqual(complaints, []);
    const again = await lab.open(`/open#${token}`, { isSignedOut: true });
    await again.page.getByRole("alert").waitFor();
    await again.page.getByText("manuscript open", { exact: true }).waitFor();
    // The refusal itself is the one thing that the browser tells of.
    assert.equal(again.complaints.filter((complaint) => !/410/.test(complaint)).length, 0);
  });

  it("a code that is typed at the computer signs another device in, where it was", async () => {
    const { page, complaints } = await lab.open(`/settings`, { isSignedOut: true });
    await page.getByRole("button", { name: /another device/ }).click();
    const typed = await page.getByText(/manuscript open --code/).textContent();
    approveCode(lab.own, plainCode(typed?.split(" ").at(-1) ?? "") ?? "");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("a key is made, shown once, used and revoked", async () => {
    const { page, complaints } = await lab.open("/settings");
    await page.getByLabel("Name").fill("<b>laptop</b>");
    await page.getByRole("checkbox", { name: "write" }).check();
    await page.getByRole("button", { name: "Create" }).click();
    const key = (await page.locator(".callout code").first().textContent()) ?? "";
    const books = () => fetch(`${lab.url}/api/v1/books`, { headers: { Authorization: `Bearer ${key}` } });
    assert.equal((await books()).status, 200);
    const row = page.locator("main li", { hasText: "<b>laptop</b>" });
    assert.match((await row.textContent()) ?? "", /read, write/);
    await page.reload();
    await row.waitFor();
    assert.equal(await page.getByText(key).count(), 0, "never again");
    await row.getByRole("button", { name: /^Revoke/ }).click();
    await page.getByRole("button", { name: "Revoke for good" }).click();
    await page.getByText(/revoked/).waitFor();
    assert.equal((await books()).status, 401);
    assert.deepEqual(complaints, []);
  });

  it("a copy is made and put back, what was written since is gone and kept, and every tab shows that", async () => {
    const tab = await lab.open("/settings");
    const { page, complaints } = tab;
    const beside = await lab.open(`/b/${lab.bookId}`, { beside: tab });
    await page.getByRole("button", { name: "Back up now" }).click();
    await page.getByText(/Copied and verified/).waitFor();
    await lab.script("POST", "/books", { title: "After the copy" });
    await lab.script("PATCH", `/books/${lab.bookId}`, { title: "Fare Taken" });
    await beside.page.getByRole("heading", { name: "Fare Taken" }).waitFor();
    await page
      .getByRole("button", { name: /^Restore the copy/ })
      .first()
      .click();
    await page.getByText(/now there are 2 books/).waitFor();
    await page.getByRole("button", { name: "Restore it" }).click();
    await page.getByText(/The copy is in place/).waitFor();
    assert.equal((await lab.script("GET", "/books")).body.total, 1);
    await beside.page.getByRole("heading", { name: "Fare Not Taken" }).waitFor();
    assert.deepEqual([...complaints, ...beside.complaints], []);
  });

  it("what the file can give back is shown first, then given, and the tab goes on", async () => {
    leaveFree(lab.own.store.path);
    const { page, complaints } = await lab.open("/settings");
    await page.getByText(/, of that .* history and 2\.0 MB unused/).waitFor();
    await page.getByRole("button", { name: "Make it smaller …" }).click();
    await page.getByText(/would become .* The file of until now is kept beside it/).waitFor();
    await page.getByRole("checkbox", { name: /each sitting that is older than a year/ }).check();
    await page.getByText(/would become .* The file of until now is kept beside it/).waitFor();
    await page.getByRole("button", { name: "Make it smaller", exact: true }).click();
    await page.getByText(/have become .* The file of until now is .*-until-.*\.backup/).waitFor();
    await page.getByText(/, of that .* history;/).waitFor();
    assert.equal((await lab.script("POST", "/books", { title: "After" })).status, 201);
    await page.getByRole("button", { name: "Make it smaller …" }).click();
    await page.getByText("Nothing to give back.").waitFor();
    assert.ok(await page.getByRole("button", { name: "Make it smaller", exact: true }).isDisabled());
    assert.deepEqual(complaints, []);
  });

  it("the file is looked through, the engine tried, and signing out ends the session", async () => {
    const { page, complaints } = await lab.open("/settings");
    await page.getByRole("button", { name: "Check it for damage" }).click();
    await page.getByText(/checks passed/).waitFor();
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText(/answered after/).waitFor();
    const bearer = await page.evaluate("localStorage.getItem('manuscript.session')");
    await page
      .locator("main li", { hasText: "This browser" })
      .getByRole("button", { name: "Sign out" })
      .click();
    await page.getByText("manuscript open", { exact: true }).waitFor();
    const answer = await fetch(`${lab.url}/api/v1/books`, { headers: { Authorization: `Bearer ${bearer}` } });
    assert.equal(answer.status, 401);
    assert.deepEqual(complaints, []);
  });
});
