import { chooseDelete, deletions, exists } from "./deletions";
import { expect, test } from "./fixtures";
import { createRepo, createTags, digestOf, NO_IMAGE } from "./tags";

test("a deletion can be undone for a while, and goes out when the page is left", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  problems.allow(/status of 404 .*\/registry\/v2\/tags\//);
  const { page, api, organization, open } = person;
  const repo = await createRepo(api, organization.uid);
  const [kept, gone, theirs] = await createTags(
    api,
    repo.uid,
    ["kept", "gone", "theirs"].map((name, index) => ({ name, digest: digestOf(index + 1) })),
  );
  const pathOf = (tag: { uid: string } | undefined) => `/registry/v2/tags/${tag?.uid}`;
  const row = (name: string) => page.getByRole("link", { name, exact: true });
  const said = (text: string) => deletions(page).getByText(text, { exact: false });
  const list = `tags?repo=${repo.uid.replaceAll("/", "_")}`;
  await open(list);

  // The row disappears immediately, and nothing is sent; the undo shortcut puts it back.
  await chooseDelete(page, "kept");
  await expect(said("Deleting tag kept…")).toBeVisible();
  await expect(row("kept")).toBeHidden();
  expect(await exists(api, pathOf(kept))).toBe(true);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(said("Kept tag kept")).toBeVisible();
  await expect(row("kept")).toBeVisible();

  // Another user deleted it first: undo cannot keep it, and says so.
  await chooseDelete(page, "theirs");
  await expect(said("Deleting tag theirs…")).toBeVisible();
  await api.delete(pathOf(theirs));
  await page.getByRole("button", { name: "Undo deleting theirs" }).click();
  await expect(said("Tag theirs was already deleted by someone else")).toBeVisible();
  await expect(row("theirs")).toBeHidden();

  // Leaving the page sends a pending deletion, and the next page reports its outcome.
  await chooseDelete(page, "gone");
  await expect(said("Deleting tag gone…")).toBeVisible();
  expect(await exists(api, pathOf(gone))).toBe(true);
  await page.goto("about:blank");
  await expect.poll(() => exists(api, pathOf(gone))).toBe(false);
  await open(list);
  await expect(said("Deleted tag gone")).toBeVisible();
  await expect(row("kept")).toBeVisible();
  await expect(row("gone")).toBeHidden();
  expect(await exists(api, pathOf(kept))).toBe(true);
});
