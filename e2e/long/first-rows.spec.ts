import { expect, test } from "../fixtures";
import { folder, param } from "../records";

test("the rows of a list that was visited before are there, and keep the focus, before the code of its screen", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  await folder(api, organization, "alpha");
  const beta = await folder(api, organization, "beta");
  const address = `groups?group=${param(organization)}`;
  const link = page.getByRole("link", { name: "beta", exact: true });
  const table = page.getByRole("table", { name: "Groups" });
  await open(address);
  await expect(table).toBeVisible();
  const stored = () =>
    page.evaluate(() => Object.values(localStorage).some((text: string) => text.includes('"rows":[[')));
  // Ten seconds after the load.
  await expect.poll(stored, { timeout: 20_000 }).toBe(true);

  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/app-.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await open(address);
  await expect(link).toHaveAttribute("href", new RegExp(`/groups/${param(beta)}`));
  await expect(table).toBeHidden();
  const before = await link.boundingBox();
  await link.focus();
  release();
  await expect(table).toBeVisible();
  await expect(link).toBeFocused();
  expect(await link.boundingBox()).toEqual(before);
});
