import { queryOptions, type QueryClient } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import { limiter } from "~/api/paging/limiter";
import { PAGE_SIZE_MAX, rootOf } from "platform-contract/aip";
import { repos, type Repo } from "platform-contract/registry/repos";
import { ALL_KINDS, tags, type Tag } from "platform-contract/registry/tags";
import { repoPath } from "~/domains/registry/references/pull-reference";
import { sameHost, type PullReference } from "~/domains/registry/references/reference-text";
import { compareVersions, versionParts } from "platform-contract/registry/version-order";
import { groupQuery } from "~/frame/scope/group-ancestry";

/** `elsewhere`: in another registry, which this service knows nothing about. */
export const STATES = ["unknown", "behind", "deprecated", "current", "elsewhere"] as const;
export type State = (typeof STATES)[number];

export interface ImageVerdict {
  readonly state: State;
  /** In one or two sentences. */
  readonly why: string;
  readonly repo?: string | undefined;
  /** The tag that the reference names, or that has its digest. */
  readonly tag?: Tag | undefined;
  /** True if the tag has the image that the reference pulls. */
  readonly isThis?: boolean;
  /** What would make the reference current. */
  readonly next?: { readonly tag?: string; readonly digest?: string } | undefined;
}

/** What the registry says of a reference. */
export interface ManifestAnswer {
  /** The repos that have its path. */
  readonly repos: readonly Pick<Repo, "uid">[];
  /** Repos of its name, whose paths aren't known: the organization's name is in them, and can't be read. */
  readonly pathless?: readonly Pick<Repo, "uid" | "name">[];
  /** The tag of its name. */
  readonly tag?: Tag | undefined;
  /** The tags that have its digest, up to a page. */
  readonly named?: readonly Tag[];
  /** The newest tag of the same kind that isn't deprecated. */
  readonly successor?: Tag | undefined;
}

/** A reference without a tag and a digest means this tag. */
const IMPLIED = "latest";

/** Why a reference isn't looked up here; undefined if it is. */
export function elsewhere({ host }: PullReference, registryHost: string | undefined): string | undefined {
  if (registryHost === undefined) return undefined;
  if (host === undefined) return "Names no registry: Docker Hub by default.";
  return sameHost(host, registryHost) ? undefined : "From another registry.";
}

/** Judges a reference by what the registry says of it. */
export function judge({ path, tag: name, digest }: PullReference, answer: ManifestAnswer): ImageVerdict {
  const said = path.join("/");
  const { repos: found, pathless: [like] = [], tag, named = [], successor } = answer;
  const [repo] = found;
  if (!repo && like)
    return {
      state: "unknown",
      why: `Your role hides the organization of the repo ${like.name}, so its path can't be compared with ${said}.`,
      repo: like.uid,
    };
  if (!repo) return { state: "unknown", why: `No repo that you can see is ${said}.` };
  if (found.length > 1) return { state: "unknown", why: `Several repos have the path ${said}.` };
  const at = { repo: repo.uid };
  if (digest !== undefined && name === undefined) {
    const [living] = named.filter(({ deprecated }) => deprecated !== true);
    if (living) return { ...at, state: "current", why: listed(named), tag: living, isThis: true };
    const [one] = named;
    if (!one) return { ...at, state: "unknown", why: `No tag of ${said} has this digest.` };
    return { ...at, ...deprecation(one, successor, digest), tag: one, isThis: true };
  }
  if (!tag) return { ...at, state: "unknown", why: `${said} has no tag ${name ?? IMPLIED}.` };
  const isThis = digest === undefined || tag.digest === digest;
  if (tag.deprecated === true) return { ...at, ...deprecation(tag, successor, digest), tag, isThis };
  if (!isThis)
    return {
      ...at,
      state: "behind",
      why: `${tag.name} has another digest now.`,
      tag,
      isThis,
      ...(tag.digest && { next: { digest: tag.digest } }),
    };
  const why =
    digest === undefined
      ? `${tag.name} exists. The reference isn't pinned to a digest.`
      : `${tag.name} has this digest.`;
  return { ...at, state: "current", why, tag, isThis };
}

/** "Tag of this digest: 3.12.", "Tags of this digest: 3.12, latest and 4 more." */
function listed(named: readonly Tag[]): string {
  const [first, second] = named.map(({ name }) => name);
  const more = named.length > 2 ? ` and ${named.length - 2} more` : "";
  return `${named.length === 1 ? "Tag" : "Tags"} of this digest: ${[first, second].filter(Boolean).join(", ")}${more}.`;
}

function deprecation(
  tag: Tag,
  successor: Tag | undefined,
  digest: string | undefined,
): Pick<ImageVerdict, "state" | "why" | "next"> {
  const why = `${tag.name} is deprecated.`;
  if (!successor) return { state: "deprecated", why };
  return {
    state: "deprecated",
    why: `${why} ${successor.name} is the newest tag like it.`,
    next: {
      tag: successor.name,
      ...(digest !== undefined && successor.digest && { digest: successor.digest }),
    },
  };
}

/** The newest tag of the same kind that isn't deprecated: as many parts of a version, and the same suffix. */
export function successorOf(name: string, candidates: readonly Tag[]): Tag | undefined {
  const [version, rest] = versionParts(name);
  if (version === "") return undefined;
  const alike = candidates.filter((each) => {
    const [own, suffix] = versionParts(each.name);
    return (
      each.deprecated !== true &&
      suffix === rest &&
      own.split(".").length === version.split(".").length &&
      compareVersions(each.name, name) > 0
    );
  });
  return alike.toSorted((a, b) => compareVersions(b.name, a.name))[0];
}

/** Shared by all references: there can be many. */
const limited = limiter(4);
/** Most pages of a repo's tags that are read to find a successor. */
const PAGES = 5;

async function tagsOf(repo: string, signal: AbortSignal): Promise<Tag[]> {
  const found: Tag[] = [];
  let token: string | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    const query = {
      "uidp.children_of": repo,
      page_size: PAGE_SIZE_MAX,
      ...(token !== undefined && { page_token: token }),
    };
    // oxlint-disable-next-line no-await-in-loop -- each page needs the token of the page before
    const { items, nextPageToken } = await call(tags.list, { query, signal });
    found.push(...items);
    token = nextPageToken;
    if (!token) break;
  }
  return found;
}

/** The repos with a path: the API finds them by their name, and the organization's is compared here. */
async function reposAt(
  path: readonly string[],
  client: QueryClient,
  signal: AbortSignal,
): Promise<{ repos: Repo[]; pathless: Repo[] }> {
  const name = path.at(-1) ?? "";
  const { items } = await call(repos.list, { query: { name, page_size: PAGE_SIZE_MAX }, signal });
  const paths = await Promise.all(
    items.map(async ({ uid }) => {
      const organization = await client.ensureQueryData(groupQuery(rootOf(uid))).catch(() => undefined);
      return organization && repoPath(organization.name, name, organization.namespace);
    }),
  );
  return {
    repos: items.filter((_, index) => paths[index] === path.join("/")),
    pathless: items.filter((_, index) => paths[index] === undefined),
  };
}

async function ask(
  reference: PullReference,
  client: QueryClient,
  signal: AbortSignal,
): Promise<ManifestAnswer> {
  const { path, tag: name, digest } = reference;
  const { repos: found, pathless } = await reposAt(path, client, signal);
  const [repo] = found;
  if (!repo || found.length > 1) return { repos: found, pathless };
  const list = (query: object) =>
    call(tags.list, { query: { "uidp.children_of": repo.uid, ...query }, signal }).then(({ items }) => items);
  const byDigest = digest !== undefined && name === undefined;
  const named = await list(
    byDigest ? { digest, ...ALL_KINDS, page_size: PAGE_SIZE_MAX } : { name: name ?? IMPLIED },
  );
  const tag = byDigest ? undefined : named.find((each) => each.name === (name ?? IMPLIED));
  const old = byDigest
    ? named.every(({ deprecated }) => deprecated === true) && named[0]
    : tag?.deprecated && tag;
  const successor = old ? successorOf(old.name, await tagsOf(repo.uid, signal)) : undefined;
  return { repos: found, tag, named: byDigest ? named : [], successor };
}

/** What a reference is here; the same reference in several places is one query. */
export const verdictQuery = (reference: PullReference, client: QueryClient) =>
  queryOptions({
    queryKey: ["manifests", "check", reference] as const,
    queryFn: ({ signal }) =>
      limited(async () => judge(reference, await ask(reference, client, signal)), signal),
  });
