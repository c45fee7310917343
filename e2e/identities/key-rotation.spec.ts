import { readFile } from "node:fs/promises";

import { exportJWK, generateKeyPair, importPKCS8 } from "jose";

import type { Identity } from "platform-contract/iam/identities";

import { address } from "../api";
import { expect, test } from "../fixtures";
import { param } from "../records";
import { exchange } from "../static-keys";

const ISSUER = "https://scanners.example";

test("a key is replaced: a new one made in the browser signs, the retired one no longer does", async ({
  person,
}) => {
  const { page, api, organization, open, context } = person;
  const old = await generateKeyPair("ES256", { extractable: true });
  const oldKey = { ...(await exportJWK(old.publicKey)), alg: "ES256", kid: "of-last-year" };
  const identity = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, {
    name: "scanner fleet",
    staticKeys: {
      issuer: ISSUER,
      subject: "scanner",
      issuerKeys: JSON.stringify({ keys: [oldKey] }),
      audiences: [new URL(address()).href.replace(/\/$/, "")],
    },
  });
  const sent: string[] = [];
  context.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));

  await open(`identities/${param(identity)}`);
  const keys = page.getByRole("region", { name: /^Keys/ }).first();
  await expect(keys.getByText("in 12 months")).toBeVisible();
  await expect(keys.getByRole("button", { name: "Retire key of-last-year" })).toBeDisabled();
  await keys.getByRole("button", { name: "Add key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Make and add key" }).click();
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download private key" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^scanner-fleet-[\w-]{8}\.pem$/);
  const pem = await readFile(await file.path(), "utf8");
  await expect(dialog.getByText("This page no longer has it.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Download private key" })).toBeHidden();
  await dialog.getByRole("button", { name: "Done" }).click();

  const uid = identity.uid;
  const held = async () => {
    const { staticKeys } = await api.get<Identity>(`/iam/v2/identities/${uid}`);
    return (JSON.parse(staticKeys?.issuerKeys ?? "") as { keys: { kid: string }[] }).keys;
  };
  const [first, made] = await held();
  expect(first).toEqual(oldKey);
  const kid = made?.kid ?? "";
  const secret = await importPKCS8(pem, "ES256");
  expect((await exchange(identity, secret, kid)).status).toBe(200);
  expect((await exchange(identity, old.privateKey, "of-last-year")).status).toBe(200);

  // Nothing of the private half left the page, and nothing of it stayed.
  const body = pem.replaceAll(/-----[^-]+-----|\s/g, "");
  const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  for (const text of [...sent, kept]) expect(text.includes(body.slice(40, 120))).toBe(false);

  await keys.getByRole("button", { name: "Retire key of-last-year" }).click();
  await dialog.getByRole("button", { name: "Retire key" }).click();
  await expect(dialog).toBeHidden();
  await expect(keys.getByText("of-last-year")).toBeHidden();
  expect((await held()).map((key) => key.kid)).toEqual([kid]);
  expect((await exchange(identity, secret, kid)).status).toBe(200);
  expect((await exchange(identity, old.privateKey, "of-last-year")).status).toBe(401);
});

test("a key that somebody else adds meanwhile stays when another one is added", async ({ person }) => {
  const { page, api, organization, open } = person;
  const jwk = async (kid: string) => {
    const { publicKey } = await generateKeyPair("ES256", { extractable: true });
    return { ...(await exportJWK(publicKey)), alg: "ES256", kid };
  };
  const [first, second] = [await jwk("first"), await jwk("second")];
  const document = (...keys: object[]) => JSON.stringify({ keys });
  const identity = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, {
    name: "fleet",
    staticKeys: { issuer: ISSUER, subject: "fleet", issuerKeys: document(first) },
  });
  await open(`identities/${param(identity)}`);
  await page.getByRole("button", { name: "Add key" }).click();
  await api.patch(`/iam/v2/identities/${identity.uid}?updateMask=staticKeys.issuerKeys`, {
    staticKeys: { issuerKeys: document(first, second) },
  });
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Make and add key" }).click();
  await expect(dialog.getByText("Someone else has changed this identity.")).toBeVisible();
  await dialog.getByRole("button", { name: "Make and add key" }).click();
  await expect(dialog.getByRole("heading", { name: "Key added" })).toBeVisible();
  const { staticKeys } = await api.get<Identity>(`/iam/v2/identities/${identity.uid}`);
  const { keys } = JSON.parse(staticKeys?.issuerKeys ?? "") as { keys: { kid: string }[] };
  expect(keys.map(({ kid }) => kid)).toEqual(["first", "second", expect.any(String)]);
});
