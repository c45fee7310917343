import { chooseDelete, deletions, exists } from "../deletions";
import { expect, gate, test } from "../fixtures";
import { createRepo, createTags, digestOf, NO_IMAGE } from "../tags";

test(
  "a deletion can be undone for a while, and goes out when the page is left",
  gate,
  async ({ person, problems }) => {
    problems.allow(NO_IMAGE);
    problems.allow(/status of 404 .*\/registry\/v2\/tags\//);
    const { page, api, organization, open } = person;
    const repo = await createRepo(api, organization.uid);
    const [kept, gone, theirs] = await createTags(
      api,
      repo.uid,
      ["kept", "gone", "theirs"].map((name, index) => ({
        name,
        digest: digestOf(index + 1),
        deprecated: true,
      })),
    );
    const pathOf = (tag: { uid: string } | undefined) => `/registry/v2/tags/${tag?.uid}`;
    const row = (name: string) => page.getByRole("link", { name, exact: true });
    const said = (text: string) => deletions(page).getByText(text, { exact: false });
    const list = `tags?repo=${repo.uid.replaceAll("/", "_")}`;
    await open(list);

    // The row disappears immediately, and nothing is sent; the undo shortcut puts it back.
    await chooseDelete(page, "kept");
    await expect(said("Deleting tag kept of python…")).toBeVisible();
    await expect(row("kept")).toBeHidden();
    expect(await exists(api, pathOf(kept))).toBe(true);
    await page.keyboard.press("ControlOrMeta+z");
    await expect(said("Kept tag kept of python")).toBeVisible();
    await expect(row("kept")).toBeVisible();

    // Another user deleted it first: undo cannot keep it, and says so.
    await chooseDelete(page, "theirs");
    await expect(said("Deleting tag theirs of python…")).toBeVisible();
    await api.delete(pathOf(theirs));
    await page.getByRole("button", { name: "Undo deleting theirs of python" }).click();
    await expect(said("Tag theirs of python was already deleted by someone else")).toBeVisible();
    await expect(row("theirs")).toBeHidden();

    // Leaving the page sends a pending deletion, and the next page reports its outcome.
    await chooseDelete(page, "gone");
    await expect(said("Deleting tag gone of python…")).toBeVisible();
    expect(await exists(api, pathOf(gone))).toBe(true);
    await page.goto("about:blank");
    await expect.poll(() => exists(api, pathOf(gone))).toBe(false);
    await open(list);
    await expect(said("Deleted tag gone of python")).toBeVisible();
    await expect(row("kept")).toBeVisible();
    await expect(row("gone")).toBeHidden();
    expect(await exists(api, pathOf(kept))).toBe(true);
  },
);

test("asks before it deletes a tag that is pulled by its name, and says what that takes with it", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  const { page, api, organization, open } = person;
  const repo = await createRepo(api, organization.uid);
  await api.patch(`/registry/v2/repos/${repo.uid}?updateMask=activeTags`, { activeTags: ["1.26-r1"] });
  await createTags(api, repo.uid, [
    { name: "latest", digest: digestOf(1) },
    { name: "1.27", digest: digestOf(1) },
    { name: "1.26-r1", digest: digestOf(2) },
  ]);
  await open(`tags?repo=${repo.uid.replaceAll("/", "_")}&epochs=yes`);
  for (const [name, also] of [
    ["latest", "Stays available as 1.27."],
    ["1.26-r1", "No other tag points to it."],
  ] as const) {
    await chooseDelete(page, name);
    const dialog = page.getByRole("dialog", { name: `Delete tag ${name}?` });
    await expect(dialog.getByText("python", { exact: true })).toBeVisible();
    await expect(dialog.getByText(digestOf(name === "latest" ? 1 : 2))).toBeVisible();
    await expect(dialog.getByText(also)).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
    await dialog.getByRole("button", { name: "Cancel" }).click();
  }
  await chooseDelete(page, "latest");
  await page.getByRole("button", { name: "Delete tag" }).click();
  await expect(page.getByText("Deleted tag latest of python").first()).toBeVisible();
});

test("an undo outlasts other toasts, and a reload asks before it ends it @long", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  // After the reload, the deletion is sent again.
  problems.allow(/status of 404 .*\/registry\/v2\/tags\//);
  const { page, context, api, organization, open } = person;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const repo = await createRepo(api, organization.uid);
  const [tag] = await createTags(api, repo.uid, [
    { name: "old", digest: digestOf(1), deprecated: true },
    { name: "other", digest: digestOf(2), deprecated: true },
  ]);
  await open(`tags?repo=${repo.uid.replaceAll("/", "_")}`);
  await chooseDelete(page, "old");
  const undo = deletions(page).getByRole("button", { name: "Undo deleting old of python" });
  await expect(undo).toBeVisible();
  // Held, so that the test has all the time it needs.
  await undo.focus();
  await page.getByRole("button", { name: "Actions for other" }).click();
  await page.getByRole("menuitem", { name: "Copy uid" }).click();
  await expect(page.getByText("Copied the uid").first()).toBeVisible();
  expect(
    await undo.evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }),
  ).toBe(true);

  await undo.focus();
  const asked = page.waitForEvent("dialog");
  const reload = page.reload();
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
  await reload;
  await expect.poll(() => exists(api, `/registry/v2/tags/${tag?.uid}`)).toBe(false);
});
