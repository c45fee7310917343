import type { Repo } from "platform-contract/registry/repos";

import { expect, gate, test } from "../fixtures";
import { param } from "../records";
import { makeRepo } from "../repos";

test("a repo is made with a whole overlay, and its page shows all of it", gate, async ({ person }) => {
  const { page, api, organization, open } = person;
  await open(`repos?group=${organization.uid}`);
  await page.getByRole("button", { name: "Create repo" }).first().click();
  const drawer = page.getByRole("dialog", { name: "Create repo" });
  await drawer.getByRole("textbox", { name: "Name", exact: true }).fill("web");
  await drawer.getByLabel("Description").fill("Serves pages");
  await drawer.getByLabel("Catalog tier").selectOption("Application");
  await drawer.getByLabel("Active tags").fill("1.27\n1.28\n\n");
  await drawer.getByLabel("Aliases").fill("httpd");
  await drawer.getByText("Overlay: packages").click();
  await drawer.getByLabel("Packages", { exact: true }).fill("curl\njq");
  await drawer.getByText("Overlay: environment and annotations").click();
  await drawer.getByRole("button", { name: "Add variable" }).click();
  await drawer.getByLabel("Variable 1").fill("LANG");
  await drawer.getByLabel("Value 1").fill("C.UTF-8");
  await drawer.getByText("Overlay: accounts").click();
  await drawer.getByLabel("Run as").fill("web");
  await drawer.getByRole("button", { name: "Add user" }).click();
  const user = drawer.getByRole("group", { name: "User 1" });
  await user.getByLabel("User name").fill("web");
  await user.getByLabel("User ID").fill("1000");
  await drawer.getByRole("button", { name: "Add group" }).click();
  const group = drawer.getByRole("group", { name: "Group 1" });
  await group.getByLabel("Group name").fill("web");
  await group.getByLabel("Members").fill("web\nnginx");
  await drawer.getByRole("button", { name: "Create repo" }).click();
  await expect(drawer).toBeHidden();

  await page.getByRole("table", { name: "Repos" }).getByRole("link", { name: "web" }).click();
  await expect(page.getByRole("heading", { name: "web", level: 1 })).toBeVisible();
  const overlay = page.getByRole("region", { name: "Custom overlay" });
  await expect(overlay.getByText("jq", { exact: true })).toBeVisible();
  await expect(
    overlay.getByRole("region", { name: "Users" }).getByRole("cell", { name: "1000" }),
  ).toBeVisible();
  const { repos } = await api.get<{ repos: Repo[] }>("/registry/v2/repos?name=web");
  expect(repos[0]).toMatchObject({
    description: "Serves pages",
    catalogTier: "CATALOG_TIER_APPLICATION",
    activeTags: ["1.27", "1.28"],
    aliases: ["httpd"],
    customOverlay: {
      contents: { packages: ["curl", "jq"] },
      environment: { LANG: "C.UTF-8" },
      accounts: {
        runAs: "web",
        users: [{ username: "web", uid: 1000 }],
        groups: [{ groupname: "web", members: ["web", "nginx"] }],
      },
    },
  });
});

test(
  "a violation stands under its field, also one that only the server finds, in a part that was folded @engines",
  gate,
  async ({ person, problems }) => {
    problems.allow(/status of (?:400|409) .*\/registry\/v2\/repos\//);
    const { page, organization, open } = person;
    await makeRepo(person, { name: "taken" });
    await open(`repos?group=${organization.uid}&drawer=create`);
    const drawer = page.getByRole("dialog", { name: "Create repo" });
    await drawer.getByRole("textbox", { name: "Name", exact: true }).fill("copy");
    await drawer.getByLabel("Description").fill("Typed once, and once only");
    const sync = drawer.getByText("Sync from another repo");
    await sync.click();
    const source = drawer.getByLabel("Source", { exact: true });
    await source.fill("somewhere/else");
    await expect(drawer.getByLabel("Aliases")).toBeDisabled();
    await expect(drawer.getByText("A synced repo takes this from its source").first()).toBeVisible();
    await sync.click();
    await drawer.getByRole("button", { name: "Create repo" }).click();
    await expect(source).toBeFocused();
    await expect(source).toHaveAttribute("aria-invalid", "true");
    await expect(drawer.getByText(/Must be a repo that you can pull/)).toBeVisible();
    await expect(drawer.getByLabel("Description")).toHaveValue("Typed once, and once only");

    await source.fill("");
    await drawer.getByText("Overlay: packages").click();
    await drawer.getByLabel("Package sources").fill("https://packages.example\nftp://old.example");
    await drawer.getByRole("button", { name: "Create repo" }).click();
    await expect(drawer.getByText(/^Entry 2: must be an? http/)).toBeVisible();
    await drawer.getByLabel("Package sources").fill("https://packages.example");
    const name = drawer.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("taken");
    await drawer.getByRole("button", { name: "Create repo" }).click();
    await expect(drawer.getByText("a repo with this name already exists in this group")).toBeVisible();
    await expect(name).toBeFocused();
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await name.fill("copy");
    await drawer.getByRole("button", { name: "Create repo" }).click();
    await expect(drawer).toBeHidden();
    await expect(page.getByRole("link", { name: "copy" })).toBeVisible();
  },
);

test("an edit sends what was changed and nothing else @long", async ({ person }) => {
  const { page, api, open } = person;
  const { uid } = await makeRepo(person, {
    name: "web",
    description: "before",
    bundles: ["base"],
    customOverlay: {
      contents: { packages: ["curl"] },
      environment: { LANG: "C" },
      accounts: { users: [{ username: "web", uid: 1000 }] },
    },
  });
  await open(`repos/${param(uid)}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const drawer = page.getByRole("dialog", { name: "Edit repo" });
  await drawer.getByLabel("Bundles").fill("base\nextra");
  await drawer.getByText("Overlay: environment and annotations").click();
  await drawer.getByLabel("Value 1").fill("C.UTF-8");
  const patched = page.waitForRequest((request) => request.method() === "PATCH");
  await drawer.getByRole("button", { name: "Save changes" }).click();
  const request = await patched;
  expect(new URL(request.url()).searchParams.get("updateMask")).toBe("bundles,customOverlay.environment");
  expect(request.postDataJSON()).toEqual({
    bundles: ["base", "extra"],
    customOverlay: { environment: { LANG: "C.UTF-8" } },
  });
  await expect(drawer).toBeHidden();
  await expect(page.getByText("extra", { exact: true })).toBeVisible();
  expect(await api.get<Repo>(`/registry/v2/repos/${uid}`)).toMatchObject({
    description: "before",
    customOverlay: {
      contents: { packages: ["curl"] },
      environment: { LANG: "C.UTF-8" },
      accounts: { users: [{ username: "web", uid: 1000 }] },
    },
  });
});

test("a synced repo shows its source, keeps to it, and can be put on its own @long", async ({ person }) => {
  const { page, api, open } = person;
  const source = await makeRepo(person, { name: "upstream", bundles: ["base"] });
  await api.patch(`/registry/v2/repos/${source.uid}/readme`, { content: "# Of the source" });
  const { uid } = await makeRepo(person, { name: "mirror", sync_config: { source: source.uid } });
  await open(`repos/${param(uid)}`);
  const sync = page.getByRole("region", { name: "Synced from another repo" });
  await expect(sync.getByRole("link", { name: "upstream" })).toBeVisible();
  // Thirteen full days, or fourteen if the console's clock has not ticked since.
  await expect(sync.getByText(/^in 1[34] days$/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Of the source" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Edit readme" })).toHaveAttribute("aria-disabled", "true");

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const drawer = page.getByRole("dialog", { name: "Edit repo" });
  await expect(drawer.getByLabel("Bundles")).toBeDisabled();
  await drawer.getByLabel("Source", { exact: true }).fill("");
  await drawer.getByLabel("Bundles").fill("mine");
  const patched = page.waitForRequest((request) => request.method() === "PATCH");
  await drawer.getByRole("button", { name: "Save changes" }).click();
  const mask = new URL((await patched).url()).searchParams.get("updateMask");
  expect(mask?.split(",").toSorted()).toEqual(["bundles", "sync_config"]);
  await expect(drawer).toBeHidden();
  await expect(sync).toBeHidden();
  const now = await api.get<Repo>(`/registry/v2/repos/${uid}`);
  expect(now.sync_config).toBeUndefined();
  expect(now.bundles).toEqual(["mine"]);
});

test("two repos of one name in one organization are warned about on both pages and at creation", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const folder = await api.post<{ uid: string }>(`/iam/v2/groups/${organization.uid}`, { name: "data" });
  const first = await makeRepo(person, { name: "twin" }, folder.uid);
  const warning = page.getByRole("main").getByText("This pull reference isn't unique");
  await open(`repos/${param(first.uid)}`);
  await expect(page.getByRole("heading", { name: "twin", level: 1 })).toBeVisible();

  await open(`repos?group=${organization.uid}&drawer=create`);
  const form = page.getByRole("dialog", { name: "Create repo" });
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("twin");
  await expect(form.getByText("This pull reference isn't unique")).toBeVisible();
  await expect(form.getByRole("link", { name: "data" })).toBeVisible();
  await form.getByRole("button", { name: "Create repo" }).click();
  await expect(form).toBeHidden();

  await page.getByRole("table", { name: "Repos" }).getByRole("link", { name: "twin" }).first().click();
  await expect(warning).toBeVisible();
  await open(`repos/${param(first.uid)}`);
  await expect(warning).toBeVisible();
});
