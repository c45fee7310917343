import type { Group } from "platform-contract/iam/groups";
import type { Tag } from "platform-contract/registry/tags";

import { deleteLeaf } from "../deletions";
import { bind } from "../bindings";
import { expect, gate, test } from "../fixtures";
import { openFilters, searchList } from "../lists";
import { param } from "../records";
import { createRepo, createTags, digestOf, names, NO_IMAGE, scanLine, table } from "../tags";

/** Tags of three images, with each kind that lists hide, and one that is deprecated. */
const TAGS = [
  { name: "1.2", digest: digestOf(1), deprecated: true },
  { name: "1.10", digest: digestOf(2) },
  { name: "1.9", digest: digestOf(3) },
  { name: "latest", digest: digestOf(2) },
  { name: "1.2-r0", digest: digestOf(1), deprecated: true },
  { name: "1.10-r3", digest: digestOf(2) },
  { name: "latest-20260811", digest: digestOf(2) },
  { name: `sha256-${"a".repeat(64)}`, digest: digestOf(9) },
];

test(
  "the tags of a repo are listed, ordered, and shown by kind; reload and Back keep the view",
  gate,
  async ({ person, problems }) => {
    problems.allow(NO_IMAGE);
    const { page, api, organization, open } = person;
    const repo = await createRepo(api, organization.uid);
    for (const body of TAGS) await createTags(api, repo.uid, [body]);
    await open(`tags?repo=${param(repo)}`);
    await expect(page.getByRole("heading", { name: "python", level: 1 })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText("python");
    const newest = ["latest", "1.9", "1.10", "1.2"];
    await expect.poll(() => names(page)).toEqual(newest);
    await expect(page.getByRole("row", { name: / 1\.2 Deprecated/ })).toBeVisible();

    await table(page).getByRole("columnheader", { name: "Name" }).getByRole("button").click();
    await expect.poll(() => names(page)).toEqual(["1.10", "1.2", "1.9", "latest"]);
    const filters = await openFilters(page);
    await filters.getByRole("checkbox", { name: "Dated tags" }).check();
    await filters.getByRole("checkbox", { name: "Build tags" }).check();
    await page.keyboard.press("Escape");
    const shown = ["1.10", "1.10-r3", "1.2", "1.2-r0", "1.9", "latest", "latest-20260811"];
    await expect.poll(() => names(page)).toEqual(shown);
    await page.reload();
    await expect.poll(() => names(page)).toEqual(shown);
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await expect.poll(() => names(page)).toEqual(newest);

    // An exact name or digest also finds hidden tags.
    await searchList(page, "1.10-r3");
    await expect.poll(() => names(page)).toEqual(["1.10-r3"]);
    await searchList(page, digestOf(1));
    await expect.poll(async () => (await names(page)).toSorted()).toEqual(["1.2", "1.2-r0"]);
  },
);

test("every count of a repo's tags counts the same tags, and follows a deletion", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  const { page, api, organization, open } = person;
  const repo = await createRepo(api, organization.uid);
  await createTags(api, repo.uid, TAGS);
  const home = page.getByLabel("Including subfolders");
  await open("");
  await expect(home.getByRole("link", { name: "4 tags", exact: true })).toBeVisible();
  await expect(home.getByText("4 tags without dated tags, build tags and signatures")).toBeVisible();
  await page.getByRole("link", { name: "1 deprecated tag; dated and build tags aren't counted" }).click();
  await expect(scanLine(page)).toHaveText("1 deprecated of 4 tags");
  expect(await names(page)).toEqual(["1.2"]);

  await open(`tags?repo=${param(repo)}`);
  await expect(page.getByText("1–4 of 4")).toBeVisible();
  const leftOut = page.getByText(/^\d+ dated tags, build tags, and signatures aren't counted\./);
  await expect(leftOut).toContainText("4 dated");
  await page.getByRole("combobox", { name: "State" }).selectOption("deprecated");
  await expect(scanLine(page)).toHaveText("1 deprecated of 4 tags");
  await page.getByRole("button", { name: "Include them" }).click();
  await expect(scanLine(page)).toHaveText("2 deprecated of 8 tags");
  await expect(leftOut).toBeHidden();

  await deleteLeaf(page, "tag", "1.2-r0", " of python");
  await expect(scanLine(page)).toHaveText("1 deprecated of 7 tags");
});

test("tags are ordered by version, and those of one image stand in one row @long", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  const { page, api, organization, open } = person;
  const repo = await createRepo(api, organization.uid);
  await createTags(api, repo.uid, TAGS);
  await open(`tags?repo=${param(repo)}`);
  const filters = await openFilters(page);
  await filters.getByRole("combobox", { name: "Sort" }).selectOption("newest version");
  await expect(scanLine(page)).toHaveText("4 tags, ordered by version");
  expect(await names(page)).toEqual(["latest", "1.10", "1.9", "1.2"]);
  await filters.getByRole("checkbox", { name: "Group by digest" }).check();
  await expect(scanLine(page)).toHaveText("4 tags, grouped by digest, ordered by version");
  const first = table(page).locator("[data-row-key]").first();
  await expect(first.getByRole("link")).toHaveText(["sha256:000000000000", "1.10", "latest"]);
  await expect(table(page).locator("[data-row-key]")).toHaveCount(3);
  await page.reload();
  await expect(first.getByRole("link", { name: "latest" })).toBeVisible();
});

test("a tag is made, moved to another image, and deleted; each shows at once @long", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  const { page, api, organization, open } = person;
  const repo = await createRepo(api, organization.uid);
  await open(`tags?repo=${param(repo)}`);
  await page.getByRole("button", { name: "Create tag" }).first().click();
  const drawer = page.getByRole("dialog", { name: "Create tag" });
  const name = drawer.getByRole("textbox", { name: "Name", exact: true });
  const digest = drawer.getByRole("textbox", { name: "Digest", exact: true });
  await name.fill("1.27");
  await digest.fill(digestOf(1));
  await drawer.getByRole("button", { name: "Create tag" }).click();
  await expect(drawer).toBeHidden();
  await expect.poll(() => names(page)).toEqual(["1.27"]);

  await page.getByRole("button", { name: "Create tag" }).first().click();
  await name.fill("1.27");
  await digest.fill(digestOf(2));
  await drawer.getByRole("checkbox", { name: "Deprecated" }).check();
  await expect(
    drawer.getByText("Moves 1.27 in python from sha256:000000000000 to sha256:000000000000"),
  ).toBeVisible();
  await drawer.getByRole("button", { name: "Move tag" }).click();
  await expect(drawer).toBeHidden();
  await expect(page.getByRole("row", { name: / 1\.27 Deprecated/ })).toBeVisible();
  const { tags } = await api.get<{ tags: Tag[] }>(`/registry/v2/tags?uidp.children_of=${repo.uid}`);
  expect(tags).toMatchObject([{ name: "1.27", digest: digestOf(2), deprecated: true }]);

  await page.getByRole("button", { name: "Create tag" }).first().click();
  await name.fill("1.27");
  await digest.fill(digestOf(3));
  await expect(drawer.getByRole("checkbox", { name: "Deprecated" })).toBeChecked();
  await drawer.getByRole("button", { name: "Move tag" }).click();
  await expect(drawer).toBeHidden();
  // The newest is first. Of the move before it nothing is undone.
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.first().hover();
  await expect(undo).toHaveCount(2);
  await undo.last().click();
  await expect(page.getByText("Tag 1.27 of python has moved again since: not undone")).toBeVisible();
  await undo.first().click();
  await expect(page.getByText("Moved tag 1.27 of python back to sha256:000000000000")).toBeVisible();
  const undone = await api.get<{ tags: Tag[] }>(`/registry/v2/tags?uidp.children_of=${repo.uid}`);
  expect(undone.tags).toMatchObject([{ name: "1.27", digest: digestOf(2), deprecated: true }]);
  await expect(page.getByRole("row", { name: / 1\.27 Deprecated/ })).toBeVisible();

  await deleteLeaf(page, "tag", "1.27", " of python");
  await expect(page.getByRole("heading", { name: "No tags to show here" })).toBeVisible();
});

test("a label with a space survives the move of its tag @long", async ({ person, problems }) => {
  problems.allow(NO_IMAGE);
  const { page, api, organization, open } = person;
  const repo = await createRepo(api, organization.uid);
  const bundles = ["premium plus", "a,b"];
  await createTags(api, repo.uid, [{ name: "1.27", digest: digestOf(1), bundles }]);
  await open(`tags?repo=${param(repo)}`);
  await page.getByRole("button", { name: "Actions for 1.27" }).click();
  await page.getByRole("menuitem", { name: "Move to another digest" }).click();
  const drawer = page.getByRole("dialog", { name: "Move tag" });
  await expect(drawer.getByLabel("Bundles")).toHaveValue("premium plus\na,b");
  await drawer.getByLabel("Bundles").press("ControlOrMeta+End");
  await drawer.getByLabel("Bundles").pressSequentially("\nbase image");
  await drawer.getByRole("textbox", { name: "New digest" }).fill(digestOf(2));
  await drawer.getByRole("button", { name: "Move tag" }).click();
  await expect(drawer).toBeHidden();
  const { tags } = await api.get<{ tags: Tag[] }>(`/registry/v2/tags?uidp.children_of=${repo.uid}`);
  expect(tags).toMatchObject([{ name: "1.27", digest: digestOf(2), bundles: [...bundles, "base image"] }]);
});

test("the page of a tag says what else names its image, how to pull it, and leads to a comparison @long", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  const { page, context, api, organization, open } = person;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const repo = await createRepo(api, organization.uid);
  const made = await createTags(api, repo.uid, TAGS);
  const byName = (name: string) => made.find((tag) => tag.name === name) as Tag;
  const path = `${organization.name}/python`;

  await open(`tags?repo=${param(repo)}`);
  await page.getByRole("button", { name: "Actions for 1.10", exact: true }).click();
  await page.getByRole("menuitem", { name: "Copy reference", exact: true }).click();
  await expect.poll(clipboard).toBe(`${path}:1.10`);
  await expect(page.getByText("The registry address is missing from it.")).toBeVisible();
  await page.getByRole("button", { name: "Actions for 1.10", exact: true }).click();
  await page.getByRole("menuitem", { name: "Copy reference by digest" }).click();
  await expect.poll(clipboard).toBe(`${path}@${digestOf(2)}`);
  await page.getByRole("button", { name: "Actions for 1.10", exact: true }).click();
  await page.getByRole("menuitem", { name: "Copy pull command…" }).click();
  const pull = page.getByRole("dialog", { name: "Pull 1.10" });
  await expect(pull.getByText("Registry address not set")).toBeVisible();
  await expect(pull.getByText("docker")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(pull).toBeHidden();

  await table(page).getByRole("link", { name: "1.10", exact: true }).click();
  await expect(page.getByRole("heading", { name: "python:1.10", level: 1 })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText("python");
  const others = page.getByRole("region", { name: /^Also tagged/ }).getByRole("link");
  await expect(others).toHaveText(["1.10-r3", "latest-20260811", "latest"]);
  // Nothing was pushed: the service's message takes the place of the sizes.
  await expect(page.getByRole("region", { name: /^Architectures/ })).toContainText(
    "Not compared with a registry: none is connected.",
  );

  await page.getByRole("button", { name: "More actions for python:1.10" }).click();
  await page.getByRole("menuitem", { name: "Compare with another tag" }).click();
  const other = page.getByRole("textbox", { name: "Compare 1.10 with" });
  await other.fill("9.9");
  await page.getByRole("button", { name: "Compare tags" }).click();
  await expect(page.getByRole("alert").getByText("This repo has no tag 9.9.")).toBeVisible();
  await other.fill("1.2-r0");
  await other.press("Enter");
  const compared = page.getByRole("table");
  await expect(compared.getByRole("row", { name: /^Digest/ })).toContainText("different image");
  await expect(compared.getByRole("row", { name: /^State/ })).toContainText("ActiveDeprecated");
  await page.reload();
  await expect(compared.getByRole("link", { name: "1.2-r0" })).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "python:1.10", level: 1 })).toBeVisible();
  await open(`tags/compare?a=${param(byName("1.10"))}&b=${param(byName("latest"))}`);
  await expect(compared.getByRole("row", { name: /^Digest/ })).toContainText("same image");
});

test("a viewer copies and compares, and sees why nothing else; somebody next door finds nothing @long", async ({
  person,
  signUp,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  const { api, organization } = person;
  const folder = (name: string) => api.post<Group>(`/iam/v2/groups/${organization.uid}`, { name });
  const [west, east] = [await folder("west"), await folder("east")];
  const repo = await createRepo(api, west.uid);
  const [tag] = await createTags(api, repo.uid, [{ name: "1.0", digest: digestOf(1) }]);
  const eastern = await createRepo(api, east.uid, "eastern");
  await createTags(api, eastern.uid, [{ name: "2.0", digest: digestOf(2) }]);

  const viewer = await signUp();
  await bind(api, organization, viewer, "viewer");
  await viewer.open(`tags?repo=${param(repo)}`);
  const create = viewer.page.getByRole("button", { name: "Create tag" });
  await expect(create).toHaveAccessibleDescription(/create tags \(tag\.create\)/);
  await viewer.page.getByRole("button", { name: "Actions for 1.0" }).click();
  for (const [action, capability] of [
    ["Move to another digest", "tag.create"],
    ["Delete", "tag.delete"],
  ] as const) {
    const item = viewer.page.getByRole("menuitem", { name: action });
    await expect(item).toHaveAttribute("aria-disabled", "true");
    await expect(item).toContainText(capability);
  }
  const refusal = await viewer.api.refusal("DELETE", `/registry/v2/tags/${tag?.uid}`);
  expect(refusal).toMatchObject({ http: 403, code: 7 });

  const neighbour = await signUp();
  await bind(api, east, neighbour, "viewer");
  await neighbour.open("tags");
  await expect.poll(() => names(neighbour.page)).toEqual(["2.0"]);
  await expect(table(neighbour.page).getByRole("link", { name: "eastern" })).toBeVisible();
  problems.allow(/status of 403 .*\/(?:tags|groups|repos)\//);
  await neighbour.open(`tags?repo=${param(repo)}`);
  await expect(neighbour.page.getByRole("heading", { name: "This repo wasn't found" })).toBeVisible();
  await neighbour.open(`tags/${param(tag as Tag)}`);
  await expect(neighbour.page.getByRole("heading", { name: "Hidden by your role", level: 1 })).toBeVisible();
  await expect(neighbour.page.getByText(/tag\.list/)).toBeVisible();
});
