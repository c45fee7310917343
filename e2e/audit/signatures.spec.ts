import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

import type { Page, TestInfo } from "@playwright/test";
import { createRemoteJWKSet, jwtVerify } from "jose";

import type { AuditEntry } from "platform-contract/audit/entries";
import { SIGNATURE_KEYS_PATH, SIGNATURE_TYPE } from "platform-contract/snapshots/signatures";

import { address } from "../api";
import { expect, test } from "../fixtures";

/** Presses a button that downloads a file; returns where it is. */
async function save(page: Page, button: string, testInfo: TestInfo): Promise<string> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: button, exact: true }).click();
  const download = await downloading;
  const file = testInfo.outputPath(download.suggestedFilename());
  await download.saveAs(file);
  return file;
}

test("a snapshot is signed, and whoever has both files can check it", async ({ person }, testInfo) => {
  const { page, api, organization, open } = person;
  await open(`snapshots?group=${organization.uid}`);
  const file = await save(page, "Take a snapshot", testInfo);
  const signature = await save(page, "Sign snapshot", testInfo);
  expect(signature).toBe(`${file}.jws`);
  await expect(page.getByText("It doesn't prove that the content is true.").first()).toBeVisible();

  // What the API says: the published key, and the audit log.
  const digest = `sha256:${createHash("sha256")
    .update(await readFile(file))
    .digest("hex")}`;
  const keys = createRemoteJWKSet(new URL(address(SIGNATURE_KEYS_PATH.slice(1))));
  const { payload } = await jwtVerify(await readFile(signature, "utf8"), keys, { typ: SIGNATURE_TYPE });
  expect(payload).toMatchObject({ iss: address().replace(/\/$/, ""), group: organization.uid, digest });
  const { auditEntries } = await api.get<{ auditEntries: AuditEntry[] }>(
    `/audit/v1/entries?record=${organization.uid}&action=groups.signSnapshot`,
  );
  expect(auditEntries).toMatchObject([
    { actor: { uid: payload.sub }, changes: [{ field: "digest", after: JSON.stringify(digest) }] },
  ]);

  const check = page.getByRole("region", { name: "Result" });
  await page.getByLabel("Signed file").setInputFiles(file);
  await page.getByLabel("Signature (.jws)").setInputFiles(signature);
  await expect(check.getByRole("heading", { name: "This signature is valid" })).toBeVisible();
  await expect(check.getByRole("link", { name: person.email.replace(/@.*/, "") })).toBeVisible();
  await expect(check.getByText("It doesn't prove that the content is true")).toBeVisible();

  // One name in it is another one.
  const text = (await readFile(file, "utf8")).replaceAll(organization.name, "somebody else's");
  const changed = { name: "changed.json", mimeType: "application/json", buffer: Buffer.from(text) };
  await page.getByLabel("Signed file").setInputFiles(changed);
  await expect(
    check.getByRole("heading", { name: "This signature isn't valid for this file" }),
  ).toBeVisible();
  await expect(check.getByRole("row", { name: /File.*Wrong/ })).toBeVisible();
  await page.getByLabel("Signature (.jws)").setInputFiles(changed);
  await expect(page.getByText("This file isn't a signature.")).toBeVisible();
});
