import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { CAPABILITY_NAMES } from "platform-contract/capability";
import { BUILT_IN_ROLES, roleWords } from "platform-contract/iam/built-in-roles";
import { capabilities } from "platform-contract/iam/capabilities";

import { holds, type Grant } from "../../platform/access/caller";
import { grantsOf } from "../../platform/access/grants";
import { demoPeople, type Claim } from "../../demo";
import { World } from "../../conformance/world";
import { accessAt } from "../../platform/store/audit-access";
import type { Row } from "../../platform/store/database";
import {
  ACCOUNTS,
  CUSTOM_ROLES,
  FOLDER_DESCRIPTIONS,
  FOLDERS,
  MACHINES,
  ORGANIZATION,
  PROVIDERS,
} from "./demo-data";
import { readmeOf, REPOS } from "./demo-registry-data";
import { NOTES } from "./demo-security-data";

let world: World;
const rows = <R = Row>(sql: string, values: readonly unknown[] = []) =>
  world.service.database.query<R>(sql, values);

beforeAll(async () => {
  world = await World.open({
    SEED: "demo",
    ADMIN_EMAIL: "owner@demo.example",
    ADMIN_PASSWORD: "a long password",
    AUTOMATION_CLIENT_SECRET: "a secret of automation",
  });
});
afterAll(() => world.service.stop());

const OPERATED: readonly string[] = Object.values(CAPABILITY_NAMES).filter(
  // Operators only.
  (dotted) => dotted !== "repo.internal.admin",
);
const READS = OPERATED.filter((dotted) => dotted.endsWith(".list"));
const named = (list: readonly string[]) =>
  list.flatMap((dotted) => (dotted === "*" ? OPERATED : dotted === "*.list" ? READS : [dotted]));

const wireOf = (dotted: string): string => {
  const found = capabilities.find((one) => one.dotted === dotted);
  if (!found) throw new Error(`There is no capability ${dotted}`);
  return found.wire;
};

/** The uid of a folder, by its path of names. */
async function placeOf(path: readonly string[] = []): Promise<string> {
  let [place] = await rows<{ uid: string }>("select uid from groups where parent is null and name = $1", [
    ORGANIZATION,
  ]);
  for (const name of path)
    // oxlint-disable-next-line no-await-in-loop -- each level needs the one above
    [place] = await rows<{ uid: string }>("select uid from groups where parent = $1 and name = $2", [
      place?.uid,
      name,
    ]);
  if (!place) throw new Error(`There is no folder ${path.join("/")}`);
  return place.uid;
}

/** What is untrue about these claims, given what is granted. */
async function lies(grants: readonly Grant[], claims: readonly Claim[]): Promise<string[]> {
  const found = await Promise.all(
    claims.map(async ({ at, may = [], mayNot = [], readsOnly }) => {
      const place = await placeOf(at);
      const can = (dotted: string) => holds({ grants }, wireOf(dotted), place);
      const writes = readsOnly ? OPERATED.filter((dotted) => !READS.includes(dotted) && can(dotted)) : [];
      return [
        ...named(may).flatMap((dotted) => (can(dotted) ? [] : [`may not ${dotted}`])),
        ...named(mayNot).flatMap((dotted) => (can(dotted) ? [`may ${dotted}`] : [])),
        ...writes.map((dotted) => `may ${dotted}`),
      ];
    }),
  );
  return found.flat();
}

const identity = async (condition: string, value: string, parent?: string): Promise<string> => {
  const [found] = await rows<{ uid: string }>(
    `select uid from identities where ${condition} = $1 and parent is not distinct from $2`,
    [value, parent ?? null],
  );
  if (!found) throw new Error(`There is no identity ${value}`);
  return found.uid;
};

describe("what the demo says about", () => {
  test.each(demoPeople("owner@demo.example").map((person) => [person.why, person] as const))(
    "a person: %s",
    async (_why, { email, claims }) => {
      const uid = await identity("email_unverified", email);
      expect(await lies(await grantsOf(world.service.database, [uid]), claims)).toEqual([]);
      expect(claims).not.toEqual([]);
    },
  );

  test("machines is so", async () => {
    const untrue = await Promise.all(
      MACHINES.map(async ({ at, name, claims = [] }) => {
        const uid = await identity("name", name, await placeOf(at));
        const found = await lies(await grantsOf(world.service.database, [uid]), claims);
        return found.map((lie) => `${at.join("/")}/${name} ${lie}`);
      }),
    );
    expect(untrue.flat()).toEqual([]);
    expect(MACHINES.filter(({ description, claims }) => description && !claims)).toEqual([]);
    // "until its keys expired": they have, and it was seen before.
    for (const { description = "", keysEnd = 1, seen = 0 } of MACHINES)
      if (/expired/.test(description)) expect(seen).toBeGreaterThan(-keysEnd);
  });

  test.each(Object.entries(CUSTOM_ROLES))("the role %s", async (name, { claims, capabilities: held }) => {
    const [role] = await rows<{ capabilities: string[] }>(
      "select capabilities from roles where name = $1 and parent is not null",
      [name],
    );
    expect(role?.capabilities).toEqual(held);
    const grants = [{ group: await placeOf(), role: "", capabilities: new Set(role?.capabilities) }];
    expect(await lies(grants, claims)).toEqual([]);
    expect(claims).not.toEqual([]);
  });

  test.each(Object.entries(BUILT_IN_ROLES))("the built-in role %s", async (name, { can, cannot }) => {
    const [role] = await rows<{ capabilities: string[]; description: string }>(
      "select capabilities, description from roles where name = $1 and parent is null",
      [name],
    );
    expect(roleWords({ uid: "ab", name, description: role?.description })).toBe(BUILT_IN_ROLES[name]?.says);
    const grants = [{ group: await placeOf(), role: "", capabilities: new Set(role?.capabilities) }];
    expect(await lies(grants, [{ may: can, mayNot: cannot }])).toEqual([]);
  });

  test("a folder is so: it has the folders and repos that make it so", async () => {
    const all = Object.entries(FOLDERS).flatMap(([name, inside]) => [name, ...inside]);
    expect(Object.keys(FOLDER_DESCRIPTIONS).filter((name) => !all.includes(name))).toEqual([]);
    const stored = await rows<{ name: string; description: string }>(
      "select name, description from groups where parent is not null and description <> ''",
    );
    expect(Object.fromEntries(stored.map(({ name, description }) => [name, description]))).toEqual(
      Object.fromEntries(Object.entries(FOLDER_DESCRIPTIONS).map(([name, { says }]) => [name, says])),
    );
    for (const [name, { folders = [], repos = [] }] of Object.entries(FOLDER_DESCRIPTIONS)) {
      expect([...folders, ...repos]).not.toEqual([]);
      const inside = (table: string) =>
        rows<{ name: string }>(
          `select t.name from ${table} t join groups g on t.uid like g.uid || '/%' where g.name = $1`,
          [name],
        );
      // oxlint-disable-next-line no-await-in-loop -- a few folders
      const found = [...(await inside("groups")), ...(await inside("repos"))].map((one) => one.name);
      expect(found, name).toEqual(expect.arrayContaining([...folders, ...repos]));
    }
  });

  test("a machine that pushes or pulls is so: there are images where it can", async () => {
    const moving = MACHINES.filter(({ description = "" }) => /\b(push|pull)/i.test(description));
    expect(moving.length).toBeGreaterThan(20);
    const nothing = await Promise.all(
      moving.map(async ({ at, name }) => {
        const there = await rows("select 1 from repos where uid like $1 || '/%' limit 1", [
          await placeOf(at),
        ]);
        return there.length > 0 ? [] : [name];
      }),
    );
    expect(nothing.flat()).toEqual([]);
  });

  test.each(PROVIDERS.map((provider) => [provider.description, provider] as const))(
    "a provider: %s",
    async (_says, { oidc, people }) => {
      const found = await rows(
        "select 1 from identities where parent is null and (issuer = $1 or issuer like $1 || '/%')",
        [oidc?.issuer],
      );
      expect(found).toHaveLength(people);
    },
  );

  test("the events of an advisory do not contradict each other", async () => {
    const events = await rows<{ advisory: string; type: string; note: string; at: Date; version: string }>(
      `select advisory_uid as advisory, type, data->>'note' as note, created_at as at,
         data->>'fixedVersion' as version
       from advisory_events order by advisory_uid, created_at`,
    );
    const against: unknown[] = [];
    for (const advisory of new Set(events.map((event) => event.advisory))) {
      const history = events.filter((event) => event.advisory === advisory);
      const types = history.map(({ type }) => type);
      const exploitable = types.includes("truePositiveDetermination") || types.includes("pendingUpstreamFix");
      if (exploitable && types.includes("falsePositiveDetermination")) against.push(history);
      if (types.includes("fixNotPlanned") && types.includes("fixed")) against.push(history);
      if (types.includes("analysisNotPlanned") && types.length > 2) against.push(history);
      if (types.includes("patched") && !types.includes("fixed")) against.push(history);
    }
    expect(against).toEqual([]);
    for (const [type, note] of Object.entries(NOTES)) {
      const of = events.filter((event) => event.type === type);
      expect([type, [...new Set(of.map((event) => event.note))]]).toEqual([type, [note]]);
    }
    // Images are not spoken of: what is in them changes with every build.
    expect(Object.values(NOTES).filter((note) => /image/i.test(note))).toEqual([]);
  });

  test("what a readme tells of shells, package managers, architectures and users is so", async () => {
    const has = async (repo: string, tag: string, packages: readonly string[]) => {
      const found = await rows<{ name: string }>(
        `select distinct p.name from image_packages p join tags t on t.digest = p.digest
         join repos r on r.uid = t.parent where r.name = $1 and t.name = $2 and p.name = any($3::text[]) order by 1`,
        [repo, tag, packages],
      );
      return found.map(({ name }) => name);
    };
    for (const repo of REPOS.filter(({ name }) => name !== "markdown-sampler")) {
      const readme = readmeOf(repo);
      const plain = /no shell/.test(readme) ? [] : undefined;
      // oxlint-disable-next-line no-await-in-loop -- a few repos
      if (plain) expect([repo.name, await has(repo.name, "latest", ["busybox"])]).toEqual([repo.name, plain]);
      if (repo.run?.startsWith("sh "))
        // oxlint-disable-next-line no-await-in-loop -- a few repos
        expect(await has(repo.name, "latest", ["busybox"])).toEqual(["busybox"]);
      // oxlint-disable-next-line no-await-in-loop -- a few repos
      expect([repo.name, await has(repo.name, "latest-dev", ["busybox", "apk-tools"])]).toEqual([
        repo.name,
        ["apk-tools", "busybox"],
      ]);
      // oxlint-disable-next-line no-await-in-loop -- a few repos
      const incomplete = await rows(
        `select t.name from tags t join repos r on r.uid = t.parent where r.name = $1 and
           (select array_agg(m.architecture order by 1) from manifests m where m.repo_uid = r.uid
             and m.digest = t.digest) is distinct from array['amd64', 'arm64']`,
        [repo.name],
      );
      expect([repo.name, incomplete]).toEqual([repo.name, []]);
    }
  });

  test("automation is so: it owns the organization, through one machine identity there", async () => {
    const automation = await world.person("automation");
    const { groups } = await world.make(automation, "groups.list", { query: { "uidp.in_root": "true" } });
    expect(groups).toMatchObject([{ name: ORGANIZATION }]);
    const folder = await world.make(automation, "groups.create", {
      parent: groups[0].uid,
      body: { name: "made by automation" },
    });
    await world.make(automation, "groups.delete", { uid: folder["uid"] });
    const { identities } = await world.make(automation, "identities.list", {
      query: { name: "automation", "uidp.descendants_of": groups[0].uid },
    });
    expect(identities).toMatchObject([{ name: "automation" }]);
  });

  test("people in README.md is what the sign-in page says", async () => {
    const readme = await readFile(new URL("../../../README.md", import.meta.url), "utf8");
    for (const { email, why } of demoPeople("owner@demo.example"))
      expect(readme).toContain(`| \`${email}\` | ${why} |`);
  });

  test("accounts without any is so", async () => {
    expect(await rows("select accounts from account_associations where description = 'None yet'")).toEqual([
      { accounts: {} },
    ]);
  });

  test("tags in a readme exist, as do its versions without support", async () => {
    const missing = await Promise.all(
      REPOS.filter(({ name }) => name !== "markdown-sampler").map(async (repo) => {
        const stored = await rows<{ name: string; deprecated: boolean }>(
          "select t.name, t.deprecated from tags t join repos r on r.uid = t.parent where r.name = $1",
          [repo.name],
        );
        const [gone = ""] = /^Deprecated.*$/m.exec(readmeOf(repo)) ?? [];
        const table = [...readmeOf(repo).matchAll(/^\| `([^`]+)`/gm)].map(([, tag]) => tag);
        const ended = [...gone.matchAll(/`([^`]+)`/g)].map(([, tag]) => tag);
        expect(table).toHaveLength(4);
        return [
          ...table.filter((tag) => !stored.some((one) => one.name === tag)),
          ...ended.filter((tag) => !stored.some((one) => one.name === tag && one.deprecated)),
        ].map((tag) => `${repo.name}:${tag}`);
      }),
    );
    expect(missing.flat()).toEqual([]);
  });
});

/** Every table with times. */
const timed = async () =>
  (
    await rows<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = current_schema() and column_name = 'updated_at' order by 1`,
    )
  ).map(({ name }) => name);

describe("ages do not contradict each other:", () => {
  test("nothing was updated before it was created, or will be", async () => {
    const tables = await timed();
    expect(tables.length).toBeGreaterThan(10);
    for (const table of tables)
      expect([
        table,
        // oxlint-disable-next-line no-await-in-loop -- one query per table
        await rows(
          `select * from ${table} where updated_at < created_at or updated_at > now() + interval '1 minute'`,
        ),
      ]).toEqual([table, []]);
  });

  test("nobody was seen before they were created", async () => {
    expect(await rows("select name from identities where last_seen_at < created_at")).toEqual([]);
  });

  test.each([
    ["groups", "parent", "groups"],
    ["identities", "parent", "groups"],
    ["roles", "parent", "groups"],
    ["role_bindings", "parent", "groups"],
    ["role_bindings", "identity_uid", "identities"],
    ["group_invites", "parent", "groups"],
    ["group_invites", "created_by", "identities"],
    ["identity_providers", "parent", "groups"],
    ["external_group_role_mappings", "parent", "identity_providers"],
    ["account_associations", "parent", "groups"],
    ["terms", "parent", "groups"],
    ["terms_acceptances", "document_uid", "terms"],
    ["repos", "parent", "groups"],
    ["repos", "source_uid", "repos"],
    ["tags", "parent", "repos"],
    ["advisories", "parent", "groups"],
  ])("no row of %s is older than its %s", async (table, column, above) => {
    expect(
      await rows(
        `select c.uid from ${table} c join ${above} p on p.uid = c.${column} where c.created_at < p.created_at`,
      ),
    ).toEqual([]);
  });

  test("a tag points to the last image of its history", async () => {
    expect(
      await rows(
        `select t.name from tags t where t.digest is distinct from (select h.digest from tag_history h
           where h.repo_uid = t.parent and h.tag = t.name order by h.since desc limit 1)`,
      ),
    ).toEqual([]);
  });

  test("no tag is younger than its first image, or older than its last", async () => {
    expect(
      await rows(
        `select t.name from tags t join (select repo_uid, tag, min(since) as first, max(since) as last
           from tag_history group by 1, 2) h on h.repo_uid = t.parent and h.tag = t.name
         where t.created_at > h.first or t.updated_at < h.last`,
      ),
    ).toEqual([]);
  });

  test("no person signed in through a provider that was made after them", async () => {
    expect(
      await rows(
        `select i.name from identities i join identity_providers p on p.oidc->>'issuer' = i.issuer
         where i.parent is null and i.created_at < p.created_at`,
      ),
    ).toEqual([]);
  });

  test("no binding or mapping is older than a role of the organization that it grants", async () => {
    for (const table of ["role_bindings", "external_group_role_mappings"])
      expect(
        // oxlint-disable-next-line no-await-in-loop -- one query per table
        await rows(
          `select c.uid from ${table} c join roles r on r.uid = c.role_uid and r.parent is not null
           where c.created_at < r.created_at`,
        ),
      ).toEqual([]);
  });

  test("no association is older than the service identities that it names", async () => {
    expect(
      await rows(
        `select a.name, i.name as identity from account_associations a
         join identities i on a.accounts::text like '%' || i.uid || '%' where a.created_at < i.created_at`,
      ),
    ).toEqual([]);
  });

  test("no terms were accepted by somebody who came later", async () => {
    const [owner] = await rows<{ created_at: Date }>(
      "select created_at from identities where email_unverified = 'owner@demo.example'",
    );
    const early = await rows("select uid from terms_acceptances where created_at < $1", [owner?.created_at]);
    expect(early).toEqual([]);
  });

  test("keys last at most 365 days from the creation of their identity", async () => {
    const keys = await rows<{ name: string; created_at: Date; definition: { expirationTime: string } }>(
      "select name, created_at, definition from identities where relationship = 'staticKeys'",
    );
    expect(keys).toHaveLength(2);
    const long = keys.filter(
      ({ created_at, definition }) =>
        Date.parse(definition.expirationTime) - created_at.getTime() > 365 * 86_400_000,
    );
    expect(long).toEqual([]);
  });
});

test("every demo role has a name of what it allows, and a machine that pushes has one that pushes", () => {
  expect(Object.keys(CUSTOM_ROLES)).toContain("image pusher");
  for (const { description = "", role } of MACHINES)
    if (/push/i.test(description)) expect(role).toBe("image pusher");
  const granted = new Set(
    [...ACCOUNTS.flatMap(({ bindings }) => bindings), ...MACHINES].map(({ role }) => role),
  );
  expect(granted).toContain("identity reader");
});

test("who had access two months ago is told by the bindings' own times, though the log began with the demo", async () => {
  const root = await placeOf();
  const time = new Date(Date.now() - 60 * 24 * 60 * 60 * 1_000);
  const { held, complete } = await accessAt(world.service.database, { group: root, time, visible: [root] });
  const then = await rows(
    "select uid from role_bindings where parent = $1 and created_at <= $2 order by uid",
    [root, time],
  );
  expect(then.length).toBeGreaterThan(3);
  expect(held.map(({ roleBinding }) => roleBinding)).toEqual(then.map(({ uid }) => uid));
  expect(complete).toBe(false);
});
