import { EncryptJWT } from "jose";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import type { Caller } from "../../access/caller";
import { Failure } from "../../../status";
import { TestStore } from "../../../testing/store";
import { builtInRoleUid } from "../../../domains/access/roles.table";
import { sealAnew, sealedTexts } from "./sealed-texts";
import { secret } from "./secrets";

let store: TestStore;
let owner: Caller;
let organization: string;
let dataDir: string;

beforeAll(async () => {
  store = await TestStore.open();
  ({ uid: organization, owner } = await store.organization("acme"));
});
afterAll(() => store.database.close());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "sealed-texts-"));
  return () => rm(dataDir, { recursive: true });
});

const texts = (...secretKeys: string[]) => sealedTexts({ dataDir, secretKeys });
const [A, B] = ["a".repeat(32), "b".repeat(32)];
const RECORD = "a record";

/** Creates a provider with this sealed secret in the database. */
async function stored(sealed: (uid: string) => Promise<string>): Promise<string> {
  const oidc = { issuer: "https://idp.example", clientId: "platform", pkceEnabled: true };
  const body = { name: "Acme SSO", defaultRole: builtInRoleUid("viewer"), oidc };
  const { uid } = await store.call(owner, "identityProviders.create", { parent: organization, body });
  await store.database.query("delete from identity_provider_secrets");
  await store.database.query("insert into identity_provider_secrets values ($1, $2)", [
    uid,
    await sealed(uid),
  ]);
  return uid;
}
async function sealedNow(): Promise<string> {
  const [row] = await store.database.query<{ sealed: string }>(
    "select sealed from identity_provider_secrets",
  );
  return row?.sealed ?? "";
}

test("the key is made with the first text, outside of the database, for its owner alone", async () => {
  const first = texts();
  expect(await first.unseal(RECORD, await texts(A).seal(RECORD, "text"))).toBeUndefined();
  expect(await readdir(dataDir)).toEqual([]);
  const sealed = await Promise.all([first, texts(), texts()].map((each) => each.seal(RECORD, "text")));
  expect(await readdir(dataDir)).toEqual(["secret.key"]);
  expect((await stat(join(dataDir, "secret.key"))).mode & 0o777).toBe(0o600);
  for (const each of sealed) {
    expect(await texts().unseal(RECORD, each)).toBe("text");
    expect(await texts().unseal("another record", each)).toBeUndefined();
  }
  const key = (await readFile(join(dataDir, "secret.key"), "utf8")).trim();
  const held = await store.database.query("select 1 from secrets where value like $1", [`%${key}%`]);
  expect(held).toEqual([]);
});

test("SECRET_KEY comes before the file; a new one in front opens what others have sealed", async () => {
  const [inFile, byA] = [await texts().seal(RECORD, "file"), await texts(A).seal(RECORD, "A")];
  expect(await texts(B, A).unseal(RECORD, inFile)).toBe("file");
  expect(await texts(B, A).unseal(RECORD, byA)).toBe("A");
  expect(await texts(B).unseal(RECORD, byA)).toBeUndefined();
  expect(await texts(B, A).isCurrent(byA)).toBe(false);
});

test("a start seals with the key of today what the database could open itself, and forgets its key", async () => {
  const former = await secret(store.database, "sealed-texts");
  const uid = await stored((record) =>
    new EncryptJWT({ text: "of before" })
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .setSubject(record)
      .encrypt(former),
  );
  expect(await sealAnew(store.database, texts())).toBe(0);
  expect(await texts().unseal(uid, await sealedNow())).toBe("of before");
  expect(await store.database.query("select 1 from secrets where name = 'sealed-texts'")).toEqual([]);
  const before = await sealedNow();
  expect(await sealAnew(store.database, texts())).toBe(0);
  expect(await sealedNow()).toBe(before);

  expect(await sealAnew(store.database, texts(A))).toBe(0);
  await rm(join(dataDir, "secret.key"));
  expect(await texts(A).unseal(uid, await sealedNow())).toBe("of before");
  expect(await sealAnew(store.database, texts(B))).toBe(1);
  expect(await sealAnew(store.database, texts(B, A))).toBe(0);
  expect(await texts(B).unseal(uid, await sealedNow())).toBe("of before");
});

test("without a place for a key nothing is sealed, and what to do is said", async () => {
  const file = join(dataDir, "no-directory");
  await writeFile(file, "");
  const nowhere = sealedTexts({ dataDir: file, secretKeys: [] });
  await expect(nowhere.seal(RECORD, "text")).rejects.toThrow(Failure);
  await expect(nowhere.seal(RECORD, "text")).rejects.toThrow(/SECRET_KEY/);
  expect(await nowhere.unseal(RECORD, await texts(A).seal(RECORD, "text"))).toBeUndefined();
});
