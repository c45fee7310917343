import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

import { axe } from "../bulk-delete";
import { expect, test } from "../fixtures";
import { folder } from "../records";
import { boundMachines, card, roleNamed, rolesIn, startReview, step } from "../reviews";

test("a review is decided by keys, resumed from its file, applied and signed off", async ({
  person,
  problems,
}, testInfo) => {
  test.setTimeout(180_000);
  // The console asks for a binding that is missing, to tell gone from hidden.
  problems.allow(/status of 404 .*\/roleBindings\//);
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team");
  const [, moved = "", gone = ""] = await boundMachines(api, team, { count: 3, role: "editor" });
  await boundMachines(api, organization, { count: 2, role: "viewer", word: "top" });
  await open(`access-review?group=${organization.uid}`);
  await startReview(page);
  await expect(page.getByText("6 role bindings: 6 decisions left")).toBeVisible();

  // The organization's machines come first, then the folder's, then the reader's own access.
  await expect(card(page).getByRole("heading", { name: "top-000" })).toBeVisible();
  await expect(card(page).getByText("Never used")).toBeVisible();
  await expect(card(page).getByText(/just now.*by person-/)).toBeVisible();
  await page.keyboard.press("k");
  await expect(card(page).getByRole("heading", { name: "top-001" })).toBeVisible();
  await page.keyboard.press("n");
  await page.keyboard.type("Left the project");
  await page.keyboard.press("Enter");
  await page.keyboard.press("x");
  await expect(card(page).getByRole("heading", { name: "m-000" })).toBeVisible();
  await expect(card(page).getByText("Machine with a strong role")).toBeVisible();
  await page.keyboard.press("r");
  await expect(
    card(page).getByRole("list", { name: "Smaller roles" }).getByRole("button").first(),
  ).toContainText("viewer");
  await page.keyboard.press("1");
  await expect(page.getByText("6 role bindings: 3 decisions left")).toBeVisible();

  // Nothing is lost on a reload.
  await page.reload();
  await expect(page.getByText("6 role bindings: 3 decisions left")).toBeVisible();
  await expect(card(page).getByRole("heading", { name: "m-001" })).toBeVisible();
  await card(page).focus();
  await page.keyboard.press("x");
  await page.keyboard.press("x");
  await expect(page.getByText("6 role bindings: 1 decision left")).toBeVisible();
  await expect(card(page).getByText("This is your own access")).toBeVisible();
  await axe(page, "one by one");

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "More actions for this review" }).click();
  await page.getByRole("menuitem", { name: "Close review" }).click();
  const file = testInfo.outputPath("review.json");
  await (await downloading).saveAs(file);
  await expect(page.getByRole("button", { name: "Start review" })).toBeVisible();

  // Meanwhile somebody else changes two of them.
  await api.patch(`/iam/v2/roleBindings/${moved}?updateMask=roleUid`, {
    roleUid: await roleNamed(api, "viewer"),
  });
  await api.delete(`/iam/v2/roleBindings/${gone}`);
  const choose = (content: string | Buffer) =>
    page
      .getByLabel("Access review file")
      .setInputFiles({ name: "review.json", mimeType: "application/json", buffer: Buffer.from(content) });
  const text = await readFile(file, "utf8");
  await choose(text.replace(organization.uid, "f".repeat(40)));
  await expect(page.getByText(/isn't in the review's scope/)).toBeVisible();
  await choose(text.slice(0, text.length / 2));
  await expect(page.getByText("This file isn't valid JSON, so it isn't an access review.")).toBeVisible();
  await choose(text);
  await expect(card(page).getByText("Was editor, now viewer")).toBeVisible();
  await expect(page.getByText("6 role bindings: 2 decisions left")).toBeVisible();
  await page.keyboard.press("k");

  await step(page, "List").click();
  const table = page.getByRole("table", { name: "Role bindings under review" });
  await expect(table.getByRole("row", { name: /m-002.*Removed since/ })).toBeVisible();
  const own = table.getByRole("row").last();
  await own.getByRole("link").focus();
  await page.keyboard.press("k");
  await expect(page.getByText("6 role bindings: all decided")).toBeVisible();
  await axe(page, "list");

  // What it would do, before it does it.
  await step(page, "Result").click();
  await expect(page.getByText("top-001: Revoke viewer in")).toBeVisible();
  await expect(page.getByText("m-000: Reduce editor to viewer in team")).toBeVisible();
  expect(await rolesIn(api, organization)).toMatchObject({ "top-001": "viewer", "m-000": "editor" });
  await page.getByRole("button", { name: "Apply 2 changes" }).click();
  await expect(page.getByRole("region", { name: "Applied 2 access decisions" })).toBeVisible();
  await expect(page.getByText("Everything that was decided has been applied.")).toBeVisible();
  const roles = await rolesIn(api, organization);
  expect(Object.keys(roles)).toHaveLength(4);
  expect(roles).toMatchObject({ "top-000": "viewer", "m-000": "viewer", "m-001": "viewer" });

  await step(page, "Report").click();
  await page.getByRole("button", { name: /^Sign off as / }).click();
  await expect(page.getByText("Kept: 3, Reduced: 1, Revoked: 1, Removed by somebody else: 1")).toBeVisible();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  const csv = testInfo.outputPath("review.csv");
  await (await saving).saveAs(csv);
  const bytes = await readFile(csv);
  await expect(page.getByText(createHash("sha256").update(bytes).digest("hex"))).toBeVisible();
  expect(bytes.toString()).toContain("Left the project");
  await axe(page, "report");

  // A signed review that was changed says so.
  await page.getByRole("button", { name: "More actions for this review" }).click();
  const closing = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Close review" }).click();
  const signed = testInfo.outputPath("signed.json");
  await (await closing).saveAs(signed);
  await choose((await readFile(signed, "utf8")).replace("Left the project", "Stays"));
  await expect(page.getByText("This report was changed after it was signed off")).toBeVisible();
});

test("200 role bindings take at most 2.2 keys each", async ({ person, problems }) => {
  test.setTimeout(240_000);
  problems.allow(/status of 404 .*\/roleBindings\//);
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team");
  await boundMachines(api, team, { count: 200, role: "editor" });
  await open(`access-review?group=${team.uid}`);
  await expect(page.getByRole("button", { name: "Start review" })).toBeVisible();
  let keys = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  /** Tabs until something has the focus. */
  const reach = async (name: string, by: "Tab" | "Shift+Tab") => {
    const has = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    for (let tabs = 0; (await has()) !== name && tabs < 60; tabs += 1) await press(by);
    expect(await has()).toBe(name);
  };
  await page.getByRole("heading", { level: 1 }).focus();
  await reach("Start review", "Tab");
  await press("Enter");
  await expect(card(page)).toBeFocused();
  await expect(page.getByText("200 role bindings: 200 decisions left")).toBeVisible();
  // Of ten: seven are kept, two reduced, one revoked; of twenty, one has a note.
  for (let index = 0; index < 200; index += 1) {
    /* oxlint-disable no-await-in-loop */
    await expect(
      card(page).getByRole("heading", { name: `m-${String(index).padStart(3, "0")}` }),
    ).toBeVisible();
    if (index % 20 === 0) for (const key of ["n", ..."ok", "Enter"]) await press(key);
    for (const key of index % 10 === 9 ? "x" : index % 10 > 6 ? "rr" : "k") await press(key);
    /* oxlint-enable no-await-in-loop */
  }
  await expect(page.getByText("200 role bindings: all decided")).toBeVisible();
  await reach("Result", "Shift+Tab");
  await press("Enter");
  await reach("Apply 60 changes", "Tab");
  await press("Enter");
  await expect(page.getByRole("region", { name: "Applied 60 access decisions" })).toBeVisible({
    timeout: 120_000,
  });
  expect(keys / 200).toBeLessThanOrEqual(2.2);
  const roles = Object.values(await rolesIn(api, team));
  expect(roles.filter((role) => role === "editor")).toHaveLength(140);
  expect(roles.filter((role) => role === "viewer")).toHaveLength(40);
  expect(roles).toHaveLength(180);
  test.info().annotations.push({ type: "keys per binding", description: (keys / 200).toFixed(2) });
  console.log(`${(keys / 200).toFixed(2)} keys per binding`);
});
