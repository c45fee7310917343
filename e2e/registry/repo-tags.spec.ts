import type { Repo } from "platform-contract/registry/repos";

import { bind } from "../bindings";
import { expect, test } from "../fixtures";
import { param } from "../records";
import { makeRepo } from "../repos";
import { createTags, digestOf, NO_IMAGE } from "../tags";

test("a row says how many tags its repo has and which moved last, and follows what becomes of them", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  const { page, context, api, organization, open } = person;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const [web] = await Promise.all(["web", "void"].map((name) => makeRepo(person, { name })));
  const { uid } = web as Repo;
  await createTags(api, uid, [{ name: "1.0", digest: digestOf(1) }]);
  // A tag that lists hide by default.
  await createTags(api, uid, [{ name: "1.0-r1", digest: digestOf(1) }]);
  await open(`repos?group=${organization.uid}`);
  const row = (name: string) => page.getByRole("table", { name: "Repos" }).getByRole("row", { name });
  await expect(row("web").getByRole("link", { name: "1 tag", exact: true })).toBeVisible();
  await expect(row("void").getByRole("link", { name: "0 tags" })).toBeVisible();
  await expect(row("void")).toContainText("no tags");

  await row("web").getByRole("link", { name: "1 tag", exact: true }).click();
  await expect(page.getByRole("heading", { name: "web", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Create tag" }).click();
  const form = page.getByRole("dialog", { name: "Create tag" });
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("latest");
  await form.getByRole("textbox", { name: "Digest", exact: true }).fill(digestOf(2));
  await form.getByRole("button", { name: "Create tag" }).click();
  await expect(form).toBeHidden();
  await page.getByRole("link", { name: "Repos", exact: true }).first().click();
  await expect(row("web").getByRole("link", { name: "2 tags" })).toBeVisible();
  await expect(row("web").getByRole("link", { name: "latest" })).toBeVisible();

  // Changes by other users show after a refresh.
  await createTags(api, uid, [{ name: "1.1", digest: digestOf(3) }]);
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(row("web").getByRole("link", { name: "3 tags" })).toBeVisible();

  await page.getByRole("button", { name: "Actions for web" }).click();
  await page.getByRole("menuitem", { name: "Copy reference" }).click();
  await expect(page.getByText("The registry address is missing from it.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${organization.name}/web`);

  await row("web").getByRole("link", { name: "1.1" }).click();
  await expect(page.getByRole("heading", { name: "1.1", level: 1 })).toBeVisible();
});

test("overview and tags of a repo are one page: what stands above them stays @long", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  const { page, api, organization, open } = person;
  const web = await makeRepo(person, { name: "web", catalogTier: "CATALOG_TIER_BASE" });
  await createTags(api, web.uid, [{ name: "1.0", digest: digestOf(1) }]);
  await open(`repos/${param(web)}`);
  const main = page.getByRole("main");
  const head = main.locator("header");
  const screens = main.getByRole("navigation", { name: "Repo pages" });
  const heading = head.getByRole("heading", { name: "web", level: 1 });
  await expect(head.getByRole("button", { name: "Edit" })).toBeEnabled();
  await expect(page.getByRole("button", { name: `Organization: ${organization.name}` })).toBeVisible();
  const at = await Promise.all([heading.boundingBox(), screens.boundingBox()]);
  await screens.getByRole("link", { name: "Tags" }).click();
  await expect(page.getByRole("table", { name: "Tags" }).getByRole("link", { name: "1.0" })).toBeVisible();
  await expect(heading).toBeVisible();
  for (const text of ["Base", "Pushed here", web.uid.slice(0, 6)]) await expect(head).toContainText(text);
  expect(await Promise.all([heading.boundingBox(), screens.boundingBox()])).toEqual(at);
  await expect(page.getByRole("navigation", { name: "Main" }).locator("[aria-current]")).toHaveText("Repos");

  await head.getByRole("button", { name: "Edit" }).click();
  const form = page.getByRole("dialog", { name: "Edit repo" });
  await form.getByRole("textbox", { name: "Description" }).fill("Serves pages");
  await form.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Saved repo web").first()).toBeVisible();
  await expect(page.getByRole("table", { name: "Tags" })).toBeVisible();
  await head.getByRole("button", { name: "More actions for web" }).click();
  await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Delete repo web?" });
  await expect(question).toContainText("1 tag is deleted too");
  await question.getByRole("button", { name: "Cancel" }).click();
  await screens.getByRole("link", { name: "Overview" }).click();
  await expect(main).toContainText("Serves pages");
});

test("who may list repos and no tags sees why a row says nothing of those @long", async ({
  person,
  signUp,
}) => {
  const { api, organization } = person;
  const web = await makeRepo(person, { name: "web" });
  await createTags(api, web.uid, [{ name: "1.0", digest: digestOf(1) }]);
  const reader = await signUp();
  await bind(api, organization, reader, [
    "CAP_IAM_GROUPS_LIST",
    "CAP_IAM_ROLES_LIST",
    "CAP_IAM_ROLE_BINDINGS_LIST",
    "CAP_REPO_LIST",
  ]);
  await reader.open(`repos?group=${organization.uid}`);
  const row = reader.page.getByRole("table", { name: "Repos" }).getByRole("row", { name: "web" });
  await expect(row.getByText("You need permission to view tags (tag.list) here")).toHaveCount(2);
  await expect(row.getByRole("link")).toHaveText(["web"]);
});
