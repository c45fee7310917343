import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { Ground } from "../../conformance/ground";
import type { Wire, World } from "../../conformance/world";
import { DEMO_PASSWORD } from "../../demo";
import { Browser, openSignIn } from "../oidc/testing";
import { toEntry } from "../store/audit";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { chainsOf, entriesAfter } from "./audit.table";

let ground: Ground;
let world: World;
let directory: string;
let forwards: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "audit-secrets-"));
  forwards = join(directory, "audit.ndjson");
  ground = await Ground.open({
    SEED: "demo",
    AUTOMATION_CLIENT_SECRET: "the secret of automation",
    AUDIT_FORWARD: `file://${forwards}`,
  });
  ({ world } = ground);
});
afterAll(async () => {
  await world.service.stop();
  await rm(directory, { recursive: true });
});

/** What stores, exports and forwards the log, as text. */
async function everywhere(): Promise<Readonly<Record<"log" | "export" | "forward", string>>> {
  const { database } = world.service;
  const log = JSON.stringify(
    await Promise.all(
      ["audit_entries", "audit_subjects"].map((table) => database.query(`select * from ${table}`)),
    ),
  );
  const lines: string[] = [];
  for (const chain of await chainsOf(database))
    for await (const rows of entriesAfter(database, chain, 0))
      lines.push(...rows.map((row) => JSON.stringify(toEntry({ ...row }))));
  const forward = await vi.waitFor(
    async () => {
      const text = await readFile(forwards, "utf8");
      expect(text.split("\n").filter(Boolean)).toHaveLength(lines.length);
      return text;
    },
    { timeout: 20_000, interval: 200 },
  );
  return { log, export: lines.join("\n"), forward };
}

/** A secret as it is, and encoded. */
const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  const encoded = (["base64", "base64url", "hex"] as const).map((form) =>
    bytes.toString(form).replace(/=+$/, ""),
  );
  return [secret, encodeURIComponent(secret), ...encoded];
};

test("a secret is nowhere in the log, its export and its forwards, only that it changed", async () => {
  const { owner, folder } = ground;
  const random = () => `s ${randomBytes(12).toString("base64url")} é`;
  const [first, second, typed] = [random(), random(), random()];
  const oidc = { issuer: "https://idp.example", clientId: "platform" };
  const provider = await world.make(owner, "identityProviders.create", {
    parent: folder,
    body: {
      name: "theirs",
      defaultRole: builtInRoleUid("viewer"),
      oidc: { ...oidc, clientSecret: first },
    },
  });
  // Nothing else changes.
  await world.make(owner, "identityProviders.update", {
    uid: provider["uid"],
    body: { oidc: { clientSecret: second } },
  });
  // Refused: the body is in no entry either.
  const stranger = await world.person("stranger");
  await world.send(stranger.token, "identityProviders.create", {
    parent: folder,
    body: { name: typed, defaultRole: builtInRoleUid("viewer"), oidc: { ...oidc, clientSecret: typed } },
  });
  const invite = await world.make(owner, "groupInvites.create", {
    parent: folder,
    body: { roleUid: builtInRoleUid("viewer"), ttl: "3600s" },
  });
  // A password in the field of the email, and a wrong one of somebody.
  for (const [email, password] of [
    [typed, typed],
    ["viewer@demo.example", typed],
    ["viewer@demo.example", DEMO_PASSWORD],
  ] as const) {
    const browser = new Browser();
    const { page } = await openSignIn(world.service.url, {}, browser);
    await browser.submit(page.url, { email, password });
  }
  const { auditEntries } = await world.make(owner, "auditEntries.list", {
    query: { record: provider["uid"] },
  });
  const hidden = { field: "oidc.clientSecret", hidden: true };
  expect(auditEntries).toMatchObject([{ changes: [hidden] }, { change: "created" }]);
  expect((auditEntries as Wire[])[1]!["changes"]).toContainEqual(hidden);
  const { database } = world.service;
  const [stored] = await database.query<{ hash: string }>("select password as hash from accounts limit 1");
  const secrets = [
    first,
    second,
    typed,
    invite["code"],
    owner.token,
    DEMO_PASSWORD,
    "the secret of automation",
    stored!.hash,
  ];
  for (const [place, text] of Object.entries(await everywhere())) {
    // It is the right text: it has what is no secret.
    expect([place, text.includes(invite["uid"]), text.includes("WRONG_PASSWORD")]).toEqual([
      place,
      true,
      true,
    ]);
    for (const secret of secrets)
      for (const form of formsOf(secret))
        expect([place, form, text.includes(form)]).toEqual([place, form, false]);
  }
});
