import type { Seen } from "../fault";
import { expect, fault, LONG, ownService, test } from "../faulty";
import { createMachines } from "../bulk-delete";
import { again, FAULTS, givenUp, recovers } from "../read-faults";
import { folder, param } from "../records";
import { createRepo, createTags, digestOf, names, NO_IMAGE, scanLine } from "../tags";

/** Every third fault, where the code under test is the list's; `npm run test:long` tests all. */
const some = (index: number): boolean => LONG || index % 3 === 0;
const SOME = Object.entries(FAULTS).filter((_, index) => some(index));

test(
  "whatever happens to a read, tree, list and detail say so and come back",
  ownService,
  async ({ faulty }) => {
    test.slow();
    const { page, proxy, api, organization, open } = faulty;
    const folders = await Promise.all(
      Object.keys(FAULTS).map(async (_what, index) => {
        // In order: the tree renders only the nodes in view, and the next one is below the last.
        const outer = await folder(api, organization, `outer-${String(index).padStart(2, "0")}`);
        return { outer, inner: await folder(api, outer, `inner-${index}`) };
      }),
    );
    await page.clock.install();
    await open(`groups?group=${organization.uid}`);
    const tree = page.getByRole("tree", { name: "Groups" });
    const node = (name: string) => tree.getByRole("treeitem", { name, exact: true });
    for (const [index, [what, effect]] of Object.entries(FAULTS).entries()) {
      const { outer, inner } = folders[index] as (typeof folders)[number];
      const asks = (parameter: string) => ({
        method: "GET",
        path: /^\/iam\/v2\/groups$/,
        when: ({ query }: { query: URLSearchParams }) => query.get(parameter) === outer.uid,
      });

      if (some(index)) {
        const level = proxy.rule(asks("uidp.children_of"), effect);
        await node(outer.name).focus();
        await page.keyboard.press("ArrowRight");
        // The node says "Try again", or how long the service asks clients to wait.
        const failed = tree.getByRole("treeitem", { name: `Couldn't load the folders in ${outer.name}.` });
        await givenUp(page, failed, `tree, ${what}`);
        level.remove();
        await recovers(failed, node(inner.name), `tree, ${what}`);
      }

      const rows = proxy.rule(asks("uidp.descendants_of"), effect);
      await node(outer.name).click();
      await givenUp(page, page.getByRole("heading", { name: "Groups couldn't be loaded" }), `list, ${what}`);
      rows.remove();
      const row = page.getByRole("table", { name: "Groups" }).getByRole("link", { name: inner.name });
      await recovers(again(page), row, `list, ${what}`);

      if (!some(index)) continue;
      const record = proxy.rule({ method: "GET", path: new RegExp(`^/iam/v2/groups/${inner.uid}$`) }, effect);
      await row.click();
      await givenUp(page, again(page), `detail, ${what}`);
      record.remove();
      const heading = page.getByRole("heading", { name: inner.name, level: 1 });
      await recovers(again(page), heading, `detail, ${what}`);
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Groups" }).click();
    }
  },
);

test(
  "whatever happens to what the overview begins with, it says so and comes back @long",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, organization, open } = faulty;
    await page.clock.install();
    for (const [what, effect] of Object.entries(FAULTS)) {
      const rule = proxy.rule({ method: "GET", path: /^\/iam\/v2\/groups$/ }, effect);
      await open("");
      await givenUp(page, again(page), what);
      rule.remove();
      const heading = page.getByRole("heading", { name: organization.name, level: 1 });
      await recovers(again(page), heading, what);
    }
  },
);

test(
  "whatever happens to a page of a search, what was found stays, and it goes on from there @long",
  ownService,
  async ({ faulty, problems }) => {
    test.slow();
    problems.allow(NO_IMAGE);
    const { page, proxy, api, organization, open } = faulty;
    const repo = await createRepo(api, organization.uid);
    const tags = Array.from({ length: 205 }, (_, index) => ({
      name: `t-${String(index).padStart(3, "0")}`,
      digest: digestOf(1),
      deprecated: index === 3 || index === 202,
    }));
    await createTags(api, repo.uid, tags);
    await page.clock.install();
    await open(`tags?repo=${param(repo)}&deprecated=yes`);
    const whole = "2 deprecated of 205 tags";
    await expect(scanLine(page)).toHaveText(whole);
    const pages = { method: "GET", path: /^\/registry\/v2\/tags$/ };
    const first = { ...pages, when: ({ query }: Seen) => query.get("page_size") === "200" };
    const further = { ...pages, when: ({ query }: Seen) => query.has("page_token") };
    for (const [what, effect] of SOME) {
      const second = proxy.rule(further, effect);
      await page.getByRole("button", { name: "Refresh" }).click();
      const resume = scanLine(page).getByRole("button", { name: "Continue" });
      await givenUp(page, resume, `second page, ${what}`);
      await expect(scanLine(page)).toContainText("1 deprecated in 200 of 205 read");
      expect(await names(page), what).toEqual(["t-003"]);
      second.remove();
      await recovers(resume, scanLine(page).getByText(whole), `second page, ${what}`);
      expect((await names(page)).toSorted(), what).toEqual(["t-003", "t-202"]);
    }
    // If nothing was read, there is nothing to keep on screen.
    const none = proxy.rule(first, fault.html(502));
    await page.reload();
    await givenUp(page, page.getByRole("heading", { name: "Tags couldn't be loaded" }), "first page");
    none.remove();
    await recovers(again(page), scanLine(page).getByText(whole), "first page");
  },
);

test(
  "a slow service is waited for, row by row, and what is there stays while it is @long",
  ownService,
  async ({ faulty, problems }) => {
    const { page, proxy, api, organization, open } = faulty;
    await folder(api, organization, "in-the-list");
    const slow = proxy.rule(
      { method: "GET", path: /^\/iam\/v2\/groups$/, when: ({ query }) => query.has("uidp.descendants_of") },
      fault.none,
      { hold: "answer" },
    );
    await open(`groups?group=${organization.uid}`);
    await slow.met();
    await expect(page.getByRole("table", { name: "Groups" })).toHaveAttribute("aria-busy", "true");
    slow.release();
    const row = page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "in-the-list" });
    await expect(row).toBeVisible();

    slow.remove();
    const lost = proxy.rule({ method: "GET", path: /^\/iam\/v2\/groups$/ }, fault.html(200));
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(page.getByText("Couldn't refresh")).toBeVisible();
    await expect(row).toBeVisible();
    lost.remove();
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(page.getByText("Couldn't refresh")).toBeHidden();

    // A placeholder stands in for the record while it loads; then its name receives the focus.
    problems.allow(NO_IMAGE);
    const { name } = await createRepo(api, organization.uid);
    const late = proxy.rule({ method: "GET", path: /\/repos\/[^:]+$/ }, fault.none, { hold: "answer" });
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox").fill(name);
    await expect(page.getByRole("option", { name: /^python Repo/ })).toBeVisible();
    await page.keyboard.press("Enter");
    await late.met();
    await expect(page.getByRole("heading", { name: /…/, level: 1 })).toBeFocused();
    late.release();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeFocused();
  },
);

test(
  "deleting an identity waits for the count of its bindings, and asks for the name where there is none @long",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, api, organization, open } = faulty;
    const [free = "", uncounted = ""] = await createMachines(api, organization.uid, 2);
    const counts = { path: /\/roleBindings$/, when: ({ query }: Seen) => query.has("identity") };
    const dialog = page.getByRole("dialog");
    const name = dialog.getByRole("textbox", { name: /^Type the name to confirm/ });
    const remove = dialog.getByRole("button", { name: "Delete identity" });
    const complaint = dialog.getByText(/^Type m-\d+ to confirm\.$/);
    const address = (uid: string) => `identities/${uid.replaceAll("/", "_")}?drawer=delete`;

    const held = proxy.rule(counts, fault.none, { hold: "answer" });
    await open(address(free));
    await expect(remove).toHaveAccessibleDescription("Still counting its role bindings");
    await expect(name).toBeHidden();
    await dialog.getByRole("button", { name: "Cancel" }).focus();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("tooltip")).toHaveText("Still counting its role bindings");
    // Forced: an impatient user.
    await remove.click({ force: true });
    await expect(complaint).toBeHidden();
    await dialog.getByRole("button", { name: "Cancel" }).focus();
    await page.keyboard.press("Tab");
    held.remove();
    await expect(dialog.getByText("It has no roles.")).toBeVisible();
    await expect(page.getByRole("tooltip")).toBeHidden();
    await remove.click();
    await expect(page.getByText("Deleted identity m-000")).toBeVisible();

    proxy.rule(counts, fault.status(500));
    await open(address(uncounted));
    await expect(dialog).toContainText("We don't know how many. The fault proxy says 500.");
    await remove.click();
    await expect(complaint).toBeVisible();
    await name.fill("m-001");
    await expect(complaint).toBeHidden();
    await remove.click();
    await expect(page.getByText("Deleted identity m-001")).toBeVisible();
  },
);
