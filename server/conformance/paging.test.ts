import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { resources } from "platform-contract";

import { tableOf } from "../platform/standard/children.table";
import { builtInRoleUid } from "../domains/access/roles.table";
import { LONG } from "../testing/long";
import { BODIES } from "./samples";
import { READ_ONLY } from "./read-only";
import { collectionAbove, World, type Person, type Wire } from "./world";

// Rows that stay and rows that come, go and change, created alternately: they alternate in every order.
const STAYING = 6;
const PAGE = "3";
// One list for each way of reading rows: below a group, with rows of others, below a repo.
const LISTS = resources.filter(
  ({ collection }) => LONG || ["groups", "roleBindings", "tags"].includes(collection),
);

let world: World;
let owner: Person;
let organization: string;

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  organization = await world.create(owner, "groups", "", { name: "organization" });
});
afterAll(() => world.service.stop());

/** A list being read page by page. */
interface Walk {
  readonly order: string;
  readonly expected: readonly string[];
  readonly found: string[];
  /** Undefined once the last page was read. */
  token: string | undefined;
}

describe.each(LISTS.map(({ collection, sortable }) => [collection, sortable] as const))(
  "the list of %s",
  (name, sortable) => {
    const make = (collection: string, parent: string, body: Wire) =>
      world.create(owner, collection, parent, body);
    let serial = 0;

    async function create(parent: string, title: string): Promise<string> {
      const body = BODIES[name]!(world, owner, parent);
      serial += 1;
      if (name === "groupInvites") return make(name, parent, { ...body, email: `${title}@example.com` });
      if (name !== "roleBindings")
        return make(name, await world.room(owner, name, parent), { ...body, name: title });
      const bot = { name: title, ...world.claims(`bot ${serial}`) };
      return make(name, parent, { ...body, identityUid: await make("identities", parent, bot) });
    }

    /** Moves a record in as many orders as possible: by name if it can change, and always by update time. */
    async function change(row: Wire, round: number): Promise<void> {
      const uid = row["uid"] as string;
      if (READ_ONLY[name])
        return READ_ONLY[name].change(world.service.database, uid, `${"az"[round % 2]}-moved-${round}`);
      if (name === "tags") {
        const body = { name: row["name"], digest: `sha256:${String(round % 10).repeat(64)}` };
        await world.make(owner, "tags.create", { parent: uid.slice(0, -17), body });
      } else if (resources.some((resource) => resource.collection === name && "update" in resource)) {
        const role = builtInRoleUid(round % 2 === 0 ? "editor" : "viewer");
        const moved = `${"az"[round % 2]}-moved-${round}`;
        const body = {
          roleBindings: { roleUid: role },
          externalGroupRoleMappings: { roleUid: role },
          groupInvites: { email: `${moved}@example.com`, ttl: "90s" },
        }[name] ?? { name: moved };
        await world.make(owner, `${name}.update`, { uid, body });
      }
    }

    test("holds what stays once and in order, while other rows come, go and change between the pages", async () => {
      const scope = await make("groups", organization, { name: `${name} here` });
      const folders = [scope, await make("groups", scope, { name: "below" })];
      const parents =
        collectionAbove(name) === "repos"
          ? await Promise.all(folders.map((folder) => make("repos", folder, { name: "repo" })))
          : collectionAbove(name) === "identityProviders"
            ? await Promise.all(
                folders.map((folder) =>
                  make("identityProviders", folder, BODIES["identityProviders"]!(world, owner, folder)),
                ),
              )
            : folders;
      const passing = new Set<string>();
      for (let index = 0; index < STAYING; index++) {
        // Each name occurs twice, once in each parent.
        const title = `${"bcd"[index % 3]}-same`;
        await create(parents[index < 3 ? 0 : 1]!, title);
        passing.add(await create(parents[index % 2]!, `${title}-${index}`));
      }
      const table = tableOf(name);
      // Equal times as well, which callers cannot create on purpose.
      await world.service.database.query(
        `update ${table} set created_at = $2, updated_at = $2
         where uid in (select uid from ${table} where uid like $1 || '/%' order by right(uid, 16) limit 5)`,
        [scope, new Date("2026-01-01T00:00:00.000Z")],
      );
      const list = async (query: Wire): Promise<Wire> =>
        world.make(owner, `${name}.list`, { query: { "uidp.descendants_of": scope, ...query } });
      const orders = sortable.flatMap((field) => [field, `${field} desc`]);
      const walks = await Promise.all(
        orders.map(async (order): Promise<Walk> => {
          const rows: Wire[] = (await list({ order_by: order, page_size: "200" }))[name];
          const expected = rows.map(({ uid }) => uid).filter((uid) => !passing.has(uid));
          expect(expected.length).toBeGreaterThanOrEqual(STAYING);
          return { order, expected, found: [], token: "" };
        }),
      );

      for (let round = 0; walks.some(({ token }) => token !== undefined); round++) {
        expect(round).toBeLessThan(60);
        const last: Wire[] = [];
        const read = walks.map(async (walk) => {
          if (walk.token === undefined) return;
          const query = {
            order_by: walk.order,
            page_size: PAGE,
            ...(walk.token && { page_token: walk.token }),
          };
          const page = await list(query);
          walk.found.push(...page[name].map(({ uid }: Wire) => uid));
          walk.token = page["nextPageToken"];
          const end: Wire | undefined = page[name].at(-1);
          if (end && passing.has(end["uid"])) last.push(end);
        });
        // A row is added while pages are read; then the last rows of these pages are deleted or moved.
        const born = create(parents[round % 2]!, `${"abcdef"[round % 6]}-new-${round}`);
        await Promise.all(read);
        passing.add(await born);
        const [going, moving] = [...new Map(last.map((row) => [row["uid"] as string, row])).values()];
        if (going) {
          passing.delete(going["uid"]);
          if (READ_ONLY[name]) await READ_ONLY[name].remove(world.service.database, going["uid"]);
          else await world.make(owner, `${name}.delete`, { uid: going["uid"] });
        }
        if (moving) await change(moving, round);
      }
      for (const { order, expected, found } of walks) {
        const stayed = new Set(expected);
        expect({ order, uids: found.filter((uid) => stayed.has(uid)) }).toEqual({ order, uids: expected });
      }
    });
  },
);
