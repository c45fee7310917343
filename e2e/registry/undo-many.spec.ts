import { readFile } from "node:fs/promises";

import { button, confirmDeletion, pick } from "../bulk-delete";
import { bindTo, identityOf } from "../bindings";
import { expect, test } from "../fixtures";
import { makeRepo } from "../repos";
import { allTags, createTags, digestOf, NO_IMAGE } from "../tags";

test("deleted tags are created again with their fields, right away or from the history", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  problems.allow(/status of 404 .*\/registry\/v2\/tags\//);
  const { page, api, open } = person;
  const repo = await makeRepo(person, { name: "web" });
  const bodies = ["1.0", "1.1", "1.2"].map((name, index) => ({
    name,
    digest: digestOf(index + 1),
    deprecated: index === 0,
    bundles: ["base"],
  }));
  await createTags(api, repo.uid, [...bodies, { name: "2.0", digest: digestOf(9) }]);
  const fields = async () =>
    (await allTags(api, repo.uid))
      .map(({ name, digest, deprecated = false, bundles = [] }) => ({ name, digest, deprecated, bundles }))
      .toSorted((a, b) => a.name.localeCompare(b.name));
  const before = await fields();

  await open(`tags?repo=${repo.uid.replaceAll("/", "_")}`);
  for (const { name } of bodies) await pick(page, `Select ${name}`).check();
  await confirmDeletion(page, 3, "tags");
  await expect(page.getByRole("heading", { name: "Deleted 3 tags" })).toBeVisible();
  // Pushed anew meanwhile: that one stays as it is.
  await api.post(`/registry/v2/tags/${repo.uid}`, { name: "1.2", digest: digestOf(77) });
  await button(page, "Undo").click();
  await expect(page.getByRole("heading", { name: "Restored 2 of 3 tags" })).toBeVisible();
  await button(page, "Show items").click();
  await expect(
    page.getByText("There is another one by this name now, which was left as it is.").first(),
  ).toBeVisible();
  const after = await fields();
  expect(after).toEqual(
    before.map((tag) =>
      tag.name === "1.2" ? { name: "1.2", digest: digestOf(77), deprecated: false, bundles: [] } : tag,
    ),
  );
  await expect(page.getByRole("table", { name: "Tags" }).getByRole("link", { name: "1.1" })).toBeVisible();

  const { uid } = (await allTags(api, repo.uid)).find(({ name }) => name === "1.0")!;
  await api.delete(`/registry/v2/tags/${uid}`);
  await open(`audit-log?group=${person.organization.uid}`);
  await page
    .getByRole("table", { name: "Entries" })
    .getByRole("link", { name: /^Deleted tag/ })
    .first()
    .click();
  await button(page, "Create this tag again").click();
  await expect(page.getByRole("heading", { name: "Restored 1 tag" })).toBeVisible();
  await expect.poll(fields).toEqual(after);
});

test("a person's last role is given again from the message that confirms its removal, and their page returns", async ({
  person,
  signUp,
  problems,
}) => {
  problems.allow(/status of 40[34] .*\/iam\/v2\/identities\//);
  const { page, api, organization, open } = person;
  const who = await identityOf(api, await signUp());
  const bindings = async () =>
    (await api.get<{ roleBindings?: { uid: string }[] }>(`/iam/v2/roleBindings?identity=${who}`))
      .roleBindings ?? [];
  await bindTo(api, organization, who, "viewer");
  const [{ uid } = { uid: "" }] = await bindings();
  await open(`role-bindings?group=${organization.uid}&identity=${who}`);
  await page.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Remove role" }).click();
  await expect(page.getByRole("dialog").getByText("created again, with a new ID")).toBeVisible();
  await button(page, "Remove role").click();
  await expect.poll(bindings).toEqual([]);
  await button(page, "Undo").click();
  await expect(page.getByRole("heading", { name: "Restored 1 role binding" })).toBeVisible();
  expect(await bindings()).toMatchObject([{ role: { name: "viewer" } }]);
  expect((await bindings())[0]?.uid).not.toBe(uid);

  // The page of whoever has lost everything comes back with the undo.
  await open(`identities/${who}`);
  const held = page.getByRole("region", { name: "Role bindings" });
  await button(held, "Remove all access").click();
  await button(page.getByRole("dialog"), "Remove 1 role binding").click();
  await expect(page.getByRole("heading", { name: "This person has no access here" })).toBeVisible();
  await button(page, "Undo").click();
  await expect(held.getByText(/^first granted .* by /)).toBeVisible();
  // The report of the undo says as much as that of the removal.
  const download = page.waitForEvent("download");
  await button(page, "Save report").click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^restored-access-/);
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  expect(lines[0]).toContain("uid,new uid,identity,identity uid,access,folder");
  expect(lines[1]).toMatch(new RegExp(`${who},role viewer,${organization.name},Restored,.*${person.email}`));
});
