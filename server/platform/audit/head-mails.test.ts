import { afterAll, beforeAll, expect, test } from "vitest";

import { readConfig } from "../../config";
import { createCompose } from "../mail/compose";
import { textOf } from "../mail/letter";
import { createPost } from "../mail/post";
import type { Database } from "../store/database";
import { sealedTexts } from "../store/keys/sealed-texts";
import { claimMails } from "../store/mail/outbox";
import { openMigrated } from "../../testing/database";
import { TestStore } from "../../testing/store";
import { signaturesIn, verifyAgainst } from "./against";
import { mailHeads } from "./head-mails";
import { withLog } from "./log";

const post = createPost(() => {});
let database: Database;
let store: TestStore;
let organization: string;

/** An account whose owner has, or has not, confirmed its address. */
const account = (subject: string, verified: boolean) =>
  database.query(
    `insert into accounts (subject, email, name, password, email_verified_at, created_at, updated_at)
     values ($1, $1 || '@example.com', '', 'x', case when $2 then now() end, now(), now())`,
    [subject, verified],
  );

beforeAll(async () => {
  database = await openMigrated();
  store = await TestStore.open({}, withLog(database));
  ({ uid: organization } = await store.organization("acme", "ada"));
  const ada = await store.person("ada");
  await store.member("bob", "owner", [organization], ada);
  await store.member("eve", "viewer", [organization], ada);
  for (const [subject, verified] of [
    ["ada", true],
    ["bob", false],
    ["eve", true],
  ] as const)
    await account(subject, verified);
});
afterAll(() => database.close());

test("owners with a confirmed address get the signed head, once for what grew, without a name in it", async () => {
  const { config } = store;
  const since = new Date(0);
  await mailHeads({ config, database, post }, since);
  const mails = await claimMails(database, { most: 10, lease: 1000 });
  expect(mails).toMatchObject([{ kind: "auditHead", address: "ada@example.com", facts: { organization } }]);
  const compose = createCompose(config, database, sealedTexts(config));
  const [mail] = mails;
  const letter = mail && (await compose(mail));
  const text = letter ? textOf(letter) : "";
  expect(text).not.toContain("acme");
  const signatures = signaturesIn(text);
  expect(signatures).toHaveLength(1);
  expect(await verifyAgainst(database, signatures)).toEqual([]);
  await mailHeads({ config, database, post }, new Date());
  expect(await claimMails(database, { most: 10, lease: 1000 })).toEqual([]);
});

test("they are off unless the operator asks for them, and need a mail server", () => {
  const base = { PUBLIC_URL: "https://platform.test", SECRET_KEY: "x".repeat(32) };
  expect(readConfig(base).auditHeadMails).toBe(false);
  expect(() => readConfig({ ...base, AUDIT_HEAD_MAILS: "1" })).toThrow("AUDIT_HEAD_MAILS: set SMTP_URL too");
});
