import type { Group } from "platform-contract/iam/groups";

import { bind } from "../bindings";
import { expect, gate, test } from "../fixtures";
import { openFilters, searchList } from "../lists";
import { param } from "../records";
import { makeRepo } from "../repos";

test(
  "the list is sorted, filtered by the service and by reading all of it, and keeps its view",
  gate,
  async ({ person }) => {
    const { page, api, organization, open } = person;
    const team = await api.post<Group>(`/iam/v2/groups/${organization.uid}`, { name: "team" });
    const tier = (index: number) => (index % 10 === 0 ? "CATALOG_TIER_FIPS" : "CATALOG_TIER_BASE");
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        makeRepo(
          person,
          {
            name: `image-${String(index).padStart(2, "0")}`,
            description: index === 7 ? "The odd one" : "",
            aliases: index === 8 ? ["odd-as-well"] : [],
            activeTags: ["1", "2"],
            catalogTier: tier(index),
          },
          index < 30 ? organization.uid : team.uid,
        ),
      ),
    );
    await open(`repos?group=${organization.uid}`);
    const table = page.getByRole("table", { name: "Repos" });
    await expect(table.getByRole("link", { name: "image-00" })).toBeVisible();
    await expect(page.getByText(/of 60$/)).toBeVisible();
    await expect(table.getByRole("row", { name: /image-00/ })).toContainText("FIPS");

    // Scrolling loads the next page of the API by its page token.
    const next = page.waitForRequest(/\/registry\/v2\/repos\?.*page_token=/);
    await table.getByRole("link", { name: "image-00" }).hover();
    await page.mouse.wheel(0, 10_000);
    await next;
    await expect(table.getByRole("link", { name: "image-59" })).toBeVisible();
    await expect(table.getByRole("row", { name: /image-59/ })).toContainText("team");

    await table.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
    await expect(page).toHaveURL(/order=name\+desc/);
    await expect(table.getByRole("link", { name: "image-59" })).toBeVisible();
    // Jump to the last row by its number.
    await page.getByLabel("Jump to row").fill("60");
    await page.keyboard.press("Enter");
    await expect(table.getByRole("link", { name: "image-00" })).toBeVisible();

    await (await openFilters(page)).getByRole("checkbox", { name: "This group only" }).check();
    await page.keyboard.press("Escape");
    await expect(page.getByText(/of 30$/)).toBeVisible();
    const chip = page.locator("[data-chip]").getByText("This group only");
    await page.getByRole("button", { name: 'Remove filter "This group only"' }).press("Delete");
    await expect(chip).toBeHidden();
    await expect(page.getByRole("button", { name: "Add filter" })).toBeFocused();
    await page.getByLabel("Tier").selectOption("FIPS");
    await expect(page.getByText("6 of 60 repos", { exact: true }).first()).toBeVisible();
    // Clears all filters at once, and the focus stays among the filters.
    const contains = page.getByRole("searchbox", { name: "Search repos" });
    await contains.fill("nothing has this");
    await contains.press("Enter");
    const clear = page.getByRole("search").getByRole("button", { name: "Clear filters" });
    await clear.press("Enter");
    await expect(clear).toBeHidden();
    await expect(page.getByRole("search")).toBeFocused();
    await expect(contains).toHaveValue("");
    await expect(page.getByLabel("Tier")).toHaveValue("");
    await contains.fill("ODD");
    await page.keyboard.press("Enter");
    await expect(table.getByRole("link", { name: /^image-0[78]$/ })).toHaveCount(2);
    await table.getByRole("link", { name: "image-07" }).click();
    await expect(page.getByRole("heading", { name: "image-07", level: 1 })).toBeVisible();
    await page.goBack();
    await expect(contains).toHaveValue("ODD");
    await expect(table.getByRole("link", { name: /^image-0[78]$/ })).toHaveCount(2);

    await page.getByRole("button", { name: /Clear "Search repos"/ }).click();
    await searchList(page, "nothing");
    await expect(page.getByRole("heading", { name: "No repos match" })).toBeVisible();
    await page.getByRole("button", { name: "Clear filter", exact: true }).click();
    await expect(table.getByRole("link", { name: "image-59" })).toBeVisible();
  },
);

test("a repo is deleted with its tags, after they were counted and its name was typed @long", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const { uid } = await makeRepo(person, { name: "leaver" });
  const digest = `sha256:${"a".repeat(64)}`;
  // One tag of each kind that lists hide.
  for (const name of ["1.27", "1.27-r3", "1.27-20260101", "sha256-abc.sig"])
    await api.post(`/registry/v2/tags/${uid}`, { name, digest });
  await open(`repos?group=${organization.uid}`);
  await page.getByRole("button", { name: "Actions for leaver" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const confirm = page.getByRole("dialog", { name: "Delete repo leaver?" });
  await expect(confirm.getByText("4 tags are deleted too")).toBeVisible();
  await confirm.getByRole("button", { name: "Delete repo" }).click();
  await expect(confirm.getByText("Type leaver to confirm.")).toBeVisible();
  await confirm.getByLabel(/Type the name/).fill("leaver");
  await confirm.getByRole("button", { name: "Delete repo" }).click();
  await expect(confirm).toBeHidden();
  await expect(page.getByRole("heading", { name: "No repos here yet" })).toBeVisible();
  expect((await api.refusal("GET", `/registry/v2/repos/${uid}`)).http).toBe(404);
});

test("a viewer reads a repo, and is told what each action needs @long", async ({ person, signUp }) => {
  const made = await makeRepo(person, { name: "web", activeTags: ["1"] });
  const viewer = await signUp();
  await bind(person.api, person.organization, viewer, "viewer");
  const { page } = viewer;
  await viewer.open(`repos?group=${person.organization.uid}`);
  const create = page.getByRole("button", { name: "Create repo" });
  await expect(create).toHaveAttribute("aria-disabled", "true");
  await expect(create).toHaveAccessibleDescription(/create repos \(repo\.create\)/);
  await page.getByRole("button", { name: "Actions for web" }).click();
  await expect(page.getByRole("menuitem", { name: "Delete" })).toContainText("delete repos (repo.delete)");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "web", exact: true }).click();
  for (const name of ["Edit", "Write readme"])
    await expect(page.getByRole("button", { name, exact: true })).toHaveAccessibleDescription(
      /edit repos \(repo\.update\)/,
    );
  await viewer.open(`repos/${param(made.uid)}?drawer=edit`);
  const save = page.getByRole("dialog").getByRole("button", { name: "Save changes" });
  await expect(save).toHaveAttribute("aria-disabled", "true");
  const refusal = await viewer.api.refusal("DELETE", `/registry/v2/repos/${made.uid}`);
  expect(JSON.stringify(refusal.details)).toContain("CAP_REPO_DELETE");
});

test("somebody of a sibling group sees neither list entry nor page of a repo @long", async ({
  person,
  signUp,
  problems,
}) => {
  problems.allow(/status of 403 .*\/(registry|iam)\/v2\//);
  const { api, organization } = person;
  const [mine, theirs] = await Promise.all(
    ["mine", "theirs"].map((name) => api.post<Group>(`/iam/v2/groups/${organization.uid}`, { name })),
  );
  await makeRepo(person, { name: "seen" }, theirs?.uid);
  const hidden = await makeRepo(person, { name: "hidden" }, mine?.uid);
  const guest = await signUp();
  await bind(api, theirs as Group, guest, "owner");
  const { page } = guest;
  await guest.open("repos");
  const table = page.getByRole("table", { name: "Repos" });
  await expect(table.getByRole("link", { name: "seen" })).toBeVisible();
  await expect(table.locator("[data-row-key]")).toHaveCount(1);
  await guest.open(`repos/${param(hidden.uid)}`);
  await expect(page.getByRole("heading", { name: "Hidden by your role", level: 1 })).toBeVisible();
  await expect(page.getByText(/repo\.list/)).toBeVisible();
  await expect(page.getByText("hidden", { exact: true })).toBeHidden();
});

test("a link to a repo opens where it lies, and one to a repo that is gone says so @long", async ({
  person,
  problems,
}) => {
  problems.allow(/status of 404 .*\/registry\/v2\/repos\//);
  const { page, api, organization, open } = person;
  const team = await api.post<Group>(`/iam/v2/groups/${organization.uid}`, { name: "team" });
  const { uid } = await makeRepo(person, { name: "web" }, team.uid);
  await open(`repos/${param(uid)}`);
  await expect(page).toHaveTitle(/^web/);
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  await expect(crumbs).toContainText(/team.*Repos.*web/);
  await expect(page.getByRole("treeitem", { name: "team", exact: true })).toHaveAttribute(
    "aria-selected",
    "true",
  );

  // The group's page counts the repo and links to the list.
  await page.getByRole("definition").getByRole("link", { name: "team", exact: true }).click();
  await page.getByRole("region", { name: "Contents" }).getByRole("link", { name: "Repos" }).click();
  await expect(page).toHaveURL(/repos\?.*reach=here/);
  await expect(page.getByRole("table", { name: "Repos" }).getByRole("link", { name: "web" })).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "web", level: 1 })).toBeVisible();

  await api.delete(`/registry/v2/repos/${uid}`);
  await page.reload();
  await expect(page.getByRole("heading", { name: "This repo wasn't found" })).toBeVisible();
});

test("what opens over a repo's page is one step back, and its menu has what every record's has @long", async ({
  person,
}) => {
  const { page, open } = person;
  const { uid } = await makeRepo(person, { name: "web" });
  await open("repos");
  await page.getByRole("link", { name: "web" }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const form = page.getByRole("dialog", { name: "Edit repo" });
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(form).toBeHidden();
  await expect(page).not.toHaveURL(/drawer/);
  await page.getByRole("button", { name: "More actions for web" }).click();
  await page.getByRole("menuitem", { name: "Raw JSON" }).click();
  const json = page.getByRole("dialog", { name: "JSON of web" }).getByLabel("JSON", { exact: true });
  await expect(json).toContainText(uid);
  await page.keyboard.press("Escape");
  await page.goBack();
  await expect(page.getByRole("table", { name: "Repos" })).toBeVisible();
});
