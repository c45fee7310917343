import { readFile } from "node:fs/promises";

import { axe } from "../bulk-delete";
import { expect, test } from "../fixtures";
import { roleNamed } from "../reviews";

const COUNT = 200;
const line = (index: number): string => `ci-${String(index).padStart(3, "0")}`;

interface Named {
  readonly uid: string;
  readonly name: string;
  readonly claimMatch?: { readonly subject?: string };
}

test("200 identities are imported from CSV, and an export is read back", async ({ person }, testInfo) => {
  test.setTimeout(240_000);
  const { page, api, organization, open } = person;
  const { name, uid } = await api.post<Named>(`/iam/v2/identities/${organization.uid}`, {
    name: line(0),
    claimMatch: { issuer: "https://token.example", subject: "there already" },
  });
  await open(`identities?group=${organization.uid}`);
  await page.getByRole("link", { name: "Import", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Import identities", level: 1 })).toBeVisible();
  const rows = Array.from(
    { length: COUNT },
    (_, index) => `${line(index)},https://token.example,repo:acme/${index}`,
  );
  const csv = ["who,issuer,subject", ...rows, "Not Allowed,ftp://token.example,x"].join("\n");
  const file = page.getByLabel("File with identities");
  await file.setInputFiles({ name: "ci.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  const preview = page.getByRole("region", { name: "Rows of the import" });
  // No column is called "name": every row says so until one is chosen.
  await expect(preview.getByText("Name: Enter a name").first()).toBeVisible();
  await page.getByRole("combobox", { name: "Name", exact: true }).selectOption("who");
  await expect(page.getByText("200 rows without problems. Nothing has been created.")).toBeVisible();
  await expect(preview.getByText('Name: must match "^[a-z0-9 ._-]{1,}$"')).toBeVisible();
  await expect(preview.getByText(/^Claim match: issuer: /)).toBeVisible();
  await page.getByRole("button", { name: "Dry run" }).click();
  await expect(page.getByText("199 identities would be created")).toBeVisible({ timeout: 60_000 });
  await expect(preview.getByText("Already there")).toBeVisible();
  await axe(page, "preview");
  expect(await api.get(`/iam/v2/identities?uidp.children_of=${organization.uid}`)).toMatchObject({
    totalCount: "1",
  });
  await page.getByRole("button", { name: "Create 199 identities" }).click();
  await expect(page.getByRole("region", { name: "Created 199 identities" })).toBeVisible({
    timeout: 120_000,
  });
  const { identities } = await api.get<{ identities: Named[] }>(
    `/iam/v2/identities?uidp.children_of=${organization.uid}&page_size=200&order_by=name`,
  );
  expect(identities.map((identity) => identity.name)).toEqual(rows.map((_, index) => line(index)));
  expect(identities.find((identity) => identity.uid === uid)?.claimMatch?.subject).toBe("there already");
  expect(identities[7]?.claimMatch?.subject).toBe("repo:acme/7");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download outcome" }).click();
  const outcome = testInfo.outputPath("outcome.csv");
  await (await saving).saveAs(outcome);
  expect(await readFile(outcome, "utf8")).toContain(
    `${line(7)},Created,${identities[7]?.uid},https://token.example,repo:acme/7`,
  );

  // The console's own file, into another folder.
  const team = await api.post<Named>(`/iam/v2/groups/${organization.uid}`, { name: "team" });
  await open(`import?group=${team.uid.replace("/", "_")}&kind=identities`);
  const exported = JSON.stringify(identities.slice(0, 3));
  await file.setInputFiles({
    name: "export.json",
    mimeType: "application/json",
    buffer: Buffer.from(exported),
  });
  await page.getByRole("button", { name: "Dry run" }).click();
  await page.getByRole("button", { name: "Create 3 identities" }).click();
  await expect(page.getByRole("region", { name: "Created 3 identities" })).toBeVisible();
  const copies = await api.get<{ identities: Named[] }>(
    `/iam/v2/identities?uidp.children_of=${team.uid}&order_by=name`,
  );
  expect(copies.identities.map(({ claimMatch }) => claimMatch)).toEqual(
    identities.slice(0, 3).map(({ claimMatch }) => claimMatch),
  );
  expect(name).toBe(line(0));
});

test("a team is invited by a list, and its invites are revoked together", async ({ person }) => {
  const { page, api, organization, open } = person;
  const emails = Array.from({ length: 20 }, (_, index) => `member-${index}@team.example`);
  await open(`import?group=${organization.uid}&kind=group-invites`);
  await page.getByLabel("Or paste it here").fill([...emails, "no address"].join("\n"));
  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("region", { name: "Rows of the import" });
  await expect(preview.getByText("Role: Choose a role").first()).toBeVisible();
  await page
    .getByRole("combobox", { name: "Role", exact: true })
    .selectOption({ label: "viewer (built-in)" });
  await expect(page.getByText("20 rows without problems. Nothing has been created.")).toBeVisible();
  await page.getByRole("button", { name: "Dry run" }).click();
  await page.getByRole("button", { name: "Create 20 invites" }).click();
  const links = page.getByRole("region", { name: "Created invites", exact: true });
  await expect(links.getByText(/\/invite#/)).toHaveCount(20, { timeout: 60_000 });
  const list = () =>
    api.get<{ groupInvites?: { email: string; role: { uid: string } }[] }>(
      `/iam/v2/groupInvites?uidp.children_of=${organization.uid}`,
    );
  const viewer = await roleNamed(api, "viewer");
  const { groupInvites = [] } = await list();
  expect(groupInvites.map(({ email }) => email).toSorted()).toEqual(emails.toSorted());
  expect(groupInvites.every(({ role }) => role.uid === viewer)).toBe(true);
  const link = (
    await links
      .getByText(/\/invite#/)
      .first()
      .innerText()
  ).split("#")[1];
  expect(await api.post("/auth/v1/register", { code: link, validateOnly: true }).catch(String)).toBeTruthy();
  await axe(page, "links");
  await page.getByRole("button", { name: "Revoke all 20" }).click();
  await expect(page.getByRole("region", { name: "Revoked 20 invites" })).toBeVisible({ timeout: 60_000 });
  expect((await list()).groupInvites ?? []).toEqual([]);
});

test("folders are imported, and what is no table is refused with a sentence", async ({ person }) => {
  const { page, api, organization, open } = person;
  await open(`import?group=${organization.uid}&kind=groups`);
  const paste = page.getByLabel("Or paste it here");
  for (const [text, sentence] of [
    ['{"name":"x"}', "This JSON isn't a list of records."],
    ['name,description\n"x', "This isn't valid CSV"],
    ["", "There are no rows."],
  ] as const) {
    /* oxlint-disable no-await-in-loop */
    await paste.fill(text);
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByRole("alert").getByText(sentence)).toBeVisible();
    /* oxlint-enable no-await-in-loop */
  }
  await paste.fill("name,description\nruntime,Base images\nx,too short");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("Name: must be 3 to 63 characters long")).toBeVisible();
  // As a spreadsheet saves it by default: no row of it, nor of the list before, can be imported.
  const buffer = Buffer.from("name,description\nruntime,M\u00FCller", "latin1");
  await page.getByLabel("File with folders").setInputFiles({ name: "x.csv", mimeType: "text/csv", buffer });
  await expect(page.getByRole("alert").getByText("This file isn't text in UTF-8.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Rows of the import" })).toBeHidden();
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("button", { name: "Dry run" }).click();
  await page.getByRole("button", { name: "Create 1 folder" }).click();
  await expect(page.getByRole("region", { name: "Created 1 folder" })).toBeVisible();
  expect(await api.get(`/iam/v2/groups?uidp.children_of=${organization.uid}`)).toMatchObject({
    groups: [{ name: "runtime", description: "Base images" }],
    totalCount: "1",
  });
});
