import { chance, DAY, hex, scaleUid, START } from "./scale-plan";

/** The repos and tags of the large organization as data, derived from their index, like its groups. */

export interface RegistrySize {
  readonly repos: number;
  readonly tags: number;
}

export interface PlannedRepo {
  readonly uid: string;
  readonly parent: string;
  readonly name: string;
  readonly description: string;
  readonly tier: string;
  readonly activeTags: readonly string[];
  readonly created: Date;
  readonly updated: Date;
  /** Its number of tags. */
  readonly tags: number;
}

export interface PlannedTag {
  readonly uid: string;
  readonly parent: string;
  readonly name: string;
  readonly digest: string;
  readonly deprecated: boolean;
  readonly created: Date;
  readonly updated: Date;
  /** Size of the amd64 image in bytes; undefined if the tag is not an image. */
  readonly size: number | undefined;
}

/** The first repo has this share of all tags, the second one FEW_TAGS; both are in the organization itself. */
const WIDE_SHARE = 0.12;
const FEW_TAGS = 50;
const [HOME, BORN, MOVED, BYTES] = [6, 7, 8, 9] as const;
const SPAN = 1_000 * DAY;
const MINUTE = 60_000;

const KINDS = "nginx postgres redis python node go jdk kafka envoy etcd grafana vault php ruby rust".split(
  " ",
);
const TIERS = ["APPLICATION", "BASE", "FIPS", "AI", "DEVTOOLS", "COMMERCIAL"];

/** The number of tags in the repos before this one; later repos have more and more, up to four times the mean. */
function tagsBefore({ repos, tags }: RegistrySize, index: number): number {
  const wide = [tags, Math.max(tags - FEW_TAGS, 0)][repos - 1] ?? Math.floor(tags * WIDE_SHARE);
  const few = Math.min(tags - wide, FEW_TAGS);
  if (index < 2) return index * wide;
  const share = ((index - 2) / Math.max(repos - 2, 1)) ** 4;
  return wide + few + Math.floor((tags - wide - few) * share);
}

/** The number of versions for a number of tags: each version has ten. */
const versionsOf = (tags: number): number => Math.max(1, Math.ceil((tags - 2) / 10));
const minorOf = (version: number): string =>
  `${1 + Math.floor(version / 200)}.${Math.floor(version / 10) % 20}`;

/** The repo with this index, from 0. */
export function planRepo(size: RegistrySize, uids: readonly string[], index: number): PlannedRepo {
  const home = index < 2 ? 0 : Math.floor(chance(HOME, index) ** 2 * uids.length);
  const parent = uids[home] ?? scaleUid;
  const count = tagsBefore(size, index + 1) - tagsBefore(size, index);
  const plain = `${KINDS[index % KINDS.length]}-${String(index).padStart(5, "0")}`;
  const created = new Date(START + Math.floor((chance(BORN, index) * SPAN) / 2 / MINUTE) * MINUTE);
  const newest = versionsOf(count) - 1;
  return {
    uid: `${parent}/${hex(`repo ${index}`, 16)}`,
    parent,
    // Some are long: a name can be as long as a registry path.
    name:
      index === 0
        ? "many-tags"
        : index === 1
          ? "few-tags"
          : index % 500 === 250
            ? `${plain}${"-long".repeat(30)}`
            : plain,
    description:
      index % 3 === 0 ? "" : `${KINDS[index % KINDS.length]} with ${count.toLocaleString("en")} tags`,
    tier: TIERS[index % TIERS.length] ?? "BASE",
    activeTags: [...new Set([minorOf(newest), minorOf(Math.max(0, newest - 10))])],
    created,
    updated: new Date(created.getTime() + Math.floor(chance(MOVED, index) * 0.8 * SPAN)),
    tags: count,
  };
}

/** The names of one version, each with its build: a build is one digest, and has several names. */
function namesOf(
  version: number,
  newestOfMinor: boolean,
  day: string,
): readonly (readonly [string, string])[] {
  const full = `${minorOf(version)}.${version % 10}`;
  return [
    [full, `${full}-r3`],
    [`${full}-dev`, `${full}-dev-r3`],
    [`${full}-slim`, `${full}-slim-r3`],
    [`${full}-r0`, `${full}-r0`],
    [`${full}-r3`, `${full}-r3`],
    [`${full}-${day}`, `${full}-r3`],
    [`${full}-dev-r3`, `${full}-dev-r3`],
    [`${full}-fips`, `${full}-slim-r3`],
    newestOfMinor ? [minorOf(version), `${full}-r3`] : [`${full}-debug`, `${full}-dev-r3`],
    version % 2 === 0 ? [`${full}-dev-${day}`, `${full}-dev-r3`] : [`sha256-${hex(full, 64)}.sig`, ""],
  ];
}

/** The tags of a repo, newest version first. The oldest fifth of the versions is deprecated. */
export function* planTags(repo: PlannedRepo, index: number): Generator<PlannedTag> {
  const versions = versionsOf(repo.tags);
  const ended = Math.round(versions / 5);
  const span = START + SPAN - repo.created.getTime();
  let count = 0;
  for (let version = versions - 1; version >= 0; version--) {
    const age = (version + 1) / versions;
    const created = new Date(Math.floor((repo.created.getTime() + age * span) / MINUTE) * MINUTE);
    const newest = version === versions - 1;
    const names = namesOf(
      version,
      newest || version % 10 === 9,
      created.toISOString().slice(0, 10).replaceAll("-", ""),
    );
    const latest = [
      ["latest", names[0]?.[1] ?? ""],
      ["latest-dev", names[1]?.[1] ?? ""],
    ] as const;
    for (const [name, build] of newest ? [...latest, ...names] : names) {
      if (count === repo.tags) return;
      const serial = index * 1_000_003 + count++;
      const moved = chance(MOVED, serial);
      yield {
        uid: `${repo.uid}/${hex(`tag ${index} ${name}`, 16)}`,
        parent: repo.uid,
        name,
        digest: `sha256:${hex(`build ${index} ${build || name}`, 64)}`,
        deprecated: version < ended,
        created,
        updated: moved < 0.5 ? created : new Date(created.getTime() + Math.floor(moved * 300 * DAY)),
        size:
          build === ""
            ? undefined
            : 5_000_000 + Math.floor(chance(BYTES, index * 31 + version) * 400_000_000),
      };
    }
  }
}
