import type { Repo } from "platform-contract/registry/repos";

import { expect, test } from "../fixtures";
import { Keyboard } from "../keyboard";
import { createTags, digestOf, names, NO_IMAGE, scanLine, table } from "../tags";

test("a repo is made and described, and its tags are ordered, pulled and compared, by keyboard", async ({
  person,
  problems,
}) => {
  // The focus is checked after every key.
  test.slow();
  problems.allow(NO_IMAGE);
  const { page, context, api, organization, open } = person;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const keys = new Keyboard(page);
  await open(`repos?group=${organization.uid}`);
  const creating = page.getByRole("button", { name: "Create repo" }).first();
  await keys.walkTo(creating);
  await keys.press("Enter");
  const form = page.getByRole("dialog", { name: "Create repo" });
  await expect(form.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
  await keys.type("web");
  await keys.press("Enter");
  await expect(form).toBeHidden();
  await expect(creating).toBeFocused();
  const { repos } = await api.get<{ repos: [Repo] }>("/registry/v2/repos?name=web");
  await createTags(
    api,
    repos[0].uid,
    ["1.2", "1.10", "1.9"].map((name, index) => ({ name, digest: digestOf(index) })),
  );
  await keys.walkTo(
    page.getByRole("table", { name: "Repos" }).getByRole("link", { name: "web", exact: true }),
  );
  await keys.press("Enter");
  const heading = page.getByRole("heading", { name: "web", level: 1 });
  await expect(heading).toBeFocused();

  await keys.walkTo(page.getByRole("button", { name: "Write readme" }));
  await keys.press("Enter");
  const drawer = page.getByRole("dialog", { name: "Edit readme of web" });
  await expect(drawer.getByRole("textbox", { name: "Readme" })).toBeFocused();
  await keys.type("# Use it");
  const preview = drawer.getByRole("button", { name: "Preview" });
  await keys.walkTo(preview, "Shift+Tab");
  await keys.press("Space");
  await expect(drawer.getByRole("heading", { name: "Use it" })).toBeVisible();
  await expect(preview).toBeFocused();
  await keys.walkTo(drawer.getByRole("button", { name: "Save readme" }));
  await keys.press("Enter");
  await expect(drawer).toBeHidden();
  await expect(page.getByRole("button", { name: "Edit readme" })).toBeFocused();
  await expect(
    page.getByRole("region", { name: "Readme" }).getByRole("heading", { name: "Use it" }),
  ).toBeVisible();

  const screens = page.getByRole("navigation", { name: "Repo pages" });
  await keys.walkTo(screens.getByRole("link", { name: "Tags" }), "Shift+Tab");
  await keys.press("Enter");
  await expect(table(page).getByRole("link", { name: "1.10", exact: true })).toBeVisible();
  await expect(heading).toBeFocused();
  const add = page.getByRole("button", { name: "Add filter" });
  await keys.walkTo(add);
  await keys.press("Enter");
  const order = page.getByRole("combobox", { name: "Sort" });
  await keys.walkTo(order);
  await keys.type("newest");
  await expect(scanLine(page)).toHaveText("3 tags, ordered by version");
  await expect.poll(() => names(page)).toEqual(["1.10", "1.9", "1.2"]);
  await expect(order).toBeFocused();
  await keys.press("Escape");
  await expect(add).toBeFocused();

  await keys.walkTo(table(page).getByRole("link", { name: "1.10", exact: true }));
  await keys.press("ArrowDown");
  await expect(table(page).getByRole("link", { name: "1.9", exact: true })).toBeFocused();
  const menu = table(page).getByRole("button", { name: "Actions for 1.9", exact: true });
  await keys.walkTo(menu);
  await keys.press("Enter");
  await keys.walkTo(page.getByRole("menuitem", { name: "Copy pull command…" }), "ArrowDown");
  await keys.press("Enter");
  const pull = page.getByRole("dialog", { name: "Pull 1.9" });
  await expect(pull.getByRole("button", { name: "Close" })).toBeFocused();
  await keys.walkTo(pull.getByRole("button", { name: "Copy reference" }));
  await keys.press("Enter");
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(clipboard).toBe(`${organization.name}/web:1.9`);
  await keys.press("Escape");
  await expect(pull).toBeHidden();
  await expect(menu).toBeFocused();

  await keys.press("Enter");
  await keys.walkTo(page.getByRole("menuitem", { name: "Compare with another tag" }), "ArrowDown");
  await keys.press("Enter");
  await expect(page.getByRole("heading", { name: "Compare two tags", level: 1 })).toBeFocused();
  const other = page.getByRole("textbox", { name: /^Compare .* with$/ });
  await keys.walkTo(other);
  await keys.type("9.9");
  await keys.press("Enter");
  await expect(page.getByRole("alert").getByText("This repo has no tag 9.9.")).toBeVisible();
  await keys.press("Backspace", 3);
  await keys.type("1.10");
  await keys.press("Enter");
  const digest = page.getByRole("table").getByRole("row", { name: /^Digest/ });
  await expect(digest).toContainText("different image");
  await expect(other).toBeFocused();
  await expect(other).toHaveValue("1.10");
  await keys.walkTo(page.getByRole("table").getByRole("link", { name: "1.10", exact: true }));
  await keys.press("Enter");
  await expect(page.getByRole("heading", { name: "1.10", level: 1 })).toBeFocused();
});
