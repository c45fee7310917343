import type { Page } from "@playwright/test";

import type { Group } from "platform-contract/iam/groups";
import type { Identity } from "platform-contract/iam/identities";
import type { Tag } from "platform-contract/registry/tags";

import { expect, fault, ownService, test, type Faulty } from "../faulty";
import { param } from "../records";
import { createRepo, createTags, digestOf, NO_IMAGE } from "../tags";

const GROUPS = /^\/iam\/v2\/groups/;
const EVERYTHING = /^\//;

async function folder({ api, organization }: Faulty, name: string): Promise<Group> {
  return api.post<Group>(`/iam/v2/groups/${organization.uid}`, { name });
}

const detailOf = ({ uid }: Group): string => `groups/${param(uid)}`;

const banner = (page: Page) => page.getByRole("status").filter({ hasText: "can't be reached" });

test(
  "a save that the service puts off counts down, keeps what was typed, and works afterwards",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, organization, open } = faulty;
    await open(`groups?group=${organization.uid}&drawer=create&item=${organization.uid}`);
    const drawer = page.getByRole("dialog", { name: "Create folder" });
    await drawer.getByLabel("Name").fill("patient");
    proxy.rule({ method: "POST", path: GROUPS }, fault.status(429, { retryAfter: 3 }), { times: 1 });
    const save = drawer.getByRole("button", { name: "Create folder" });
    await save.click();
    await expect(drawer.getByRole("alert")).toContainText("Rate limited. Try again in");
    await expect(save).toHaveAttribute("aria-disabled", "true");
    await expect(save).toHaveAccessibleDescription(/Rate limited/);
    await expect(save).not.toHaveAttribute("aria-disabled", "true");
    await expect(drawer.getByLabel("Name")).toHaveValue("patient");
    await save.click();
    await expect(drawer).toBeHidden();
    await expect(
      page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "patient" }),
    ).toBeVisible();
  },
);

test("a list that the service puts off is read by itself", ownService, async ({ faulty }) => {
  const { page, proxy, organization, open } = faulty;
  await folder(faulty, "later");
  await page.clock.install();
  const busy = proxy.rule(
    {
      method: "GET",
      path: GROUPS,
      when: ({ query }) => query.has("uidp.descendants_of") && query.get("page_size") === "50",
    },
    fault.status(503, { retryAfter: 25 }),
    { times: 1 },
  );
  await open(`groups?group=${organization.uid}`);
  await busy.met();
  await expect(page.getByRole("heading", { name: "Groups couldn't be loaded" })).toBeVisible();
  await expect(page.getByText(/Retrying in/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Try now" })).toBeVisible();
  await page.clock.fastForward("00:30");
  await expect(
    page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "later" }),
  ).toBeVisible();
});

test(
  "the tree and parts of a page that the service puts off count down and are read by themselves",
  ownService,
  async ({ faulty, problems }) => {
    problems.allow(NO_IMAGE);
    const { page, proxy, api, organization, open } = faulty;
    const outer = await folder(faulty, "outer");
    await api.post(`/iam/v2/groups/${outer.uid}`, { name: "inner" });
    await page.clock.install();
    await open(`groups?group=${organization.uid}`);
    const tree = page.getByRole("tree", { name: "Groups" });
    const level = proxy.rule(
      { path: GROUPS, when: ({ query }) => query.get("uidp.children_of") === outer.uid },
      fault.status(429, { retryAfter: 25 }),
      { times: 1 },
    );
    await tree.getByRole("treeitem", { name: "outer", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    await level.met();
    await expect(
      tree.getByRole("treeitem", { name: /^Couldn't load the folders in outer\. Retrying in \d+ s$/ }),
    ).toBeVisible();
    await page.clock.fastForward("00:30");
    await expect(tree.getByRole("treeitem", { name: "inner", exact: true })).toBeVisible();

    const repo = await createRepo(api, organization.uid);
    const tags = ["1.0", "1.0.1"].map((name) => ({ name, digest: digestOf(1) }));
    const [tag] = await createTags(api, repo.uid, tags);
    const machine = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, {
      name: "machine",
      claimMatch: { issuer: "https://issuer.example", subject: "machine" },
    });
    for (const [path, title, request, there] of [
      [`repos/${param(repo)}`, "Readme", /\/readme$/, "No readme yet"],
      [`identities/${param(machine)}`, "Role bindings", /\/roleBindings$/, /^No roles yet/],
      [`tags/${param(tag as Tag)}`, "Also tagged", /^\/registry\/v2\/tags$/, "1.0.1"],
    ] as const) {
      await open(path);
      const section = page.getByRole("region", { name: title });
      await expect(section.getByText(there)).toBeVisible();
      const busy = proxy.rule(
        {
          method: "GET",
          path: request,
          // Not the bindings of the user, which every page reads.
          when: ({ query }) => title !== "Role bindings" || query.get("identity") === machine.uid,
        },
        fault.status(503, { retryAfter: 25 }),
        { times: 1 },
      );
      await page.reload();
      await busy.met();
      await expect(section.getByText(/Rate limited\. Retrying in/)).toBeVisible();
      await expect(section.getByRole("button", { name: "Try now" })).toBeVisible();
      await page.clock.fastForward("00:30");
      await expect(section.getByText(there)).toBeVisible();
    }
  },
);

test(
  "while the service cannot be reached what was read stays, changes wait, and both go on when it is back",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, api, open } = faulty;
    const made = await folder(faulty, "steady");
    const detail = detailOf(made);
    await open(detail);
    await page.getByRole("button", { name: "Edit" }).click();
    const drawer = page.getByRole("dialog", { name: "Edit folder" });
    await drawer.getByLabel("Description").fill("typed before the network went");

    const cut = proxy.rule({ path: EVERYTHING }, fault.cutBefore);
    await drawer.getByRole("button", { name: "Save changes" }).click();
    await expect(drawer.getByRole("alert")).toContainText("Nothing was saved");
    await expect(banner(page)).toContainText("Changes are paused");
    const save = drawer.getByRole("button", { name: "Save changes" });
    await expect(save).toHaveAttribute("aria-disabled", "true");
    await expect(save).toHaveAccessibleDescription(/can't be reached/);
    await page.keyboard.press("Escape");
    await page
      .getByRole("dialog", { name: "Discard changes?" })
      .getByRole("button", { name: "Keep editing" })
      .click();

    cut.remove();
    await drawer.getByRole("button", { name: "Try now" }).dispatchEvent("click");
    await expect(banner(page)).toHaveCount(0);
    await expect(drawer.getByLabel("Description")).toHaveValue("typed before the network went");
    await expect(save).not.toHaveAttribute("aria-disabled", "true");
    await save.click();
    await expect(drawer).toBeHidden();
    expect((await api.get<Group>(`/iam/v2/groups/${made.uid}`)).description).toBe(
      "typed before the network went",
    );

    // A screen with nothing cached says so, and loads by itself later.
    await folder(faulty, "unseen");
    await page.getByRole("link", { name: "Groups", exact: true }).first().click();
    await expect(
      page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "unseen" }),
    ).toBeVisible();
    const again = proxy.rule({ path: EVERYTHING }, fault.cutBefore);
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(banner(page)).toBeVisible();
    await expect(page.getByText(/Couldn't refresh · from \d+ s ago/)).toBeVisible();
    await page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "unseen" }).click();
    await expect(page.getByRole("heading", { name: "Can't reach the service" })).toBeVisible();
    again.remove();
    const heading = page.getByRole("heading", { name: "unseen", level: 1 });
    // It may load by itself before the button is pressed.
    await page.getByRole("button", { name: "Try now" }).or(heading).first().click();
    await expect(heading).toBeVisible();
  },
);

test(
  "a click shows at once, and leaves the last screen while the code of the next one is on its way",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, organization, open } = faulty;
    const heading = (name: string) => page.getByRole("heading", { name, level: 1 });
    await open(`groups?group=${organization.uid}`);
    await expect(heading("Groups")).toBeVisible();
    const code = proxy.rule({ path: /^\/assets\/.*\.js$/ }, fault.none, { hold: "request" });
    const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Roles" });
    await link.click();
    await expect(page.getByRole("progressbar", { name: "Loading page" })).toBeVisible();
    await expect(heading("Roles")).toBeVisible();
    await expect(heading("Groups")).toBeHidden();
    await expect(link).toHaveAttribute("aria-current", "page");
    await code.met();
    code.release();
    await expect(page.getByRole("searchbox", { name: "Search roles" })).toBeVisible();
    await expect(heading("Roles")).toBeFocused();
  },
);

test("a record that cannot be refreshed is shown with its age", ownService, async ({ faulty }) => {
  const { page, proxy, open } = faulty;
  const made = await folder(faulty, "aging");
  await page.clock.install();
  await open(detailOf(made));
  await expect(page.getByRole("heading", { name: "aging", level: 1 })).toBeVisible();
  await page.getByRole("list", { name: "Access" }).getByRole("link", { name: "Groups" }).click();
  const row = page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "aging" });
  await expect(row).toBeVisible();
  await page.clock.fastForward("05:00");
  const odd = proxy.rule(
    { method: "GET", path: new RegExp(`^/iam/v2/groups/${made.uid}$`) },
    fault.html(200),
  );
  await row.click();
  await expect(page.getByRole("heading", { name: "aging", level: 1 })).toBeVisible();
  await expect(page.getByText(/^Couldn't refresh\. Showing data from \d minutes ago$/)).toBeVisible();
  odd.remove();
  await page.getByRole("button", { name: "Try now" }).click();
  await expect(page.getByText("Couldn't refresh")).toHaveCount(0);
});

test(
  "an update and a delete whose answers are lost end as what the service holds",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, api, open } = faulty;
    const made = await folder(faulty, "lost");
    await open(`${detailOf(made)}?drawer=edit`);
    const drawer = page.getByRole("dialog", { name: "Edit folder" });
    await drawer.getByLabel("Name").fill("found");
    const lost = proxy.rule({ method: "PATCH", path: GROUPS }, fault.cutAfter, { times: 1 });
    await drawer.getByRole("button", { name: "Save changes" }).click();
    await expect(drawer).toBeHidden();
    await expect(page.getByRole("heading", { name: "found", level: 1 })).toBeVisible();
    expect(lost.seen).toHaveLength(1);

    // The write was never carried out: the form says so, and the user sends it again.
    await page.getByRole("button", { name: "Edit" }).click();
    await drawer.getByLabel("Name").fill("again");
    proxy.rule({ method: "PATCH", path: GROUPS }, fault.cutBefore, { times: 1 });
    await drawer.getByRole("button", { name: "Save changes" }).click();
    await expect(drawer.getByRole("alert")).toContainText("Nothing was saved.");
    // Another user changes it first.
    await api.patch(`/iam/v2/groups/${made.uid}?updateMask=name`, { name: "theirs" });
    await drawer.getByRole("button", { name: "Save changes" }).click();
    await expect(drawer.getByRole("alert")).toContainText("Someone else changed this");
    await expect(drawer.getByLabel("Name")).toHaveValue("again");
    await drawer.getByRole("button", { name: "Load the current values" }).click();
    await expect(drawer.getByLabel("Name")).toHaveValue("theirs");
    await drawer.getByRole("button", { name: "Cancel" }).click();

    await page.getByRole("button", { name: "More actions for theirs" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const confirm = page.getByRole("dialog", { name: "Delete folder theirs?" });
    await confirm.getByLabel(/Type the name/).fill("theirs");
    proxy.rule({ method: "DELETE", path: GROUPS }, fault.cutAfter, { times: 1 });
    await confirm.getByRole("button", { name: "Delete folder" }).click();
    await expect(confirm).toBeHidden();
    expect((await api.refusal("GET", `/iam/v2/groups/${made.uid}`)).http).toBe(404);
  },
);
