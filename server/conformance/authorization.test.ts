import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Endpoint } from "platform-contract/endpoint";
import { endpoints, resourceOf } from "platform-contract";

import { builtInRoleUid } from "../domains/access/roles.table";
import { addPulls } from "../domains/registry/registry-usage.table";
import { writeVersions } from "../domains/registry/artifact-writes.table";
import type { Answer } from "../testing/app";
import { OPERATION_BODIES, QUERIES } from "./operation-bodies";
import { BODIES } from "./samples";
import { versionOf } from "./read-only";
import { ARTIFACT, collectionAbove, World, type Input, type Person, type Wire } from "./world";

/** The callers, in column order. Each has a role at one folder, unless stated otherwise. */
const WHO = [
  "owner",
  "editor",
  "viewer",
  "one capability short",
  "only what it needs",
  "viewer of the organization",
  "owner of the folder beside",
  "bound nowhere",
] as const;
type Who = (typeof WHO)[number];

const DIGEST = `sha256:${"a".repeat(64)}`;
/** The parent of a collection's records. */
const above = (collection: string): string => places[collectionAbove(collection)] ?? folder;

let world: World;
let owner: Person;
let folder: string;
let places: Readonly<Record<string, string>> = {};
const people = new Map<Who, Person>();

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("founder");
  const group = (name: string, parent: string) => world.create(owner, "groups", parent, { name });
  const organization = await group("organization", "");
  folder = await group("folder", organization);
  const sibling = await group("sibling", organization);
  const repo = await world.create(owner, "repos", folder, { name: "repo" });
  const provider = BODIES["identityProviders"]!(world, owner, folder);
  places = {
    repos: repo,
    identityProviders: await world.create(owner, "identityProviders", folder, provider),
    subscriptions: await world.create(
      owner,
      "subscriptions",
      folder,
      BODIES["subscriptions"]!(world, owner, folder),
    ),
  };
  await world.service.database.query("insert into manifests values ($1, $2, 'amd64', 1)", [repo, DIGEST]);
  await world.service.database.query(
    "insert into registry_images (repo_uid, digest, media_type, size, looked_at) values ($1, $2, '', 1, now())",
    [repo, DIGEST],
  );
  await world.service.database.query(
    `insert into registry_differences (repository, reference, organization, repo_uid, difference, mended, seen_at)
     values ('organization/repo', '1.0', $1, $2, 'DIFFERENCE_TAG_GONE', true, now())`,
    [organization, repo],
  );
  await writeVersions(world.service.database, [versionOf(ARTIFACT)]);
  const bound = async (who: Who, role: string, at: string) => {
    const person = await world.person(who);
    await world.bind(owner, at, person.uid, role);
    people.set(who, person);
  };
  for (const role of ["owner", "editor", "viewer"] as const) await bound(role, role, folder);
  await bound("viewer of the organization", "viewer", organization);
  await bound("owner of the folder beside", "owner", sibling);
  people.set("bound nowhere", await world.person("nobody"));
});
afterAll(() => world.service.stop());

let made = 0;

const machine = (): Promise<string> =>
  world.create(owner, "identities", folder, { name: "bound", ...world.claims(`bound ${(made += 1)}`) });

/** A folder with a retention rule, or a run of one. */
async function retained(collection: string): Promise<string> {
  const place = await world.create(owner, "groups", folder, { name: "retained" });
  await world.make(owner, "retentionRules.set", { uid: place, body: { olderThanDays: 30 } });
  if (!["retentionRuns", "retentionDeletions"].includes(collection)) return place;
  const run = `${place}/${"0".repeat(16)}`;
  await world.service.database.query(
    `insert into retention_runs (uid, parent, group_uid, version, settings, created_at, ended_at)
     values ($1, $2, $2, 1, '{"olderThanDays": 30}', now(), now())`,
    [run, place],
  );
  return run;
}

/** A review of the folder. */
async function review(by = owner): Promise<string> {
  const body = OPERATION_BODIES["accessReviews.create"]!(world, owner, folder);
  const { uid } = await world.make(by, "accessReviews.create", { parent: folder, body });
  return uid;
}

/** Creates a record to read, change or delete; a new one each time. */
async function target({ collection, verb }: Endpoint): Promise<string> {
  const parent = above(collection);
  if (collection === "auditEntries") {
    const query = { "uidp.descendants_of": folder, page_size: "1" };
    return (await world.make(owner, "auditEntries.list", { query }))["auditEntries"][0]["uid"];
  }
  if (collection === "machineOwners") return machine();
  if (collection === "eligibleGrants") {
    const { uid: identityUid } = await world.person(`eligible ${(made += 1)}`);
    const grant = { identityUid, roleUid: builtInRoleUid("viewer"), maxDuration: "3600s" };
    return world.create(owner, collection, parent, grant);
  }
  if (collection.startsWith("retention")) return retained(collection);
  if (collection === "accessReviews") {
    // A report needs the rights wherever its rows are from: one of the folder's owner has none from further up.
    const uid = await review(verb === "getReport" ? people.get("owner") : owner);
    if (verb === "getReport") await world.make(owner, "accessReviews.close", { uid, body: {} });
    return uid;
  }
  if (collection === "accessReviewItems") {
    // That of a machine: nobody decides about their own access.
    await world.bind(owner, folder, await machine(), "viewer");
    const query = { review: await review(), page_size: "200" };
    const { accessReviewItems } = await world.make(owner, "accessReviewItems.list", { query });
    return accessReviewItems.findLast((one: Wire) => one["machine"] && !one["inherited"])["uid"];
  }
  const body = BODIES[collection]?.(world, owner, parent);
  if (!body || !resourceOf(collection)) return parent;
  if (collection === "roleBindings") {
    // A duplicate binding is rejected.
    const uid = await machine();
    return (await world.make(owner, "roleBindings.create", { parent, body: { ...body, identityUid: uid } }))[
      "uid"
    ];
  }
  if (collection === "groupInvites") {
    // Updating an invite grants its role again: use a role that grants no more than the caller has.
    const role = { name: `given-${(made += 1)}`, capabilities: ["CAP_IAM_ROLE_BINDINGS_CREATE"] };
    const { uid: roleUid } = await world.make(owner, "roles.create", { parent, body: role });
    return world.create(owner, collection, parent, { ...body, roleUid });
  }
  const name = `target-${(made += 1)}`;
  const home = await world.room(owner, collection, parent);
  return world.create(owner, collection, home, { ...body, name });
}

/** A request that would succeed; a create has an empty body, since authorization comes before validation. */
async function inputOf(endpoint: Endpoint): Promise<Input> {
  const parent = above(endpoint.collection);
  const query = QUERIES[endpoint.id] ?? {};
  // If the body contains the parent or the documents, it contains nothing else.
  const body = endpoint.id in OPERATION_BODIES ? { parent, documentIds: [] } : {};
  return { uid: await target(endpoint), parent, digest: DIGEST, query, ...(endpoint.body && { body }) };
}

const MAY = "yes";
const MAY_NOT = "–";

let held = 0;

/** For lists that are not of a resource: the query for what is in the folder, and whether a response shows it. */
const OTHER_LISTS: Readonly<
  Record<string, { ask: () => Promise<Record<string, string>>; shown: (answer: Answer) => boolean }>
> = {
  "documents.list": {
    ask: async () => ({
      "uidp.ids": await world.create(owner, "advisories", folder, { name: "documented" }),
    }),
    shown: ({ json }) => (json["documents"] as unknown[]).length === 1,
  },
  // Nobody here signs in with the provider of a verified organization.
  "groups.lookupGroup": { ask: async () => ({}), shown: ({ status }) => status === 404 },
  "groups.offered": { ask: async () => ({}), shown: ({ status }) => status === 200 },
  "eligibleGrants.own": { ask: async () => ({}), shown: ({ status }) => status === 200 },
  "accessRequests.list": {
    ask: async () => {
      const asker = await world.person("asker");
      await world.send(asker.token, "groups.requestGroupAccess", { uid: folder, body: {} });
      return { "uidp.descendants_of": folder };
    },
    // Others have asked for groups below.
    shown: ({ json }) => (json["accessRequests"] as unknown[]).length > 0,
  },
  "vulnerabilityMetadata.list": { ask: async () => ({}), shown: ({ status }) => status === 200 },
  "artifacts.list": {
    ask: async () => QUERIES["artifacts.list"] ?? {},
    shown: ({ json }) => (json["artifacts"] as unknown[]).length === 1,
  },
  "artifacts.count": {
    ask: async () => QUERIES["artifacts.count"] ?? {},
    shown: ({ json }) => (json["counts"] as Wire[])[0]?.["totalCount"] === "1",
  },
  "artifactVersions.list": { ask: async () => ({}), shown: ({ status }) => status === 200 },
  // About somebody else.
  "accessDecisions.get": {
    ask: async () => ({ uid: folder, capabilities: "repo.list", identity: owner.uid }),
    shown: ({ status }) => status === 200,
  },
  "accessReviewItems.list": {
    ask: async () => ({ review: await review() }),
    shown: ({ json }) => ((json["accessReviewItems"] ?? []) as unknown[]).length > 0,
  },
  "machineOwners.list": {
    ask: async () => {
      const uid = await machine();
      await world.make(owner, "machineOwners.set", { uid, body: { ownerUid: owner.uid } });
      return { identity: uid };
    },
    shown: ({ json }) => ((json["machineOwners"] ?? []) as unknown[]).length === 1,
  },
  // What the owner did here.
  "capabilityUse.list": {
    ask: async () => {
      await world.service.writeCounts();
      return { "uidp.descendants_of": folder, identity: owner.uid };
    },
    shown: ({ json }) => ((json["capabilityUse"] ?? []) as unknown[]).length > 0,
  },
  "auditAccess.get": {
    ask: async () => ({ group: folder, time: new Date().toISOString() }),
    // Over gRPC, an empty list is left out.
    shown: ({ json }) => ((json["held"] ?? []) as unknown[]).length > 0,
  },
  "auditHeads.get": {
    ask: async () => ({}),
    shown: ({ json }) => ((json["heads"] ?? []) as unknown[]).length > 0,
  },
  "auditEntries.list": {
    ask: async () => ({ "uidp.descendants_of": folder, action: "groups.create", page_size: "1" }),
    shown: ({ json }) => (json["auditEntries"] as unknown[]).length === 1,
  },
  "registryUsage.get": {
    ask: async () => {
      const repo = await world.create(owner, "repos", folder, { name: `pulled-${(held += 1)}` });
      const [first, last] = [new Date(), new Date()];
      await addPulls(world.service.database, [
        { repo, tag: null, digest: DIGEST, identity: owner.uid, first, last, asked: 0, downloaded: 1 },
      ]);
      return { "uidp.descendants_of": folder, by: "USAGE_GROUPING_REPO" };
    },
    shown: ({ json }) => ((json["usage"] ?? []) as unknown[]).length > 0,
  },
  "registryImages.differences": {
    ask: async () => ({ "uidp.descendants_of": folder }),
    shown: ({ json }) => ((json["differences"] ?? []) as unknown[]).length > 0,
  },
  // Nothing is known of the packages of its images.
  "packageTags.list": {
    ask: async () => {
      const repo = await world.create(owner, "repos", folder, { name: `held-${(held += 1)}` });
      await world.create(owner, "tags", repo, { name: "latest", digest: DIGEST });
      return { aliases: "CVE-2026-1", verdict: "VERSION_VERDICT_UNKNOWN", "uidp.descendants_of": repo };
    },
    shown: ({ json }) => ((json["packageTags"] ?? []) as unknown[]).length === 1,
  },
  // A repo that the caller cannot see is rejected like one that does not exist.
  "resolvedVulnsReports.list": {
    ask: async () => ({ ...QUERIES["resolvedVulnsReports.list"], imageRefs: above("tags") }),
    shown: ({ status }) => status === 200,
  },
};

/** The last denied input, by operation: its record is unchanged, so the next caller can reuse it. */
const untouched = new Map<string, Input>();

async function outcome(endpoint: Endpoint, { token }: Person): Promise<string> {
  const other = OTHER_LISTS[endpoint.id];
  if (other)
    return other.shown(await world.send(token, endpoint.id, { query: await other.ask() })) ? MAY : MAY_NOT;
  const input = untouched.get(endpoint.id) ?? (await inputOf(endpoint));
  // Only that record: a page may contain others.
  const isList = endpoint.access.at === "visible";
  const asked = isList ? { query: { "uidp.ids": input.uid ?? "" } } : input;
  const answer = await world.send(token, endpoint.id, asked);
  const refused = answer.status === 403;
  if (refused || endpoint.method === "GET") untouched.set(endpoint.id, input);
  else untouched.delete(endpoint.id);
  if (refused) return MAY_NOT;
  // Nobody here waits for an answer: the error is the same for everybody.
  // And nobody else's eligible grant exists for them.
  const none = ["groups.acceptAccess", "eligibleGrants.activate"].includes(endpoint.id) ? [404] : [];
  expect([200, 400, ...none], `${endpoint.id}: ${answer.bytes.toString()}`).toContain(answer.status);
  if (!isList) return MAY;
  const rows = answer.json[endpoint.collection] as { uid: string }[];
  return rows.some(({ uid }) => uid === input.uid) ? MAY : MAY_NOT;
}

/** The callers of a column; for "one capability short", one caller for each needed capability, who has all others. */
async function peopleFor(who: Who, { id, access }: Endpoint): Promise<Person[]> {
  const every = new Set(endpoints.flatMap(({ access: { needs } }) => [...needs] as string[]));
  const needs: readonly string[] = access.needs;
  const holder = (name: string, held: readonly string[]) =>
    world.holder(owner, `${name} ${id}`, held, folder);
  if (who === "one capability short" && needs.length > 0)
    return Promise.all(
      needs.map((short, index) =>
        holder(
          `short ${index}`,
          [...every].filter((one) => one !== short),
        ),
      ),
    );
  if (who === "only what it needs" && needs.length > 0) return [await holder("only", needs)];
  return [people.get(who) ?? (people.get("bound nowhere") as Person)];
}

/** Resources outside any group, and the one log of an organization: a capability held anywhere shows them. */
const HELD_ANYWHERE = /^(?:artifact(?:s|Versions)|auditHeads)\./;

const roles = new Map<string, ReadonlySet<string>>();

/** A built-in role's capabilities, as reported by the service. */
async function capabilitiesOf(role: string): Promise<ReadonlySet<string>> {
  const known = roles.get(role);
  if (known) return known;
  const query = { name: role, "uidp.in_root": "true" };
  const { roles: found } = await world.make(owner, "roles.list", { query });
  const held = new Set<string>(found[0].capabilities);
  roles.set(role, held);
  return held;
}

/** The outcome according to the contract: by the role's capabilities, at the folder or above it. */
async function expected(who: Who, { id, access }: Endpoint): Promise<string> {
  if (access.at === "anyone") return MAY;
  if (who === "only what it needs") return MAY;
  const beside = who === "owner of the folder beside" && HELD_ANYWHERE.test(id);
  const role = beside ? "owner" : who === "viewer of the organization" ? "viewer" : who;
  if (!["owner", "editor", "viewer"].includes(role)) return MAY_NOT;
  const held = await capabilitiesOf(role);
  return access.needs.every((capability) => held.has(capability)) ? MAY : MAY_NOT;
}

const checked = endpoints.filter(({ isToken }) => !isToken);
const lines: string[] = [];

test.each(checked)("$id lets in whom the contract says and nobody else", async (endpoint) => {
  const cells: string[] = [];
  for (const who of WHO) {
    const right = await expected(who, endpoint);
    for (const person of await peopleFor(who, endpoint)) {
      const seen = await outcome(endpoint, person);
      expect({ operation: endpoint.id, who, seen }).toEqual({ operation: endpoint.id, who, seen: right });
    }
    cells.push(right);
  }
  const needs = endpoint.access.needs.map((capability) => `\`${capability}\``).join(", ") || "a valid token";
  lines.push(`| \`${endpoint.id}\` | ${needs} | ${cells.join(" | ")} |`);
});

// Only a whole table is written.
test("docs/authorization.md says what was seen", async () => {
  expect(lines).toHaveLength(checked.length);
  await writeFile(
    new URL("../../docs/authorization.md", import.meta.url),
    `${[
      "# Who may do what",
      "",
      "Seen on the service by `server/conformance/authorization.test.ts`. The callers of all columns but the last three have a",
      'role at the folder of the request. For a list, "yes" means that it shows the record. "One capability short" has all',
      "capabilities but one of those needed, each in turn. `/sts/exchange` is not in the table: it needs the token of a",
      "workload, and gives at most the rights of the identity that this token matches. Neither is how long a role lasts:",
      "whoever holds what an operation needs only until a moment gives access until then at most, and nothing that has no",
      "end ([access for a time](decisions/access.md#access-for-a-time)).",
      "",
      `| operation | needs | ${WHO.join(" | ")} |`,
      `|---|---|${WHO.map(() => ":---:").join("|")}|`,
      ...lines,
    ].join("\n")}\n`,
  );
});
