import { expect, test } from "../fixtures";
import { makeRepo } from "../repos";
import { allTags, createTags, digestOf, NO_IMAGE } from "../tags";

test("old tags of a repo are previewed by rules, and deleted unless they changed since", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  problems.allow(/status of 404 .*\/registry\/v2\/tags\//);
  const { page, api, open } = person;
  const repo = await makeRepo(person, { name: "web", activeTags: ["1.0.1"] });
  const names = ["latest", "1.0", "1.0.0", "1.0.1", "1.0.2", "1.0.3", "1.0.4", "1.0.0-r1"];
  const made = await createTags(
    api,
    repo.uid,
    names.map((name, index) => ({ name, digest: digestOf(index) })),
  );
  await open(`tags?repo=${repo.uid.replaceAll("/", "_")}`);
  await page.getByRole("button", { name: "More actions for web" }).click();
  await page.getByRole("menuitem", { name: "Delete old tags" }).click();
  await expect(page.getByText("Delete old tags of web by rules, after a preview.")).toBeVisible();

  const preview = page.getByRole("button", { name: "Preview" });
  await preview.click();
  await expect(
    page.getByText("Set at least one rule. Without any, every tag would be deleted."),
  ).toBeVisible();
  await page.getByRole("textbox", { name: "Keep the newest" }).fill("2");
  await preview.click();
  await expect(page.getByText("2 tags would be deleted, 6 tags kept.")).toBeVisible();
  const going = page.getByRole("table", { name: "Tags to delete" });
  await expect(going.getByRole("link")).toHaveText(["1.0.0", "1.0.2"]);
  await page.getByRole("radio", { name: "Kept (6)" }).check();
  const reasons = page.getByRole("region", { name: "Why tags are kept" });
  for (const reason of ["latest is never deleted", "Active in its repo", "Moves with newer versions"])
    await expect(reasons.getByText(reason)).toBeVisible();

  // Somebody pushes to one of them after the preview.
  await api.post(`/registry/v2/tags/${repo.uid}`, { name: "1.0.2", digest: digestOf(99) });
  await page.getByRole("button", { name: "Delete 2 tags" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 2 tags?" });
  await dialog.getByRole("button", { name: "Delete 2 tags" }).click();
  await expect(page.getByRole("heading", { name: "Deleted 1 of 2 tags" })).toBeVisible();
  await page.getByRole("button", { name: "Show items" }).click();
  await expect(page.getByText("It was changed since the preview, so it was kept.").first()).toBeVisible();
  const left = (await allTags(api, repo.uid)).map(({ name }) => name).toSorted();
  expect(left).toEqual(
    made
      .map(({ name }) => name)
      .filter((name) => name !== "1.0.0")
      .toSorted(),
  );

  // The rules are there again, for this repo.
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Keep the newest" })).toHaveValue("2");
  // No registry is behind this service: no rule by pulls, but the way to one.
  await expect(page.getByRole("textbox", { name: "Not pulled for (days)" })).toBeHidden();
  await page.getByRole("link", { name: "How to connect one" }).click();
  await expect(page.getByRole("region", { name: "Registry" })).toContainText("REGISTRY_URL");
});
