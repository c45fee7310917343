import type { Locator, Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { param } from "../records";
import { createRepo, createTags, digestOf, NO_IMAGE } from "../tags";

const SUBJECT = "repo:acme@1234/a-repository-with-a-long-name@5678:ref:refs/heads/main";

/** Copies what the user selects in the browser's own way, and returns the clipboard's text. */
async function copied(page: Page, select: () => Promise<unknown>): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await select();
  await page.keyboard.press("ControlOrMeta+c");
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe("");
  return read();
}

const tripleClick = (value: Locator) => () => value.click({ clickCount: 3, position: { x: 4, y: 4 } });
/** In a list, where a row is a link; as with the keyboard in caret browsing. */
const selectWhole = (value: Locator) => () =>
  value.evaluate((element) => getSelection()?.selectAllChildren(element));

test("a value that is selected and copied is the value, however it is shown", async ({
  person: { page, context, api, organization, open },
  problems,
}) => {
  problems.allow(NO_IMAGE);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const identity = await api.post<{ uid: string }>(`/iam/v2/identities/${organization.uid}`, {
    name: "ci",
    claimMatch: { issuer: "https://token.actions.githubusercontent.com", subject: SUBJECT },
  });
  const repo = await createRepo(api, organization.uid);
  const [tag] = await createTags(api, repo.uid, [{ name: "1.0", digest: digestOf(1) }]);
  const main = page.getByRole("main");

  await open(`identities?group=${organization.uid}`);
  const matches = main.getByRole("row").nth(1).getByRole("cell").nth(3);
  const shown = (await matches.textContent()) ?? "";
  await expect(matches).toMatchAriaSnapshot(`- cell "repo:acme/a-repository-with-a-long-name@main"`);
  await page.mouse.click(640, 90);
  expect(await copied(page, selectWhole(matches))).toBe("repo:acme/a-repository-with-a-long-name@main");
  expect(shown).toContain("repo:acme/a-repository-with-a-long-name@main");

  await open(`identities/${param(identity)}`);
  expect(await copied(page, tripleClick(main.getByText(SUBJECT, { exact: true })))).toBe(SUBJECT);
  const uid = main.locator("code").filter({ hasText: "…" }).first();
  expect(await copied(page, tripleClick(uid))).toBe(identity.uid);

  await open(`tags/${param(tag!)}`);
  const command = main.getByText(/python:1\.0$/).last();
  const reference = (await command.textContent()) ?? "";
  expect(reference).toMatch(/^\S+$|^docker pull \S+$/);
  // Without the line break behind it, which a terminal would run.
  expect(await copied(page, tripleClick(command))).toBe(reference);
  expect(await copied(page, tripleClick(main.getByText(digestOf(1), { exact: true }).first()))).toBe(
    digestOf(1),
  );
});
