import { createHash } from "node:crypto";

/**
 * A large organization as data: which groups and identities there are, by index alone. The same options give the same
 * uids, names and times on every machine.
 */

export interface ScaleSize {
  /** All groups, the organization itself included. */
  readonly groups: number;
  /** Levels of groups; the organization is the first. */
  readonly depth: number;
  readonly identities: number;
  /** Role bindings of identities, each at the group that holds the identity. */
  readonly bindings: number;
}

export interface PlannedGroup {
  readonly uid: string;
  readonly parent: string | null;
  readonly name: string;
  readonly description: string;
  readonly created: Date;
  readonly updated: Date;
}

export interface PlannedIdentity extends PlannedGroup {
  readonly parent: string;
  readonly issuer: string;
  readonly subject: string;
  /** Null or the time of creation for one that was never used. */
  readonly seen: Date | null;
}

export const SCALE = "scale";
/** Built-in roles that identities hold: at most so many bindings for each of them. */
export const ROLES = ["viewer", "editor", "registry.pull"];
/** From so many groups on, one of them has WIDE_CHILDREN children of its own. */
export const WIDE_FROM = 20_000;
export const WIDE_CHILDREN = 10_000;

export const START = Date.UTC(2023, 0, 1);
export const DAY = 86_400_000;

/** Of a text, the same on every machine. */
export const hex = (text: string, length: number): string =>
  createHash("sha256").update(`${SCALE}\n${text}`).digest("hex").slice(0, length);

export const scaleUid = hex("organization", 40);

/** 0 to 1, well spread: the `index`-th number of a series that is the same everywhere. */
export function chance(series: number, index: number): number {
  let bits = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(series, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}
/** Of what there is a series; those of the registry follow from 6 on. */
const [PARENT, CREATED, UPDATED, SEEN, HOME] = [1, 2, 3, 4, 5] as const;

/** Names that programs stumble over, one in five hundred; `plain` stays in them, so that each is still found by it. */
const HOSTILE_GROUPS: readonly ((plain: string) => string)[] = [
  (plain) => plain.toUpperCase(),
  (plain) => `Äpfel & Öl ${plain}`,
  (plain) => `<b>${plain}</b>`,
  (plain) => `مجموعة ${plain}`,
  (plain) => `🚚 ${plain}`,
  (plain) => `1e5 ${plain}`,
  (plain) => `%2F ${plain} _ '"`,
  (plain) => `${plain} ${"long ".repeat(8)}name`,
];
// An identity's name has no letters but these: `^[a-z0-9 ._-]+$`.
const HOSTILE_IDENTITIES: readonly ((plain: string) => string)[] = [
  (plain) => `-${plain}`,
  (plain) => `..${plain}`,
  (plain) => ` ${plain} `,
  (plain) => `1e5 ${plain}`,
  (plain) => `${plain}${"-long".repeat(40)}`,
];

function nameOf(kind: string, index: number, hostile: readonly ((plain: string) => string)[]): string {
  const plain = `${kind}-${String(index).padStart(6, "0")}`;
  const twist = index % 500 === 250 ? hostile[Math.floor(index / 500) % hostile.length] : undefined;
  return twist ? twist(plain) : plain;
}

/** Later ones are younger, so that nothing is older than what holds it; whole minutes, so that some times are equal. */
function timesOf(index: number, of: number): { created: Date; updated: Date } {
  const age = (index + chance(CREATED, index)) / of;
  const created = new Date(START + Math.floor((age * 1_000 * DAY) / 60_000) * 60_000);
  const changed = chance(UPDATED, index);
  const updated = changed < 0.7 ? created : new Date(created.getTime() + Math.floor(changed * 300 * DAY));
  return { created, updated };
}

/** How many groups stand directly below the organization, besides the deep path and the wide group. */
const departments = (groups: number): number => Math.max(1, Math.min(40, Math.round(Math.sqrt(groups) / 8)));

/**
 * The groups, parents before children: one path of the full depth, the wide group with its children, a few dozen
 * departments, and then each below a random earlier one, which makes subtrees of every size.
 */
export function planGroups({ groups, depth }: ScaleSize): {
  uids: string[];
  group(index: number): PlannedGroup;
} {
  const uids = [scaleUid];
  const parents = [-1];
  const levels = [1];
  const add = (parent: number): void => {
    parents.push(parent);
    levels.push((levels[parent] ?? 0) + 1);
    uids.push(`${uids[parent]}/${hex(`group ${uids.length}`, 16)}`);
  };
  while (uids.length < depth) add(uids.length - 1);
  const wide = groups >= WIDE_FROM && depth > 2 ? uids.length : undefined;
  if (wide !== undefined) {
    add(0);
    for (let child = 0; child < WIDE_CHILDREN; child++) add(wide);
  }
  const regular = uids.length;
  // Below the path and the regular ones; the wide group's children stay leaves.
  const holders = wide === undefined ? regular : wide;
  while (uids.length < groups && uids.length < regular + departments(groups)) add(0);
  while (uids.length < groups) {
    const choice = Math.floor(chance(PARENT, uids.length) * (holders + uids.length - regular));
    const holder = choice < holders ? choice : choice - holders + regular;
    add((levels[holder] ?? 0) < depth ? holder : (parents[holder] ?? 0));
  }
  const describe = (index: number): string => {
    if (index === depth - 1) return `The deepest: level ${depth}`;
    return index === wide ? `Holds ${WIDE_CHILDREN.toLocaleString("en")} groups directly` : "";
  };
  return {
    uids,
    group: (index) => ({
      uid: uids[index] ?? "",
      parent: uids[parents[index] ?? -1] ?? null,
      name: index === 0 ? SCALE : nameOf("group", index, HOSTILE_GROUPS),
      description: describe(index),
      ...timesOf(index, groups),
    }),
  };
}

/** The group that holds 10,000 others, which exists from WIDE_FROM groups on: it comes after the deep path. */
export const wideIndex = ({ depth }: Pick<ScaleSize, "depth">): number => depth;

/** Of the path that reaches the full depth. */
export const deepestIndex = ({ depth }: Pick<ScaleSize, "depth">): number => depth - 1;

const AGES = 400;

/** The identity with an index from 0 on: spread over the groups, more of them where the groups are older. */
export function planIdentity(size: ScaleSize, uids: readonly string[], index: number): PlannedIdentity {
  const name = nameOf("ci", index + 1, HOSTILE_IDENTITIES);
  // A tenth lies in one group, for lists of what one group holds.
  const crowded = index % 10 === 3 && uids.length > wideIndex(size);
  const home = crowded ? wideIndex(size) : Math.floor(chance(HOME, index) ** 2 * uids.length);
  const parent = uids[home] ?? scaleUid;
  const { created, updated } = timesOf(index, size.identities);
  const used = chance(SEEN, index);
  const last = new Date(Date.UTC(2026, 8, 1) - Math.floor(used * AGES * DAY));
  const seen = used < 0.04 ? null : used < 0.1 ? created : last < created ? created : last;
  return {
    uid: `${parent}/${hex(`identity ${index}`, 16)}`,
    parent,
    name,
    description: index % 50 === 0 ? `Runs the pipeline of ${name.trim()}` : "",
    issuer: "https://ci.scale.example",
    subject: `repo:scale/${String(index + 1).padStart(6, "0")}:ref:refs/heads/main`,
    created,
    updated,
    seen,
  };
}

/** The uid of a binding, the same whenever it is made. */
export const bindingUid = (group: string, identity: string, role: string): string =>
  `${group}/${hex(`binding ${group} ${identity} ${role}`, 16)}`;

/** `count` groups none of which holds another, spread over the highest level that has so many; undefined when none has. */
export function apart(uids: readonly string[], count: number): string[] | undefined {
  // A level of a uid has a fixed width.
  for (const width of [...new Set(uids.map((uid) => uid.length))].toSorted((a, b) => a - b)) {
    const level = uids.filter((uid) => uid.length === width);
    if (level.length >= count)
      return Array.from({ length: count }, (_, index) =>
        String(level[Math.floor((index * level.length) / count)]),
      );
  }
  return undefined;
}
