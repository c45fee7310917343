import type { Locator, Page } from "@playwright/test";

import { signInToDemo } from "../demo";
import { expect, ownService } from "../fixtures";
import { test as base } from "../faulty";
import { searchList } from "../lists";

/** Tasks of the demo's owner, starting on the home page, with the clicks counted. */
interface Owner {
  readonly page: Page;
  /** Starts on the home page and prints how many clicks `work` took; more than four fail. */
  readonly task: (name: string, work: (click: Click) => Promise<void>) => Promise<void>;
}
/** A pointer click, or a choice from a select. Typing does not count, nor does Enter after typing. */
type Click = (what: Locator, option?: string) => Promise<void>;

const MOST = 4;

const test = base.extend<{ readonly owner: Owner }>({
  owner: async ({ page, proxied: { proxy } }, use) => {
    const at = `${proxy.url}/`;
    await signInToDemo(page, at, "owner");
    const home = page.getByRole("heading", { name: "Meridian Freight", level: 1 });
    await expect(home).toBeVisible();
    const task: Owner["task"] = async (name, work) => {
      let clicks = 0;
      await test.step(name, async () => {
        await page.goto(at);
        await expect(home).toBeVisible();
        await work(async (what, option) => {
          clicks += 1;
          await (option === undefined ? what.click() : what.selectOption({ label: option }));
        });
        console.log(`${clicks} ${clicks === 1 ? "click" : "clicks"}: ${name}`);
        expect.soft(clicks, name).toBeLessThanOrEqual(MOST);
      });
    };
    await use({ page, task });
  },
});
test.use({ serviceVariables: { SEED: "demo" }, viewport: { width: 1280, height: 1000 } });

test(
  "each task of docs/tasks.md takes at most four clicks from the home page",
  ownService,
  async ({ owner }) => {
    test.setTimeout(300_000);
    const { page, task } = owner;
    const holds = page.getByLabel("Including subfolders");
    const tile = (name: string) => holds.getByRole("link", { name, exact: true });
    const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
    const actions = (name: string) => page.getByRole("button", { name: `Actions for ${name}`, exact: true });

    await task("Who can push to this repo?", async (click) => {
      await click(tile("Repos"));
      await searchList(page, "postgres");
      await click(actions("postgres"));
      await click(item("Who can push"));
      await expect(page.getByLabel("Who can")).toHaveValue("CAP_MANIFEST_CREATE");
      await expect(page.getByRole("link", { name: "Olivia Brandt" }).first()).toBeVisible();
    });

    await task("Why can this workload not pull?", async (click) => {
      await click(tile("Identities"));
      await searchList(page, "nightly base-images");
      await click(actions("nightly base-images"));
      await click(item("Where it can pull"));
      await expect(page.getByText("None of the roles listed here allow this.")).toBeVisible();
    });

    await task("Which tags of postgres are end-of-life?", async (click) => {
      await click(tile("Repos"));
      await searchList(page, "postgres");
      await click(actions("postgres"));
      await click(item("Deprecated tags"));
      await expect(page.getByRole("group", { name: /^Search of/ })).toContainText(/^[1-9]\d* deprecated of/);
    });

    await task("What blocks deleting this folder?", async (click) => {
      await click(tile("Folders"));
      await searchList(page, "base-images");
      await click(actions("base-images"));
      await click(item("Delete"));
      const question = page.getByRole("dialog");
      await expect(question.getByText("Still inside:")).toBeVisible();
      await expect(question.getByRole("link", { name: /repos$/ })).toBeVisible();
    });

    await task("Are we affected by this CVE?", async (click) => {
      await page.getByLabel("CVE, GHSA, or advisory id").fill("CVE-2026-10001");
      await click(page.getByRole("button", { name: "Are we affected?" }));
      await expect(page.getByRole("heading", { name: "Are we affected by CVE-2026-10001?" })).toBeVisible();
    });

    await task("Give a colleague access.", async (click) => {
      await click(page.getByRole("link", { name: "Grant access" }));
      const form = page.getByRole("dialog", { name: "Grant access" });
      await form.getByRole("searchbox", { name: "Find people and machines" }).fill("ada marsh");
      await click(form.getByRole("list", { name: "Matches" }).getByRole("button", { name: /Ada Marsh/ }));
      await click(form.getByLabel("Role"), "viewer (built-in)");
      await click(form.getByRole("button", { name: "Grant access" }));
      await expect(page.getByText("Granted access").first()).toBeVisible();
    });

    await task("Find an identity by a fragment of its name.", async (click) => {
      await click(tile("Identities"));
      await searchList(page, "eks");
      await click(page.getByRole("table").getByRole("link", { name: "eks node role" }));
      await expect(page.getByRole("heading", { name: "eks node role", level: 1 })).toBeVisible();
    });

    await task("Revoke the access of somebody who leaves.", async (click) => {
      await click(tile("Role bindings"));
      await searchList(page, "Bao Nguyen");
      await expect(page.getByRole("group", { name: /^Search of/ })).toContainText(/^[1-9] of/);
      await click(page.getByRole("checkbox", { name: /^Select all/ }));
      await click(page.getByRole("button", { name: /^Delete/ }).first());
      const question = page.getByRole("dialog");
      await click(question.getByRole("button", { name: /^Delete/ }));
      await expect(page.getByRole("table").getByRole("link")).toHaveCount(0);
    });

    await task("Invite a team by one link.", async (click) => {
      await click(
        page
          .getByRole("region", { name: "Quick actions" })
          .getByRole("link", { name: "Invite", exact: true }),
      );
      const form = page.getByRole("dialog", { name: "Create invite" });
      await click(form.getByLabel("Role"), "viewer (built-in)");
      await click(form.getByLabel("Single use"));
      await click(form.getByRole("button", { name: "Create invite" }));
      await expect(page.getByRole("dialog").getByText(/invite#/)).toBeVisible();
    });

    await task("What changed this week?", async (click) => {
      const changed = page.getByRole("region", { name: "Recently updated" });
      await click(changed.getByRole("button", { name: /^Show \d+ more/ }));
      await expect(changed.getByRole("listitem").filter({ hasText: "Ada Marsh, viewer" })).toContainText(
        "just now",
      );
    });
  },
);
