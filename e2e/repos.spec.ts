import type { Group } from "~/contract/iam/groups";
import type { Repo } from "~/contract/registry/repos";

import { expect, test, type Owner } from "./fixtures";

const param = (uid: string): string => uid.replaceAll("/", "_");
const makeRepo = ({ api, organization }: Owner, body: object, parent = organization.uid) =>
  api.post<Repo>(`/registry/v2/repos/${parent}`, body);

test("the list is sorted, filtered by the service and by reading all of it, and keeps its view", async ({
  person,
}) => {
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

  // Further down than one page of the API, by the row's number.
  await page.getByLabel("Jump to row").fill("60");
  await page.keyboard.press("Enter");
  await expect(table.getByRole("link", { name: "image-59" })).toBeVisible();
  await expect(table.getByRole("row", { name: /image-59/ })).toContainText("team");

  await table.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
  await expect(page).toHaveURL(/order=name\+desc/);
  await expect(table.getByRole("link", { name: "image-59" })).toBeVisible();

  await page.getByLabel("Show").selectOption("here");
  await expect(page.getByText(/of 30$/)).toBeVisible();
  await page.getByLabel("Show").selectOption("");
  await page.getByLabel("Tier").selectOption("FIPS");
  await expect(page.getByText("6 of 60 repos", { exact: true }).first()).toBeVisible();
  await page.getByLabel("Tier").selectOption("any");
  const contains = page.getByRole("textbox", { name: "Name, description or alias contains" });
  await contains.fill("ODD");
  await page.keyboard.press("Enter");
  await expect(table.getByRole("link", { name: /^image-0[78]$/ })).toHaveCount(2);
  await table.getByRole("link", { name: "image-07" }).click();
  await expect(page.getByRole("heading", { name: "image-07", level: 1 })).toBeVisible();
  await page.goBack();
  await expect(contains).toHaveValue("ODD");
  await expect(table.getByRole("link", { name: /^image-0[78]$/ })).toHaveCount(2);

  await page.getByRole("button", { name: /Clear "Name, description or alias contains"/ }).click();
  await page.getByRole("textbox", { name: "Name is exactly" }).fill("nothing");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No repos match" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filter" }).click();
  await expect(table.getByRole("link", { name: "image-59" })).toBeVisible();
});

test("a repo is made with a whole overlay, and its page shows all of it", async ({ person }) => {
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
  await user.getByLabel("User id").fill("1000");
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
  await expect(page.getByText("exist only in v1 of the API")).toBeVisible();
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

test("a violation stands under its field, also one that only the server finds, in a part that was folded", async ({
  person,
  problems,
}) => {
  problems.allow(/status of 400 .*\/registry\/v2\/repos\//);
  const { page, organization, open } = person;
  await open(`repos?group=${organization.uid}&drawer=create`);
  const drawer = page.getByRole("dialog", { name: "Create repo" });
  await drawer.getByRole("textbox", { name: "Name", exact: true }).fill("copy");
  await drawer.getByLabel("Description").fill("Typed once, and once only");
  const sync = drawer.getByText("Copy of another repo");
  await sync.click();
  const source = drawer.getByLabel("Source", { exact: true });
  await source.fill("somewhere/else");
  await expect(drawer.getByLabel("Aliases")).toBeDisabled();
  await expect(drawer.getByText("A synced repo has this from its source").first()).toBeVisible();
  await sync.click();
  await drawer.getByRole("button", { name: "Create repo" }).click();
  await expect(source).toBeFocused();
  await expect(source).toHaveAttribute("aria-invalid", "true");
  await expect(drawer.getByText(/source must be a repo that you may pull/)).toBeVisible();
  await expect(drawer.getByLabel("Description")).toHaveValue("Typed once, and once only");

  await source.fill("");
  await drawer.getByText("Overlay: packages").click();
  await drawer.getByLabel("Package sources").fill("https://packages.example\nftp://old.example");
  await drawer.getByRole("button", { name: "Create repo" }).click();
  await expect(
    drawer.getByText("Entry 2: runtimeRepositories must be http or https addresses"),
  ).toBeVisible();
  await drawer.getByLabel("Package sources").fill("https://packages.example");
  await drawer.getByRole("button", { name: "Create repo" }).click();
  await expect(drawer).toBeHidden();
  await expect(page.getByRole("link", { name: "copy" })).toBeVisible();
});

test("an edit sends what was changed and nothing else", async ({ person }) => {
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

test("a synced repo shows its source, keeps to it, and can be put on its own", async ({ person }) => {
  const { page, api, open } = person;
  const source = await makeRepo(person, { name: "upstream", bundles: ["base"] });
  await api.patch(`/registry/v2/repos/${source.uid}/readme`, { content: "# Of the source" });
  const { uid } = await makeRepo(person, { name: "mirror", sync_config: { source: source.uid } });
  await open(`repos/${param(uid)}`);
  const sync = page.getByRole("region", { name: "Synced from another repo" });
  await expect(sync.getByRole("link", { name: "upstream" })).toBeVisible();
  await expect(sync.getByText("in 14 days").or(sync.getByText("in 2 weeks"))).toBeVisible();
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

test("a repo is deleted with its tags, after they were counted and its name was typed", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const { uid } = await makeRepo(person, { name: "leaver" });
  const digest = `sha256:${"a".repeat(64)}`;
  // One of each family of names that lists leave out.
  for (const name of ["1.27", "1.27-r3", "1.27-20260101", "sha256-abc.sig"])
    await api.post(`/registry/v2/tags/${uid}`, { name, digest });
  await open(`repos?group=${organization.uid}`);
  await page.getByRole("button", { name: "Actions for leaver" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const confirm = page.getByRole("dialog", { name: "Delete repo leaver?" });
  await expect(confirm.getByText("4 tags go with it")).toBeVisible();
  await confirm.getByRole("button", { name: "Delete repo" }).click();
  await expect(confirm.getByText("Type leaver to confirm.")).toBeVisible();
  await confirm.getByLabel(/Type the name/).fill("leaver");
  await confirm.getByRole("button", { name: "Delete repo" }).click();
  await expect(confirm).toBeHidden();
  await expect(page.getByRole("heading", { name: "No repos here yet" })).toBeVisible();
  expect((await api.refusal("GET", `/registry/v2/repos/${uid}`)).http).toBe(404);
});
