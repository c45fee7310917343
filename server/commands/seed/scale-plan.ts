import { createHash } from "node:crypto";

/**
 * A large organization as data: its groups and identities, derived from their index only. The same options give the
 * same uids, names and times on every machine.
 */

export interface ScaleSize {
  /** Number of groups, including the organization itself. */
  readonly groups: number;
  /** Levels of groups; the organization is the first. */
  readonly depth: number;
  readonly identities: number;
  /** Role bindings of identities, each at the identity's own group. */
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
  /** Null, or the time of creation, if it was never used. */
  readonly seen: Date | null;
}

export const SCALE = "scale";
/** Built-in roles for identities: the maximum number of bindings for each of them. */
export const ROLES = ["viewer", "editor", "registry.pull"];
/** From this many groups on, one group has WIDE_CHILDREN children. */
export const WIDE_FROM = 20_000;
export const WIDE_CHILDREN = 10_000;

export const START = Date.UTC(2023, 0, 1);
export const DAY = 86_400_000;

/** Hex digits derived from a text, the same on every machine. */
export const hex = (text: string, length: number): string =>
  createHash("sha256").update(`${SCALE}\n${text}`).digest("hex").slice(0, length);

export const scaleUid = hex("organization", 40);

/** A number from 0 to 1, evenly distributed: item `index` of a series that is the same everywhere. */
export function chance(series: number, index: number): number {
  let bits = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(series, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}
/** The series; those of the registry start at 6. */
const [PARENT, CREATED, UPDATED, SEEN, HOME] = [1, 2, 3, 4, 5] as const;

/** Names that trip up programs, one in five hundred; each contains `plain`, so that it can still be found. */
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
// An identity's name only has these characters: `^[a-z0-9 ._-]+$`.
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

/** Later ones are younger, so that nothing is older than its parent; whole minutes, so that some times are equal. */
function timesOf(index: number, of: number): { created: Date; updated: Date } {
  const age = (index + chance(CREATED, index)) / of;
  const created = new Date(START + Math.floor((age * 1_000 * DAY) / 60_000) * 60_000);
  const changed = chance(UPDATED, index);
  const updated = changed < 0.7 ? created : new Date(created.getTime() + Math.floor(changed * 300 * DAY));
  return { created, updated };
}

/** Number of groups directly below the organization, apart from the deep path and the wide group. */
const departments = (groups: number): number => Math.max(1, Math.min(40, Math.round(Math.sqrt(groups) / 8)));

/**
 * The groups, parents before children: one path of full depth, the wide group with its children, a few dozen
 * departments, and then each below a random earlier one, which results in subtrees of every size.
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
  // Parents are the path and the regular groups; the wide group's children stay leaves.
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

/**
 * The index of the wide group with 10,000 children, which exists from WIDE_FROM groups on: it follows the deep path.
 */
export const wideIndex = ({ depth }: Pick<ScaleSize, "depth">): number => depth;

/** The index of the deepest group of the deep path. */
export const deepestIndex = ({ depth }: Pick<ScaleSize, "depth">): number => depth - 1;

const AGES = 400;

/** The identity with this index, from 0: spread over the groups, more of them in older groups. */
export function planIdentity(size: ScaleSize, uids: readonly string[], index: number): PlannedIdentity {
  const name = nameOf("ci", index + 1, HOSTILE_IDENTITIES);
  // A tenth is in one group, for lists of a single group.
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

/** The uid of a binding, always the same. */
export const bindingUid = (group: string, identity: string, role: string): string =>
  `${group}/${hex(`binding ${group} ${identity} ${role}`, 16)}`;

/** `count` disjoint groups, spread over the highest level that has enough; undefined if there is none. */
export function apart(uids: readonly string[], count: number): string[] | undefined {
  // Each level of a uid has a fixed width.
  for (const width of [...new Set(uids.map((uid) => uid.length))].toSorted((a, b) => a - b)) {
    const level = uids.filter((uid) => uid.length === width);
    if (level.length >= count)
      return Array.from({ length: count }, (_, index) =>
        String(level[Math.floor((index * level.length) / count)]),
      );
  }
  return undefined;
}
