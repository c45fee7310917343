import { exportJWK, generateKeyPair } from "jose";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { codeName, errorInfo, preconditionViolations, status } from "platform-contract/status";

import { hashPassword } from "../platform/oidc/passwords";
import { signIn } from "../platform/oidc/testing";
import type { Queries } from "../platform/store/database";
import { openEmbedded } from "../platform/store/embedded";
import { migrate } from "../platform/store/migrate";
import { migrations } from "../platform/store/migrations/index";
import { builtInRoleUid } from "../domains/access/roles.table";
import { personUid, uidOf } from "../platform/store/uids";
import { freePort } from "../testing/app";
import { startBuilt } from "../testing/built-service";

/**
 * The last migration of each earlier state: without counts of tags, without statements, without the audit log, without what records
 * were.
 */
const STATES = ["003-registry", "012-advisories", "022-exploitation", "059-token-ids"];

const PERSON = { email: "ada@example.com", password: "correct horse battery" };
const SUBJECT = "5f3c1f0a-upgrade";
const organization = uidOf("organization");
const folder = `${organization}/${uidOf("folder").slice(0, 16)}`;
const repo = `${folder}/${uidOf("repo").slice(0, 16)}`;
const advisory = `${organization}/${uidOf("advisory").slice(0, 16)}`;
const machine = `${organization}/${uidOf("machine").slice(0, 16)}`;
const AT = new Date("2026-02-03T04:05:06.789Z");
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "upgrade-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** One row; objects and arrays of objects as JSON. */
async function insert(
  queries: Queries,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const names = Object.keys(row);
  await queries.query(
    `insert into ${table} (${names.join(", ")}) values (${names.map((_, n) => `$${n + 1}`).join(", ")})`,
    Object.values(row),
  );
}

/** What people had written when the program knew only the first `count` migrations, with the columns of that time. */
async function fill(queries: Queries, issuer: string, count: number): Promise<void> {
  const times = { created_at: AT, updated_at: AT };
  const add = (table: string, row: object) => insert(queries, table, { ...row, ...times });
  await add("accounts", {
    subject: SUBJECT,
    email: PERSON.email,
    name: "Ada",
    password: await hashPassword(PERSON.password),
  });
  const person = personUid(issuer, SUBJECT);
  const claims = { issuer, subject: SUBJECT };
  await add("identities", {
    uid: person,
    name: "Ada",
    relationship: "claimMatch",
    definition: JSON.stringify(claims),
    ...claims,
  });
  await add("groups", { uid: organization, name: "old-organization", description: "made long ago" });
  await add("groups", { uid: folder, parent: organization, name: "old-folder" });
  // With the capabilities of that time: a start gives it those of today.
  await add("roles", {
    uid: builtInRoleUid("owner"),
    name: "owner",
    description: "Owner Role (built-in)",
    capabilities: ["groups.list"],
  });
  await add("role_bindings", {
    uid: `${organization}/${uidOf("binding").slice(0, 16)}`,
    parent: organization,
    identity_uid: person,
    role_uid: builtInRoleUid("owner"),
  });
  const key = {
    ...(await exportJWK((await generateKeyPair("ES256", { extractable: true })).publicKey)),
    kid: "k",
  };
  const definition = {
    issuer: "https://ci.example.com",
    subject: "job",
    issuerKeys: JSON.stringify({ keys: [key] }),
  };
  await add("identities", {
    uid: machine,
    parent: organization,
    name: "old-machine",
    relationship: "staticKeys",
    definition: JSON.stringify(definition),
    issuer: definition.issuer,
    subject: definition.subject,
  });
  if (count >= 7)
    await insert(queries, "static_keys", {
      identity_uid: machine,
      place: 0,
      issuer: definition.issuer,
      subject: definition.subject,
      kid: "k",
      jwk: JSON.stringify(key),
    });
  await add("repos", { uid: repo, parent: folder, name: "old-repo", readme: "# Old" });
  for (const [name, letter] of [
    ["1.0", "a"],
    ["latest", "b"],
  ] as const)
    await add("tags", {
      uid: `${repo}/${uidOf(name).slice(0, 16)}`,
      parent: repo,
      name,
      digest: digest(letter),
    });
  if (count >= 4) await insert(queries, "tag_counts", { uid: repo, plain: 2 });
  if (count < 12) return;
  await add("advisories", {
    uid: advisory,
    parent: organization,
    advisory_id: "CVE-2026-0001",
    artifact_name: "openssl",
    origin: "ORIGIN_OS",
    aliases: ["CVE-2026-0001"],
    event_types: ["FIXED"],
    latest_event_type: "FIXED",
    fixed_version: "3.1.4",
    search: "cve-2026-0001 openssl",
  });
  await insert(queries, "advisory_events", {
    uid: `${advisory}/${uidOf("event").slice(0, 16)}`,
    advisory_uid: advisory,
    type: "fixed",
    data: JSON.stringify({ fixedVersion: "3.1.4" }),
    created_at: AT,
  });
  if (count < 22) return;
  await insert(queries, "vulnerability_exploitation", {
    id: "CVE-2026-0001",
    epss: 0.5,
    epss_date: "2026-02-03",
  });
  if (count < 29) return;
  await insert(queries, "memberships", { organization, identity_uid: person, state: "accepted" });
}

type Records = readonly Readonly<Record<string, unknown>>[];

/** Lists that are known as of a time. */
const LISTS = {
  groups: "/iam/v2/groups",
  identities: `/iam/v2/identities?uidp.children_of=${organization}`,
  roles: `/iam/v2/roles?uidp.children_of=${organization}`,
  bindings: "/iam/v2/roleBindings",
  repos: "/registry/v2/repos",
  tags: `/registry/v2/tags?uidp.children_of=${repo}`,
};

/** The API with a token. */
function apiOf(url: string, token: string) {
  const send = async (method: string, target: string, body?: unknown) => {
    const answer = await fetch(`${url}${target}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // A deletion has no content.
    return [answer.status, JSON.parse((await answer.text()) || "{}") as Record<string, unknown>] as const;
  };
  const make = async (method: string, target: string, body?: unknown) => {
    const [code, json] = await send(method, target, body);
    expect([method, target, code, json]).toMatchObject([method, target, 200, {}]);
    return json;
  };
  const list = async (target: string): Promise<Records> =>
    Object.values(await make("GET", target)).find(Array.isArray) ?? [];
  /** What the API answers about what was there before; times of records as they were. */
  const answers = async (time?: string): Promise<Record<keyof typeof LISTS, Records>> => {
    const found: [string, Records][] = [];
    for (const [name, target] of Object.entries(LISTS))
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as a caller may
      found.push([name, await list(time === undefined ? target : at(target, time))]);
    return Object.fromEntries(found) as Record<keyof typeof LISTS, Records>;
  };
  return { send, make, list, answers };
}
const at = (target: string, time: string): string =>
  `${target}${target.includes("?") ? "&" : "?"}read_time=${encodeURIComponent(time)}`;

/** Since when each list is known, from the answers about a time before. */
async function knownSince({ send }: ReturnType<typeof apiOf>, time: string): Promise<string> {
  const times = new Set<string | undefined>();
  for (const target of Object.values(LISTS)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const [code, json] = await send("GET", at(target, time));
    const error = status.parse(json);
    expect([target, code, codeName(error.code), preconditionViolations(error)]).toMatchObject([
      target,
      400,
      "FAILED_PRECONDITION",
      [{ type: "READ_TIME_UNKNOWN" }],
    ]);
    times.add(errorInfo(error)?.metadata?.["knownSince"]);
  }
  const [since] = times;
  expect([...times]).toEqual([expect.any(String)]);
  return since ?? "";
}

test.each(STATES)(
  "a database of %s starts with this program and answers the same",
  async (last) => {
    const count = migrations.findIndex(({ id }) => id === last) + 1;
    expect(count).toBeGreaterThan(0);
    const port = await freePort();
    const variables = { PORT: String(port), DATA_DIR: directory, SEED: "none", SIGN_UP: "open" };
    const old = await openEmbedded(directory);
    await migrate(old, migrations.slice(0, count));
    await old.transaction((queries) => fill(queries, `http://127.0.0.1:${port}/oidc`, count));
    await old.close();

    const service = await startBuilt(variables);
    const { accessToken } = await signIn(service.url, PERSON);
    const api = apiOf(service.url, accessToken);
    const found = await api.answers();
    const createTime = AT.toISOString();
    expect(found.groups).toMatchObject([
      { uid: organization, name: "old-organization", description: "made long ago", createTime },
      { uid: folder, name: "old-folder", createTime },
    ]);
    expect(found.identities).toMatchObject([{ uid: machine, name: "old-machine", createTime }]);
    expect(found.bindings).toMatchObject([{ roleUid: builtInRoleUid("owner"), createTime }]);
    expect(found.repos).toMatchObject([{ uid: repo, name: "old-repo", createTime }]);
    expect(Object.fromEntries(found.tags.map(({ name, digest: image }) => [name, image]))).toEqual({
      "1.0": digest("a"),
      latest: digest("b"),
    });
    if (count >= 12)
      expect(await api.list("/vulnerabilities/v2/advisories")).toMatchObject([{ uid: advisory }]);
    // The owner of then can do what an owner of today can.
    const made = await api.make("POST", `/iam/v2/groups/${folder}`, { name: "made-today" });
    const keptAt = new Date().toISOString();
    const kept = await api.answers();
    expect(await service.end("SIGTERM")).toBe(0);

    // A second start changes nothing.
    const again = await startBuilt(variables);
    const later = apiOf(again.url, (await signIn(again.url, PERSON)).accessToken);
    expect(await later.answers()).toEqual(kept);
    expect({ ...kept, groups: kept.groups.filter(({ uid }) => uid !== made["uid"]) }).toEqual(found);

    // What was there before the first start is not known, and then what was there at each time.
    const since = await knownSince(later, AT.toISOString());
    const tagOf = (name: string) => String(found.tags.find((tag) => tag["name"] === name)?.["uid"]);
    await later.make("PATCH", `/iam/v2/groups/${folder}?updateMask=description`, { description: "today" });
    await later.make("PATCH", `/registry/v2/repos/${repo}?updateMask=bundles`, { bundles: ["today"] });
    await later.make("POST", `/registry/v2/tags/${repo}`, { name: "latest", digest: digest("c") });
    await later.make("DELETE", `/registry/v2/tags/${tagOf("1.0")}`);
    const role = await later.make("POST", `/iam/v2/roles/${organization}`, {
      name: "today",
      capabilities: ["repo.list"],
    });
    await later.make("POST", `/iam/v2/roleBindings/${folder}`, {
      identityUid: machine,
      roleUid: role["uid"],
    });
    const changedAt = new Date().toISOString();
    const changed = await later.answers();
    expect(changed.tags).toMatchObject([{ name: "latest", digest: digest("c") }]);
    await later.make("DELETE", `/iam/v2/identities/${machine}`);
    expect(await later.answers(since)).toEqual(found);
    expect(await later.answers(keptAt)).toEqual(kept);
    expect(await later.answers(changedAt)).toEqual(changed);
    expect(await again.end("SIGTERM")).toBe(0);

    const database = await openEmbedded(directory);
    const states = await database.query<{ table: string; name: string | null }>(
      `select record_table as table, before ->> 'name' as name from record_states
       where uid like $1 and before is not null order by 1, 2`,
      [`${organization}%`],
    );
    expect(states.map(({ table, name }) => [table, name])).toEqual([
      ["groups", "old-folder"],
      ["identities", "old-machine"],
      ["repos", "old-repo"],
      ["role_bindings", null],
      ["tags", "1.0"],
      ["tags", "latest"],
    ]);
    await database.close();
  },
  240_000,
);
