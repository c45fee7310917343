import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { AttackFixture } from "./attack-fixture";
import { BODIES } from "./samples";
import type { Person, Wire, World } from "./world";

let cast: AttackFixture;
let world: World;
/** Where the attackers ask; none of them may list role bindings at the organization or in the sibling folder. */
let places: Readonly<Record<string, string>>;
let victims: Readonly<Record<string, string>>;
let attackers: Readonly<Record<string, Person>>;

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world } = cast);
  const { owner, outsider, stranger, organization, sibling } = cast;
  const elsewhere = await cast.elsewhere();
  const repo = await world.create(owner, "repos", sibling, { name: "secret-repo" });
  const secret = { name: "secret role", capabilities: ["repo.list"] };
  const role = await world.create(owner, "roles", organization, secret);
  const machine = await cast.identity(owner, sibling, "secret machine", world.claims("secret"));
  await world.bind(owner, sibling, machine, role);
  const left = await world.person("left");
  await world.bind(owner, sibling, left.uid, role);
  // As a directory does when somebody leaves.
  const provider = await world.create(
    owner,
    "identityProviders",
    organization,
    BODIES["identityProviders"]!(world, owner, organization),
  );
  await world.service.database.query(
    `insert into upstream_accounts (subject, provider, issuer, upstream_subject, signed_in_at, created_at, updated_at, deactivated_at)
     select subject, $1, 'https://directory.example', 'left', now(), now(), now(), now() from identities where uid = $2`,
    [provider, left.uid],
  );
  const nowhere = `${sibling}/${"0".repeat(16)}`;
  places = { organization, sibling, repo, nowhere };
  victims = { owner: owner.uid, machine, left: left.uid, theirs: elsewhere.identity, nobody: nowhere };
  const member = await world.holder(owner, "member", ["repo.list", "groups.list"], sibling);
  attackers = { outsider, stranger, binder: await cast.binder(), member };
});
afterAll(() => world.service.stop());

const ask = (by: Person, uid: string, identity?: string) =>
  world.send(by.token, "accessDecisions.get", {
    query: { uid, capabilities: "repo.list", ...(identity !== undefined && { identity }) },
  });

const SECRETS = /secret|"left"|deactivated|tokenLimited/;

describe.each(["outsider", "stranger", "binder", "member"])("the %s", (who) => {
  test.each(["organization", "sibling", "repo", "nowhere"])(
    "is told nothing about anybody's access to the %s",
    async (where) => {
      const said = new Set<string>();
      for (const victim of Object.keys(victims)) {
        const attempt = () => ask(attackers[who]!, places[where]!, victims[victim]);
        await cast.denied(attempt);
        said.add(JSON.stringify((await attempt()).json));
      }
      // The refusal does not depend on who it is about.
      expect(said.size).toBe(1);
    },
  );

  test("learns of places only what its own roles show, and the same of one that isn't there", async () => {
    const answers: Wire[] = [];
    for (const where of ["sibling", "repo", "nowhere"]) {
      const { status, bytes, json } = await ask(attackers[who]!, places[where]!);
      expect(status).toBe(200);
      if (who === "member") continue;
      expect(bytes.toString()).not.toMatch(SECRETS);
      expect(json["group"]).toBe(places[where]);
      answers.push({ ...json, group: undefined });
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

test("whoever lists bindings in a folder is not told what somebody holds above or beside it", async () => {
  const { organization, folder, owner } = cast;
  const { binder } = attackers;
  for (const victim of Object.values(victims)) {
    const { json, bytes } = await ask(binder!, folder, victim);
    expect(bytes.toString()).not.toMatch(SECRETS);
    expect([json["bindings"] ?? [], json["homeName"]]).toEqual([[], undefined]);
    expect(json["decision"]).not.toBe("DECISION_ALLOWED");
  }
  // What the owner holds comes from the organization, which the binder doesn't see.
  expect((await ask(binder!, folder, owner.uid)).json["decision"]).toBe("DECISION_UNKNOWN");
  expect((await ask(owner, organization, owner.uid)).json["decision"]).toBe("DECISION_ALLOWED");
});

test("a limited token gets no more by asking, and is told that it is limited", async () => {
  const { folder } = cast;
  await cast.strong();
  const query = { uid: folder, capabilities: "repo.create" };
  const token = await world.machine("strong");
  expect((await world.send(token, "accessDecisions.get", { query })).json["decision"]).toBe(
    "DECISION_ALLOWED",
  );
  const { json } = await world.service.call("POST", "/sts/exchange?cap=repo.list", { token });
  const asLimited = (more: Record<string, string> = {}) =>
    world.send((json as Wire)["token"], "accessDecisions.get", { query: { ...query, ...more } });
  expect((await asLimited()).json).toMatchObject({ decision: "DECISION_DENIED", tokenLimited: true });
  await cast.denied(() => asLimited({ identity: victims["machine"]! }));
});

test("a deactivated account is named to whoever sees a role binding of it", async () => {
  const { owner, sibling, organization } = cast;
  expect((await ask(owner, sibling, victims["left"])).json).toMatchObject({
    decision: "DECISION_DENIED",
    deactivated: true,
  });
  // Nothing of it there.
  expect((await ask(owner, organization, victims["left"])).json).not.toHaveProperty("deactivated");
});
