import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

import type { Page, TestInfo } from "@playwright/test";
import { exportJWK, generateKeyPair } from "jose";

import type { Identity } from "platform-contract/iam/identities";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import type { Tag } from "platform-contract/registry/tags";

import { address } from "../api";
import { bind, bindTo, identityOf } from "../bindings";
import { createMachines } from "../bulk-delete";
import { expect, test } from "../fixtures";
import { exchange } from "../static-keys";
import { allTags, createRepo, createTags, digestOf } from "../tags";

/** Takes a snapshot on the page that is open; returns where the file is. */
async function take(page: Page, testInfo: TestInfo, name: string): Promise<string> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: /^Take a(nother)? snapshot$/ }).click();
  const file = testInfo.outputPath(name);
  await (await downloading).saveAs(file);
  return file;
}

test("a scope is saved as a file, and compared with it later", async ({ person }, testInfo) => {
  const { page, api, organization, open } = person;
  const [leaver = ""] = await createMachines(api, organization.uid, 2);
  const repo = await createRepo(api, organization.uid, "nginx");
  const [latest] = await createTags(api, repo.uid, [
    { name: "latest", digest: digestOf(1) },
    { name: "1.27-r0", digest: digestOf(1), deprecated: true },
  ]);
  await open(`groups/${organization.uid}`);
  await page.getByRole("button", { name: `More actions for ${organization.name}` }).click();
  await page.getByRole("menuitem", { name: "Snapshots" }).click();
  await expect(page.getByRole("heading", { name: "Snapshots", level: 1 })).toBeVisible();

  const file = await take(page, testInfo, "snapshot.json");
  await expect(
    page.getByText(/1 group, 0 roles, 1 role binding, 2 identities, 1 repo, 2 tags\.$/),
  ).toBeVisible();
  const text = await readFile(file, "utf8");
  expect(JSON.parse(text)).toMatchObject({
    scope: { uid: organization.uid, name: organization.name },
    complete: true,
    counts: { groups: 1, identities: 2, repos: 1, tags: 2 },
    repos: [{ uid: repo.uid, name: "nginx" }],
  });
  const inFile = (JSON.parse(text) as { tags: Tag[] }).tags;
  const byApi = await allTags(api, repo.uid);
  expect(inFile).toEqual(
    byApi
      .map(({ uid, name, digest, deprecated }) => ({ uid, name, digest, deprecated }))
      .toSorted((one, other) => (one.uid < other.uid ? -1 : 1)),
  );
  expect(text).not.toMatch(/eyJ|token|secret/i);

  await api.delete(`/iam/v2/identities/${leaver}`);
  await api.patch(`/registry/v2/repos/${repo.uid}?updateMask=description`, { description: "Serves pages" });
  await api.post(`/iam/v2/groups/${organization.uid}`, { name: "newcomer" });
  await api.post(`/registry/v2/tags/${repo.uid}`, { name: "latest", digest: digestOf(2) });
  const choose = (path: string | { name: string; mimeType: string; buffer: Buffer }) =>
    page.getByLabel("Snapshot file").setInputFiles(path);
  await choose(file);
  await expect(page.getByText("1 added, 1 removed, 2 changed; 4 records are the same.")).toBeVisible();
  const changes = page.getByRole("table", { name: "Changes" });
  await expect(changes.getByRole("row", { name: /newcomer.*Added/ })).toBeVisible();
  await expect(changes.getByRole("row", { name: /m-000.*Removed/ })).toBeVisible();
  await expect(changes.getByRole("link", { name: "m-000" })).toBeHidden();
  await page.getByRole("button", { name: "Actions for nginx" }).click();
  await page.getByRole("menuitem", { name: "Show fields" }).click();
  const fields = page.getByRole("dialog", { name: "Changed: repo nginx" });
  await expect(fields.getByRole("row", { name: "description empty Serves pages" })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Actions for latest" }).click();
  await page.getByRole("menuitem", { name: "Show fields" }).click();
  const moved = page.getByRole("dialog", { name: "Changed: tag latest" });
  const now = await api.get<Tag>(`/registry/v2/tags/${latest?.uid}`);
  await expect(moved.getByRole("row", { name: `digest ${digestOf(1)} ${now.digest}` })).toBeVisible();
  await page.keyboard.press("Escape");

  // An older file has no tags: what became of them is unknown.
  const { tags: _, ...others } = JSON.parse(text) as Record<string, unknown>;
  const older = Buffer.from(JSON.stringify({ ...others, version: 1 }));
  await choose({ name: "older.json", mimeType: "application/json", buffer: older });
  await expect(page.getByText("1 added, 1 removed, 1 changed; 3 records are the same.")).toBeVisible();
  await expect(page.getByText(/1 repo, tags unknown$/)).toBeVisible();
  await expect(
    page.getByText(/was taken before snapshots included tags, so they are unknown in it/),
  ).toBeVisible();

  // A file that is not a snapshot is rejected with a message, and the previous comparison is cleared.
  const cut = Buffer.from(text.slice(0, text.length / 2));
  await choose({ name: "cut.json", mimeType: "application/json", buffer: cut });
  await expect(
    page.getByText("This snapshot is damaged: its end is missing, or it was edited."),
  ).toBeVisible();
  await expect(changes).toBeHidden();

  await choose(file);
  await changes.getByRole("link", { name: "newcomer" }).click();
  await expect(page.getByRole("heading", { name: "newcomer", level: 1 })).toBeVisible();
});

test("two snapshots differ in the time alone, although somebody signed in between them", async ({
  person,
}, testInfo) => {
  const { page, api, organization, open } = person;
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const issuerKeys = JSON.stringify({
    keys: [{ ...(await exportJWK(publicKey)), alg: "ES256", kid: "one" }],
  });
  const machine = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, {
    name: "scanner",
    staticKeys: { issuer: "https://scanners.example", subject: "scanner", issuerKeys },
  });
  await createRepo(api, organization.uid, "nginx");
  await open(`snapshots?group=${organization.uid}`);
  const first = await readFile(await take(page, testInfo, "first.json"), "utf8");

  const lastSeen = async () => (await api.get<Identity>(`/iam/v2/identities/${machine.uid}`)).lastSeenTime;
  const before = await lastSeen();
  const { token } = (await (await exchange(machine, privateKey, "one")).json()) as { token: string };
  await fetch(new URL("iam/v2/groups", address()), { headers: { authorization: `Bearer ${token}` } });
  expect(await lastSeen()).not.toBe(before);

  const second = await readFile(await take(page, testInfo, "second.json"), "utf8");
  expect(second).not.toBe(first);
  const withoutTime = (text: string) => text.split("\n").toSpliced(1, 1);
  expect(withoutTime(second)).toEqual(withoutTime(first));

  await page.getByLabel("Earlier snapshot").setInputFiles(testInfo.outputPath("first.json"));
  await page.getByLabel("Later snapshot").setInputFiles(testInfo.outputPath("second.json"));
  await expect(page.getByText("The files are identical byte for byte, except for the time.")).toBeVisible();
  const compared = createHash("sha256").update(second.split("\n").slice(2).join("\n")).digest("hex");
  await expect(page.getByText(compared)).toHaveCount(2);
});

/** Drops a file on a field, as from a file manager. */
async function drop(page: Page, label: string, name: string, text: string): Promise<void> {
  const files = await page.evaluateHandle(
    ([as, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], as, { type: "application/json" }));
      return transfer;
    },
    [name, text] as const,
  );
  await page.getByText(label, { exact: true }).dispatchEvent("drop", { dataTransfer: files });
}

test("two files are compared without a request, grants of owner first", async ({
  person,
  signUp,
}, testInfo) => {
  const { page, api, organization, open } = person;
  const [machine = ""] = await createMachines(api, organization.uid, 1);
  await open(`snapshots?group=${organization.uid}`);
  const before = await take(page, testInfo, "before.json");

  const other = await signUp();
  await createRepo(api, organization.uid, "nginx");
  await bindTo(api, organization, machine, "viewer");
  await bind(api, organization, other, "owner");
  const after = await take(page, testInfo, "after.json");
  // The only organization needs no choice; beside another one, everything is the scope.
  await open("snapshots");
  await expect(page.getByText(`Scope: ${organization.name} and everything below it`)).toBeVisible();
  await api.post("/iam/v2/groups", { name: "another" });
  await open("snapshots");
  await expect(page.getByText("Scope: all groups you can see")).toBeVisible();
  const everything = await take(page, testInfo, "everything.json");
  await page.getByRole("status").filter({ hasText: "downloaded" }).waitFor();

  const asked: string[] = [];
  // The file's parser runs in a worker, whose code is a file of the console.
  page.on("request", (request) => {
    if (!/\/assets\/read-worker-[\w-]+\.js$/.test(request.url())) asked.push(request.url());
  });
  const earlier = page.getByLabel("Earlier snapshot");
  const later = page.getByLabel("Later snapshot");
  await earlier.setInputFiles(after);
  // A wrong file is refused below its field, and the other choice is kept.
  const whole = await readFile(after, "utf8");
  await drop(page, "Later snapshot", "cut.json", whole.slice(0, whole.length / 2));
  await expect(
    page.getByText("This snapshot is damaged: its end is missing, or it was edited."),
  ).toBeVisible();
  await drop(page, "Later snapshot", "sbom.json", '{"spdxVersion":"SPDX-2.3"}');
  await expect(page.getByText("This file isn't a snapshot.")).toBeVisible();
  await drop(page, "Later snapshot", "new.json", whole.replace('"version": 2', '"version": 3'));
  await expect(page.getByText(/has version 3, and this program reads versions up to 2/)).toBeVisible();
  const two = page.getByRole("region", { name: "Compare two snapshots" });
  await expect(two.getByText("after.json")).toBeVisible();

  await drop(page, "Later snapshot", "everything.json", await readFile(everything, "utf8"));
  await expect(two.getByText("Not compared: these snapshots are of different groups")).toBeVisible();
  await expect(two.getByText(/versions up to 2/)).toBeHidden();

  await later.setInputFiles(before);
  await expect(two.getByText("the earlier snapshot was taken after the later one")).toBeVisible();
  await two.getByRole("button", { name: "Swap the files" }).click();
  await expect(two.getByText("3 added, 0 removed, 0 changed; 3 records are the same.")).toBeVisible();

  const changes = two.getByRole("table", { name: "Changes" });
  const names = changes.getByRole("row").filter({ hasNot: page.getByRole("columnheader") });
  await expect(names).toHaveText([/^.*, owner.*Owner/, /^m-000, viewer.*Reads only/, /^nginx/]);
  expect(asked).toEqual([]);

  // What the files say is what the API says.
  const inFile = (JSON.parse(whole) as { roleBindings: RoleBinding[] }).roleBindings;
  const byApi = await api.get<{ roleBindings: RoleBinding[] }>(
    `/iam/v2/roleBindings?uidp.descendants_of=${organization.uid}&page_size=200`,
  );
  const facts = ({ uid, identityUid, role }: RoleBinding) => [uid, identityUid, role?.name];
  expect(inFile.map(facts)).toEqual(
    byApi.roleBindings.map(facts).toSorted(([one = ""], [next = ""]) => (one < next ? -1 : 1)),
  );
  await page.getByRole("button", { name: /^Actions for .*, owner$/ }).click();
  await page.getByRole("menuitem", { name: "Show fields" }).click();
  const fields = page.getByRole("dialog", { name: /^Added: role binding .*, owner$/ });
  await expect(fields.getByText(await identityOf(api, other))).toBeVisible();
});
