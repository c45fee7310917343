import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "vitest";

import { World, type Person, type Wire } from "../conformance/world";
import { builtInRoleUid } from "../domains/access/roles.table";
import { random } from "./random";

const COLLECTIONS = ["groups", "identities", "roles", "roleBindings", "repos", "tags"] as const;
type Collection = (typeof COLLECTIONS)[number];

const ALL_TAGS = { includeDates: "true", includeEpochs: "true", includeReferrers: "true" };

/** What the log does not tell is not answered as of a time. */
const told = (text: string): string => text.replaceAll(/,?"lastSeenTime":"[^"]*"/g, "");

/** An answer as it came: its status and bytes. */
type Kept = readonly [id: string, input: Parameters<World["send"]>[2], text: string];

interface Moment {
  readonly time: string;
  readonly kept: readonly Kept[];
}

/** An organization that changes at random through the API, and what the API answered after each change. */
export class Changing {
  readonly moments: Moment[] = [];
  readonly done = new Map<string, number>();
  private readonly roll: () => number;
  private readonly gone: [Collection, string, Wire][] = [];
  private number = 0;

  private constructor(
    readonly world: World,
    readonly owner: Person,
    readonly people: readonly Person[],
    readonly organization: string,
    seed: number,
  ) {
    this.roll = random(seed);
  }

  static async open(world: World, seed: number): Promise<Changing> {
    const owner = await world.person(`owner ${seed}`);
    const people = [await world.person(`first ${seed}`), await world.person(`second ${seed}`)];
    const organization = await world.create(owner, "groups", "", { name: `organization ${seed}` });
    return new Changing(world, owner, people, organization, seed);
  }

  private pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.roll() * from.length)];
  }

  private async all(collection: Collection): Promise<Wire[]> {
    const query = { "uidp.descendants_of": this.organization, page_size: "200", ...ALL_TAGS };
    return (await this.world.make(this.owner, `${collection}.list`, { query }))[collection] as Wire[];
  }

  private async group(): Promise<string> {
    return this.pick([this.organization, ...(await this.all("groups")).map(({ uid }) => String(uid))]) ?? "";
  }

  private async one(collection: Collection): Promise<Wire | undefined> {
    // Without their own role there the owner could not go on.
    return this.pick(
      (await this.all(collection)).filter(({ identityUid }) => identityUid !== this.owner.uid),
    );
  }

  /** Values of a new record; undefined if there is nothing to put it into. */
  private async body(collection: Collection): Promise<readonly [parent: string, body: Wire] | undefined> {
    this.number += 1;
    const name = `${this.pick(["alpha", "beta", "gamma"])}-${this.number % 40}`;
    const description = this.pick(["", "one", "two", "ü ".repeat(1_500)]);
    if (collection === "tags") {
      const repo = await this.one("repos");
      const digest = `sha256:${String(Math.floor(this.roll() * 9)).repeat(64)}`;
      const deprecated = this.roll() < 0.5;
      const tag = this.pick(["latest", "1.0", "1.0-r3", "edge-20261130", "next"]);
      return repo && [repo["uid"], { name: tag, digest, deprecated, bundles: deprecated ? ["a", "b"] : [] }];
    }
    const parent = await this.group();
    if (collection === "groups") return [parent, { name, description }];
    if (collection === "identities")
      return [parent, { name, description, ...this.world.claims(`${name} ${this.number}`) }];
    if (collection === "roles")
      return [
        parent,
        {
          name,
          description,
          capabilities: this.pick([["CAP_REPO_LIST"], ["CAP_TAG_LIST", "CAP_REPO_LIST"]]),
        },
      ];
    if (collection === "repos") {
      const source = this.roll() < 0.3 ? (await this.one("repos"))?.["uid"] : undefined;
      return [parent, { name, description, ...(source ? { sync_config: { source } } : { bundles: [name] }) }];
    }
    const identity =
      this.roll() < 0.4
        ? this.pick(this.people)?.uid
        : ((await this.one("identities"))?.["uid"] as string | undefined);
    const role = this.roll() < 0.5 ? builtInRoleUid("viewer") : (await this.one("roles"))?.["uid"];
    const end = new Date(Date.now() + 86_400_000).toISOString();
    return identity && role
      ? [parent, { identityUid: identity, roleUid: role, ...(this.roll() < 0.3 && { expirationTime: end }) }]
      : undefined;
  }

  private async send(what: string, id: string, input: Parameters<World["send"]>[2]): Promise<number> {
    const { status, bytes } = await this.world.send(this.owner.token, id, input);
    if (status >= 500) throw new Error(`${id}: ${bytes.toString()}`);
    if (status === 200) this.done.set(what, (this.done.get(what) ?? 0) + 1);
    return status;
  }

  private async remove(collection: Collection): Promise<void> {
    const one = await this.one(collection);
    if (!one) return;
    if ((await this.send(`delete ${collection}`, `${collection}.delete`, { uid: one["uid"] })) === 200)
      this.gone.push([collection, String(one["uid"]).replace(/\/\w*$/, ""), one]);
  }

  /** Empties a folder, deepest first, and deletes it: what a plan of the console does. */
  private async removeWhole(): Promise<void> {
    const top = await this.one("groups");
    if (!top) return;
    for (const collection of ["roleBindings", "tags", "repos", "identities", "roles", "groups"] as const) {
      const within = (await this.all(collection)).filter(({ uid }) =>
        String(uid).startsWith(`${top["uid"]}/`),
      );
      for (const { uid } of within.toSorted((a, b) => b["uid"].length - a["uid"].length))
        // oxlint-disable-next-line no-await-in-loop -- in order
        await this.send(`delete ${collection}`, `${collection}.delete`, { uid });
    }
    await this.send("delete a whole folder", "groups.delete", { uid: top["uid"] });
  }

  private async update(collection: Collection): Promise<void> {
    const [one, made] = [await this.one(collection), await this.body(collection)];
    if (!one || !made) return;
    if (collection === "tags")
      return void (await this.send("move tags", "tags.create", {
        parent: one["uid"].replace(/\/\w*$/, ""),
        body: { ...made[1], name: one["name"] },
      }));
    const uid = one["uid"];
    await this.send(`update ${collection}`, `${collection}.update`, { uid, body: made[1] });
    // An undo: the values before.
    if (this.roll() < 0.3) {
      const { uid: _u, createTime: _c, updateTime: _t, lastSeenTime: _l, ...before } = one;
      await this.send(`undo ${collection}`, `${collection}.update`, { uid, body: before });
    }
  }

  /** One operation, whatever the service says to it. */
  private async change(): Promise<void> {
    const collection = this.pick(COLLECTIONS) ?? "groups";
    const kind = this.roll();
    if (kind < 0.45) {
      const made = await this.body(collection);
      if (made)
        await this.send(`create ${collection}`, `${collection}.create`, { parent: made[0], body: made[1] });
    } else if (kind < 0.7) await this.update(collection);
    else if (kind < 0.88) await this.remove(collection);
    else if (kind < 0.94) {
      const [again] = this.gone.splice(-1);
      const { uid: _u, createTime: _c, updateTime: _t, lastSeenTime: _l, ...body } = again?.[2] ?? {};
      if (again) await this.send(`make ${again[0]} again`, `${again[0]}.create`, { parent: again[1], body });
    } else if (kind < 0.97) await this.removeWhole();
    else {
      const repo = await this.one("repos");
      if (repo)
        await this.send("write a readme", "repos.updateReadme", {
          uid: repo["uid"],
          body: { content: `# ${this.number}` },
        });
    }
  }

  private async ask(id: string, input: Parameters<World["send"]>[2]): Promise<Kept> {
    const { status, bytes } = await this.world.send(this.owner.token, id, input);
    return [id, input, `${status} ${told(bytes.toString())}`];
  }

  /** Everything that the API answers now, and when that was. */
  private async look(): Promise<Moment> {
    const kept: Kept[] = [];
    for (const collection of COLLECTIONS) {
      const order_by = this.pick(["uid", "name", "created_at desc", "updated_at", "name desc"]) ?? "uid";
      const scopes = [
        { "uidp.descendants_of": this.organization },
        { "uidp.children_of": await this.group() },
        {},
      ];
      for (const scope of scopes)
        kept.push(
          // oxlint-disable-next-line no-await-in-loop -- one caller
          await this.ask(`${collection}.list`, {
            query: {
              ...(scope as Record<string, string>),
              page_size: "200",
              order_by,
              ...(this.roll() < 0.5 && collection === "tags" && ALL_TAGS),
            },
          }),
        );
      const one = this.roll() < 0.8 ? await this.one(collection) : undefined;
      const uid = one?.["uid"] ?? this.gone.findLast(([of]) => of === collection)?.[2]["uid"];
      if (uid) kept.push(await this.ask(`${collection}.get`, { uid }));
    }
    return { time: new Date().toISOString(), kept };
  }

  /** Changes something and looks, so often. */
  async run(operations: number): Promise<void> {
    for (let n = 0; n < operations; n += 1) {
      // A change within the millisecond of a look would count as made before it.
      await sleep(2);
      await this.change();
      this.moments.push(await this.look());
    }
  }

  /** Asks for random moments again, as of then, and expects the same bytes. Returns how many answers were compared. */
  async compare(moments: number): Promise<number> {
    let compared = 0;
    for (let n = 0; n < moments; n += 1) {
      const { time, kept } = this.pick(this.moments)!;
      for (const [id, input, text] of kept) {
        const query = { ...input?.query, read_time: time };
        const [, , then] = await this.ask(id, { ...input, query });
        expect(then, `${id} ${JSON.stringify(query)}`).toBe(text);
        compared += 1;
      }
    }
    return compared;
  }

  private async rowsOf(id: string, query: Record<string, string>): Promise<Listed> {
    const rows: Wire[] = [];
    const differences: Wire[] = [];
    for (let page_token = ""; ;) {
      // oxlint-disable-next-line no-await-in-loop -- page by page
      const { json, bytes } = await this.world.send(this.owner.token, id, {
        query: { ...query, ...(page_token && { page_token }) },
      });
      const found = json[id.split(".", 1)[0] ?? ""];
      if (json["code"] !== undefined) throw new Error(bytes.toString());
      rows.push(...((found ?? []) as Wire[]));
      differences.push(...((json["differences"] ?? []) as Wire[]));
      page_token = String(json["nextPageToken"] ?? "");
      if (page_token === "") return { rows, differences };
    }
  }

  /** Compares lists as of random moments with others, and expects what two reads tell. Returns how many differences. */
  async contrast(pairs: number): Promise<number> {
    let differences = 0;
    for (let n = 0; n < pairs; n += 1) {
      const [one, other] = [this.pick(this.moments)!, this.pick(this.moments)!];
      for (const [id, input] of one.kept) {
        if (!id.endsWith(".list")) continue;
        const asked = { ...input?.query, page_size: String(1 + Math.floor(this.roll() * 60)) };
        const there = await this.rowsOf(id, { ...asked, read_time: one.time });
        const elsewhere = await this.rowsOf(id, { ...asked, read_time: other.time });
        const found = await this.rowsOf(id, { ...asked, read_time: one.time, compare_time: other.time });
        const expected = expectedOf(there.rows, elsewhere.rows, one.time < other.time);
        const label = `${id} ${JSON.stringify({ ...asked, read_time: one.time, compare_time: other.time })}`;
        expect(byUid(found.rows), label).toEqual(byUid(expected.rows));
        expect(byUid(found.differences), label).toEqual(byUid(expected.differences));
        const uids = new Set(there.rows.map(({ uid }) => uid));
        expect(
          found.rows.filter(({ uid }) => uids.has(uid)),
          label,
        ).toEqual(there.rows);
        differences += found.differences.length;
      }
    }
    return differences;
  }
}

interface Listed {
  readonly rows: readonly Wire[];
  readonly differences: readonly Wire[];
}

const byUid = (rows: readonly Wire[]): Wire[] =>
  rows.toSorted((a, b) => (String(a["uid"]) < String(b["uid"]) ? -1 : 1));

/** What a list as of one moment tells, compared with the same as of another. */
function expectedOf(rows: readonly Wire[], others: readonly Wire[], isEarlier: boolean): Listed {
  const [here, there] = [rows, others].map((all) => new Map(all.map((row) => [row["uid"], row])));
  const change = (kind: string) => `RECORD_CHANGE_${kind}`;
  const onlyHere = rows.filter(({ uid }) => !there!.has(uid));
  const onlyThere = others.filter(({ uid }) => !here!.has(uid));
  const updated = rows.flatMap((row) => {
    const other = there!.get(row["uid"]);
    const keys = other ? new Set([...Object.keys(row), ...Object.keys(other)]) : new Set<string>();
    const fields = [...keys].filter(
      (key) => key !== "updateTime" && JSON.stringify(row[key]) !== JSON.stringify(other?.[key]),
    );
    return fields.length > 0 ? [{ uid: row["uid"], change: change("UPDATED"), fields }] : [];
  });
  return {
    rows: [...rows, ...onlyThere],
    differences: [
      ...updated,
      ...onlyHere.map(({ uid }) => ({ uid, change: change(isEarlier ? "DELETED" : "CREATED") })),
      ...onlyThere.map(({ uid }) => ({ uid, change: change(isEarlier ? "CREATED" : "DELETED") })),
    ],
  };
}
