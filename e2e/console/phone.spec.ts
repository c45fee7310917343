import { expect, gate, test } from "../fixtures";
import { makeRepo } from "../repos";
import { createTags, digestOf, NO_IMAGE, table } from "../tags";

test.use({ viewport: { width: 390, height: 844 } });

test(
  "on a phone, deprecated tags of a repo are found from home, and nothing lies beside the screen",
  gate,
  async ({ person, problems }) => {
    problems.allow(NO_IMAGE);
    const { page, api, open } = person;
    const repo = await makeRepo(person, { name: "python" });
    await createTags(api, repo.uid, [
      { name: "3.12", digest: digestOf(1), deprecated: true },
      { name: "3.13", digest: digestOf(2) },
    ]);
    const beside = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await open("");
    await expect(page.getByRole("heading", { name: "Quick actions" })).toBeVisible();
    expect(await beside()).toBe(0);
    await page.getByRole("button", { name: "Show navigation" }).click();
    await page.getByRole("navigation").getByRole("link", { name: "Repos" }).click();
    await page.getByRole("link", { name: "python", exact: true }).click();
    await page.getByRole("link", { name: /^Tags/ }).first().click();
    await expect(table(page).getByRole("link", { name: "3.13" })).toBeVisible();
    expect(await beside()).toBe(0);
  },
);
