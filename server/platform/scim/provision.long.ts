import { afterAll, beforeAll, expect, test } from "vitest";

import { World, type Person, type Wire } from "../../conformance/world";
import { BODIES } from "../../conformance/samples";
import { openDirectory, patchOf, userBody, type TestDirectory } from "../../testing/scim";

const USERS = 500;
const GROUPS = 20;
/** As many as a directory sends. */
const AT_ONCE = 8;
const MINUTES = 10 * 60_000;

let world: World;
let owner: Person;
let organization: string;
let provider: string;
let directory: TestDirectory;

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  organization = await world.create(owner, "groups", "", { name: "acme" });
  provider = await world.create(
    owner,
    "identityProviders",
    organization,
    BODIES["identityProviders"]!(world, owner, organization),
  );
  directory = await openDirectory(world, owner, provider);
}, MINUTES);
afterAll(() => world.service.stop());

/** The directory's own truth. */
interface Entry {
  name: string;
  id: string;
  active: boolean;
  group: number;
}
const people: Entry[] = [];
const groups: { id: string; role: string }[] = [];

async function inTurns<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<unknown>,
): Promise<void> {
  const left = [...items.entries()];
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Who has which of the mapped roles, as the API lists it. */
async function held(): Promise<string[]> {
  const found: string[] = [];
  for (let token: string | undefined = ""; token !== undefined;) {
    const query: Record<string, string> = {
      "uidp.descendants_of": organization,
      page_size: "200",
      ...(token && { page_token: token }),
    };
    const page: Wire = await world.make(owner, "roleBindings.list", { query });
    for (const { role, identity } of page["roleBindings"] as Wire[])
      if (String(role.name).startsWith("team-")) found.push(`${identity.name} ${role.name}`);
    token = page["nextPageToken"] || undefined;
  }
  return found.toSorted();
}

/** Users as SCIM lists them, by pages. */
async function listed(): Promise<string[]> {
  const found: string[] = [];
  for (let start = 1; ; start += 100) {
    const { Resources, totalResults } = await directory.get(`/Users?startIndex=${start}&count=100`);
    for (const { displayName, active, groups: own = [] } of Resources as Wire[])
      found.push(`${displayName} ${active} ${(own as Wire[]).map(({ display }) => display).join()}`);
    if (start + 99 >= totalResults) return found.toSorted();
  }
}

/** The API and SCIM say the same as the directory. */
async function expectSame(): Promise<void> {
  const active = people.filter((one) => one.active);
  expect(await held()).toEqual(active.map(({ name, group }) => `${name} team-${group}`).toSorted());
  expect(await listed()).toEqual(
    people.map(({ name, active: is, group }) => `${name} ${is} Team ${group}`).toSorted(),
  );
}

test(
  "500 people in 20 groups, deactivated, renamed, moved, with a token rotated under load: the API says what the directory does",
  async () => {
    for (let index = 0; index < GROUPS; index += 1) {
      const body = { name: `team-${index}`, capabilities: ["groups.list"] };
      const role = await world.create(owner, "roles", organization, body);
      await world.create(owner, "externalGroupRoleMappings", provider, {
        externalGroupId: `object-${index}`,
        roleUid: role,
        scope: organization,
      });
      groups.push({ id: "", role });
    }
    const numbers = Array.from({ length: USERS }, (_, index) => index);
    await inTurns(numbers, async (index) => {
      const name = `person-${index}`;
      const { id } = await directory.make("POST", "/Users", userBody(name));
      people.push({ name, id, active: true, group: index % GROUPS });
    });
    await inTurns(groups, async (group, index) => {
      const members = people.filter((one) => one.group === index).map(({ id }) => ({ value: id }));
      const body = { displayName: `Team ${index}`, externalId: `object-${index}`, members };
      group.id = (await directory.make("POST", "/Groups", body))["id"];
    });
    await expectSame();

    const leavers = people.filter((_, index) => index % 5 === 0);
    await inTurns(leavers, async (one) => {
      await directory.make(
        "PATCH",
        `/Users/${one.id}`,
        patchOf({ op: "Replace", path: "active", value: "False" }),
      );
      one.active = false;
    });
    await expectSame();

    await inTurns(
      people.filter((_, index) => index % 4 === 1),
      async (one) => {
        const name = `${one.name}-renamed`;
        await directory.make(
          "PATCH",
          `/Users/${one.id}`,
          patchOf({ op: "replace", value: { displayName: name } }),
        );
        one.name = name;
      },
    );
    await expectSame();

    // Between groups, and back to active, while the token is replaced four times: no request fails.
    const statuses = new Map<number, number>();
    const rotate = async () => {
      const { scim } = await world.make(owner, "identityProviders.get", { uid: provider });
      const body = { etag: scim.etag, overlap: "60s" };
      const next = await world.make(owner, "identityProviders.regenerateScimToken", { uid: provider, body });
      directory.token = next["token"];
    };
    const send = async (path: string, body: Wire) => {
      const { status } = await directory.call("PATCH", path, body);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    };
    await inTurns(people, async (one, index) => {
      // The others' requests go on meanwhile.
      if (index % 120 === 60) await rotate();
      if (index % 3 === 0) {
        const to = (one.group + 7) % GROUPS;
        await send(
          `/Groups/${groups[to]!.id}`,
          patchOf({ op: "Add", path: "members", value: [{ value: one.id }] }),
        );
        const path = `members[value eq "${one.id}"]`;
        await send(`/Groups/${groups[one.group]!.id}`, patchOf({ op: "Remove", path }));
        one.group = to;
      } else if (!one.active) {
        await send(`/Users/${one.id}`, patchOf({ op: "replace", value: { active: true } }));
        one.active = true;
      }
    });
    expect([...statuses.keys()].toSorted()).toEqual([200, 204]);
    await expectSame();

    const removed = people.splice(0, 50);
    await inTurns(removed, ({ id }) => directory.make("DELETE", `/Users/${id}`));
    await expectSame();
    const { userCount, activeUserCount, groupCount } = await world.make(
      owner,
      "identityProviders.getPushed",
      {
        uid: provider,
      },
    );
    expect([userCount, activeUserCount, groupCount]).toEqual([
      people.length,
      people.filter((one) => one.active).length,
      GROUPS,
    ]);
  },
  MINUTES,
);
