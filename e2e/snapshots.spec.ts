import { readFile } from "node:fs/promises";

import { expect, test } from "./fixtures";
import { createMachines } from "./bulk-delete";
import { createRepo } from "./tags";

test("a scope is saved as a file, and compared with it later", async ({ person }, testInfo) => {
  const { page, api, organization, open } = person;
  const [leaver = ""] = await createMachines(api, organization.uid, 2);
  const repo = await createRepo(api, organization.uid, "nginx");
  await open(`groups/${organization.uid}`);
  await page.getByRole("button", { name: `More actions for ${organization.name}` }).click();
  await page.getByRole("menuitem", { name: "Snapshots" }).click();
  await expect(page.getByRole("heading", { name: "Snapshots", level: 1 })).toBeVisible();

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Take a snapshot" }).click();
  const download = await downloading;
  const file = testInfo.outputPath("snapshot.json");
  await download.saveAs(file);
  await expect(page.getByText(/1 group, 0 roles, 1 role binding, 2 identities, 1 repo\.$/)).toBeVisible();
  const text = await readFile(file, "utf8");
  expect(JSON.parse(text)).toMatchObject({
    scope: { uid: organization.uid, name: organization.name },
    complete: true,
    counts: { groups: 1, identities: 2, repos: 1 },
    repos: [{ uid: repo.uid, name: "nginx" }],
  });
  expect(text).not.toMatch(/eyJ|token|secret/i);

  await api.delete(`/iam/v2/identities/${leaver}`);
  await api.patch(`/registry/v2/repos/${repo.uid}?updateMask=description`, { description: "Serves pages" });
  await api.post(`/iam/v2/groups/${organization.uid}`, { name: "newcomer" });
  const choose = (path: string | { name: string; mimeType: string; buffer: Buffer }) =>
    page.getByLabel("Snapshot file").setInputFiles(path);
  await choose(file);
  await expect(page.getByText("1 added, 1 removed, 1 changed; 3 records are the same.")).toBeVisible();
  const changes = page.getByRole("table", { name: "Changes" });
  await expect(changes.getByRole("row", { name: /newcomer.*Added/ })).toBeVisible();
  await expect(changes.getByRole("row", { name: /m-000.*Removed/ })).toBeVisible();
  await expect(changes.getByRole("link", { name: "m-000" })).toBeHidden();
  await page.getByRole("button", { name: "Actions for nginx" }).click();
  await page.getByRole("menuitem", { name: "Show fields" }).click();
  const fields = page.getByRole("dialog", { name: "Changed: repo nginx" });
  await expect(fields.getByRole("row", { name: "description empty Serves pages" })).toBeVisible();
  await page.keyboard.press("Escape");

  // A file that is not a snapshot is rejected with a message, and the previous comparison is cleared.
  const cut = Buffer.from(text.slice(0, text.length / 2));
  await choose({ name: "cut.json", mimeType: "application/json", buffer: cut });
  await expect(page.getByText("This file isn't valid JSON, so it isn't a snapshot.")).toBeVisible();
  await expect(changes).toBeHidden();

  await choose(file);
  await changes.getByRole("link", { name: "newcomer" }).click();
  await expect(page.getByRole("heading", { name: "newcomer", level: 1 })).toBeVisible();
});
