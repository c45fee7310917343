import { afterAll, beforeAll, expect, test } from "vitest";

import { Ground } from "../conformance/ground";
import type { World } from "../conformance/world";
import { builtInRoleUid } from "../store/roles";

let ground: Ground;
let world: World;
beforeAll(async () => {
  ground = await Ground.open();
  ({ world } = ground);
});
afterAll(() => world.service.stop());

test("a secret is nowhere in the log, only that it changed", async () => {
  const { owner, folder } = ground;
  const secrets = ["first secret of theirs", "second secret of theirs"];
  const oidc = { issuer: "https://idp.example", clientId: "platform" };
  const provider = await world.make(owner, "identityProviders.create", {
    parent: folder,
    body: {
      name: "theirs",
      defaultRole: builtInRoleUid("viewer"),
      oidc: { ...oidc, clientSecret: secrets[0] },
    },
  });
  // Nothing else changes.
  await world.make(owner, "identityProviders.update", {
    uid: provider["uid"],
    body: { oidc: { clientSecret: secrets[1] } },
  });
  const invite = await world.make(owner, "groupInvites.create", {
    parent: folder,
    body: { roleUid: builtInRoleUid("viewer"), ttl: "3600s" },
  });
  secrets.push(invite["code"], owner.token);
  const { auditEntries } = await world.make(owner, "auditEntries.list", {
    query: { record: provider["uid"] },
  });
  const hidden = { field: "oidc.clientSecret", hidden: true };
  expect(auditEntries).toMatchObject([{ changes: [hidden] }, { change: "created" }]);
  expect(auditEntries[1].changes).toContainEqual(hidden);
  // Whatever is stored, not only what the API shows.
  const rows = await world.service.database.query("select * from audit_entries");
  const log = JSON.stringify(rows);
  expect(log).toContain(invite["uid"]);
  for (const secret of secrets) {
    const bytes = Buffer.from(secret);
    for (const form of [secret, bytes.toString("base64").replace(/=+$/, ""), bytes.toString("hex")])
      expect(log.includes(form)).toBe(false);
  }
});
