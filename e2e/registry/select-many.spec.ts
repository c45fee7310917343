import type { Identity } from "platform-contract/iam/identities";

import { fault, ownService, test as throughProxy } from "../faulty";
import { expect, gate, test } from "../fixtures";
import { Keyboard } from "../keyboard";
import { button, confirmDeletion, createMachines, deletes, panel, pick, table } from "../bulk-delete";
import { openFilters, searchList } from "../lists";
import { param } from "../records";
import { allTags, createRepo, createTags, digestOf, NO_IMAGE } from "../tags";

throughProxy("all that match are selected, over several pages @long", ownService, async ({ faulty }) => {
  throughProxy.slow();
  const { page, api, organization, open, proxy } = faulty;
  await createMachines(api, organization.uid, 203);
  await createMachines(api, organization.uid, 6, "keeper");
  await open(`identities?group=${organization.uid}`);
  await pick(page, "Select m-000").click();
  const second = {
    path: /\/identities$/,
    when: ({ query }: { query: URLSearchParams }) =>
      query.has("page_token") && query.get("page_size") === "200",
  };
  const slow = proxy.rule(second, fault.none, { hold: "answer" });
  await button(page, "Select all 209 that match").click();
  await expect(page.getByText("Reading all identities: 200 of 209", { exact: true })).toBeVisible();
  await button(page, "Stop").click();
  await expect(page.getByText("1 selected", { exact: true }).first()).toBeVisible();
  slow.remove();
  await button(page, "Select all 209 that match").click();
  await expect(page.getByText("209 selected", { exact: true }).first()).toBeVisible();
  // Only the selected rows in view are in the document.
  expect(await table(page).getByRole("row", { selected: true }).count()).toBeLessThan(50);

  // Another view clears the selection. Its filter is one that runs in the browser.
  await searchList(page, "m-");
  await expect(page.getByText("The view changed, so 209 rows are no longer selected.").first()).toBeVisible();
  await expect(
    page.getByRole("group", { name: "Search of identities" }).getByText("203 of 209 identities"),
  ).toBeVisible();
  await pick(page, "Select m-000").click();
  await button(page, "Select all 203 that match").click();
  proxy.reset();
  await confirmDeletion(page, 203);
  await expect(panel(page).getByText("203 of 203 deleted", { exact: true })).toBeVisible({ timeout: 60_000 });
  expect(deletes(proxy)).toHaveLength(203);
  await button(panel(page), "Close").click();
  await button(page, "Clear filter").click();
  await expect(table(page).getByRole("link")).toHaveCount(6);
});

test("who may not delete is told before anything is sent @long", async ({ person, signUp }) => {
  const { api, organization } = person;
  await createMachines(api, organization.uid, 2);
  const viewer = await signUp();
  const { issuer, subject } = viewer.api.who;
  const { uid } = await api.get<Identity>(
    `/iam/v2/identities:lookupIdentity?${new URLSearchParams({ issuer, subject }).toString()}`,
  );
  const { roles } = await api.get<{ roles: { uid: string }[] }>("/iam/v2/roles?name=viewer");
  await api.post(`/iam/v2/roleBindings/${organization.uid}`, { identityUid: uid, roleUid: roles[0]?.uid });
  await viewer.open(`identities?group=${organization.uid}`);
  const { page } = viewer;
  await pick(page, "Select all loaded rows").click();
  await button(page, "Delete 2 identities").click();
  const dialog = page.getByRole("dialog", { name: "Delete 0 identities?" });
  await expect(dialog.getByText("2 selected identities can't be deleted")).toBeVisible();
  await expect(
    dialog.getByText(/^2: You need permission to delete identities \(identity\.delete\)/),
  ).toBeVisible();
  await expect(button(dialog, "Delete 0 identities")).toHaveAttribute("aria-disabled", "true");
});

test("all deprecated tags of a repo are deleted, and no other", gate, async ({ person, problems }) => {
  problems.allow(NO_IMAGE);
  test.slow();
  const { page, api, organization, open } = person;
  const repo = await createRepo(api, organization.uid);
  const bodies = Array.from({ length: 70 }, (_, index) => ({
    name: `1.${index}`,
    digest: digestOf(1),
    deprecated: index < 60,
  }));
  await createTags(api, repo.uid, bodies);
  await open(`tags?repo=${param(repo)}`);
  await page.getByRole("combobox", { name: "State" }).selectOption("deprecated");
  await pick(page, "Select 1.59").click();
  await button(page, "Select all 60 that match").click();
  // Changing the order keeps the selection.
  await (await openFilters(page)).getByRole("combobox", { name: "Sort" }).selectOption("oldest version");
  await page.keyboard.press("Escape");
  await expect(page.getByText("60 selected", { exact: true }).first()).toBeVisible();
  await confirmDeletion(page, 60, "tags");
  const job = page.getByRole("region", { name: "Deleted 60 tags" });
  await expect(job.getByText("60 of 60 deleted", { exact: true })).toBeVisible({ timeout: 120_000 });
  await button(job, "Close").click();
  const left = (await allTags(api, repo.uid)).map(({ name }) => name).toSorted();
  expect(left).toEqual(Array.from({ length: 10 }, (_, index) => `1.${60 + index}`));
});

test("a group of tags selects its tags, in whatever arrangement they are shown @long", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  const { page, api, organization, open } = person;
  const repo = await createRepo(api, organization.uid);
  const images = { "1.0": 1, "1.1": 2, "1.2": 2, latest: 2, "2.0": 3 };
  await createTags(
    api,
    repo.uid,
    Object.entries(images).map(([name, image]) => ({ name, digest: digestOf(image) })),
  );
  await open(`tags?repo=${param(repo)}&by=digest`);
  const boxOf = (name: string) => page.getByRole("row").filter({ hasText: name }).getByRole("checkbox");
  await boxOf("1.1").check();
  await expect(page.getByText("3 selected", { exact: true }).first()).toBeVisible();
  // The same tags without groups; one of them is deselected.
  await page.getByRole("button", { name: 'Remove filter "Grouped by digest"' }).click();
  await pick(page, "Select latest").uncheck();
  await pick(page, "Select 2.0").check();
  // Neither a drawer over the list nor another order changes the selection.
  await page.getByRole("button", { name: "Actions for 1.0" }).click();
  await page.getByRole("menuitem", { name: "Copy pull command…" }).click();
  await button(page.getByRole("dialog"), "Close").click();
  const filters = await openFilters(page);
  await filters.getByRole("combobox", { name: "Sort" }).selectOption("newest version");
  await expect(page.getByText("3 selected", { exact: true }).first()).toBeVisible();
  await filters.getByRole("checkbox", { name: "Group by digest" }).check();
  await page.keyboard.press("Escape");
  await expect(boxOf("1.1")).toBeChecked({ indeterminate: true });
  await expect(boxOf("2.0")).toBeChecked();
  await expect(boxOf("1.0")).not.toBeChecked();
  await confirmDeletion(page, 3, "tags");
  const job = page.getByRole("region", { name: "Deleted 3 tags" });
  await expect(job.getByText("3 of 3 deleted", { exact: true })).toBeVisible();
  await button(job, "Close").click();
  await expect(page.getByRole("table", { name: "Tags" }).locator("[data-row-key]")).toHaveCount(2);
  expect((await allTags(api, repo.uid)).map(({ name }) => name).toSorted()).toEqual(["1.0", "latest"]);
});

test("rows are selected and deleted by keyboard alone @long", async ({ person }) => {
  test.slow();
  const { page, api, organization, open } = person;
  await createMachines(api, organization.uid, 6);
  const keys = new Keyboard(page);
  await open(`identities?group=${organization.uid}`);
  await keys.walkTo(table(page).getByRole("link", { name: "m-000" }));
  await keys.press("x");
  await keys.press("ArrowDown", 2);
  await keys.press("Shift+x");
  await expect(page.getByText("3 selected", { exact: true }).first()).toBeVisible();
  await keys.press("ArrowDown", 2);
  await keys.press("Shift+x");
  await expect(page.getByText("5 selected", { exact: true }).first()).toBeVisible();
  await keys.press("x");
  await expect(pick(page, "Select m-004")).not.toBeChecked();
  await expect(page.getByText("4 selected", { exact: true }).first()).toBeVisible();
  await keys.walkTo(button(page, "Delete 4 identities"));
  await keys.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Delete 4 identities?" });
  await expect(button(dialog, "Cancel")).toBeFocused();
  await expect(dialog.getByRole("listitem").first()).toHaveText(`m-000 in ${organization.name}`);
  await keys.walkTo(dialog.getByLabel("Type 4 to confirm"), "Shift+Tab");
  await keys.type("4");
  await keys.walkTo(button(dialog, "Delete 4 identities"));
  await keys.press("Space");
  await expect(panel(page).getByRole("heading")).toBeFocused();
  await expect(panel(page).getByText("4 of 4 deleted", { exact: true })).toBeVisible();
  await keys.walkTo(button(panel(page), "Close"));
  await keys.press("Enter");
  await expect(table(page).getByRole("link")).toHaveText(["m-004", "m-005"]);
});
