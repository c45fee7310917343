import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";

import { call } from "~/api/client/client";
import { infinite, rowsOf } from "~/api/queries/queries";
import { totalOf } from "platform-client/wire";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { repos } from "platform-contract/registry/repos";
import { tags } from "platform-contract/registry/tags";
import { listPackageTags, type PackageTag } from "platform-contract/vulnerabilities/package-tags";
import { compareVersions } from "platform-contract/registry/version-order";
import { useCan } from "~/frame/permissions/use-can";

import type { VersionAnswer } from "./installed";

/** The advisories whose packages are looked for in images. */
export interface Sought {
  readonly aliases?: string[];
  readonly advisoryIds?: string[];
  readonly artifactNames?: string[];
}

/** A package to look for in images, in any version or in one. */
export interface HeldPackage {
  readonly packageName: string;
  readonly packageVersion?: string;
}

/** Of an image: undecided if it holds a version that no advisory decides about, unknown if its packages are. */
export type TagAnswer = VersionAnswer | "undecided";

const VERDICTS = {
  affected: { verdict: "VERSION_VERDICT_AFFECTED" },
  undecided: { verdict: "VERSION_VERDICT_UNKNOWN", undecided: true },
  unknown: { verdict: "VERSION_VERDICT_UNKNOWN", undecided: false },
  not_affected: { verdict: "VERSION_VERDICT_NOT_AFFECTED" },
} as const satisfies Readonly<Record<TagAnswer, object>>;

const within = (group: string | undefined) => ({
  ...(group !== undefined && { "uidp.descendants_of": group }),
});

/**
 * Lists tags by what their images hold.
 * @param group uid of the group whose tags are searched; undefined: all that are visible
 * @param answer the worst answer of the image
 */
export const holdingQuery = (
  asked: Sought | HeldPackage,
  group: string | undefined,
  answer: TagAnswer | undefined,
) =>
  infinite(listPackageTags, {
    ...within(group),
    ...asked,
    ...(answer !== undefined && VERDICTS[answer]),
    order_by: "name",
    page_size: 50,
  });

/** How many repos of one name to show. */
const REPOS_NAMED = 5;

/** The repos of one name in a scope. */
export const reposNamedQuery = (name: string, group: string | undefined) =>
  infinite(repos.list, { ...within(group), name, order_by: "name", page_size: REPOS_NAMED });

/** Versions that a shorter one begins: 2.41.0-r0 of 2.41, but not 2.410. Its own revisions are the version itself. */
const isLonger = (version: string, begin: string): boolean => {
  const rest = version.slice(begin.length);
  return version.startsWith(begin) && /^[^0-9]/.test(rest) && !/^-r\d+$/.test(rest);
};

/** How many tags hold a package in each version that begins with one, by the version. */
export function versionsBeginning(
  begin: string,
  tagsWith: readonly PackageTag[],
): readonly (readonly [version: string, tags: number])[] {
  const counts = new Map<string, number>();
  for (const { packages = [] } of tagsWith)
    for (const version of new Set(packages.flatMap((one) => one.version ?? [])))
      if (isLonger(version, begin)) counts.set(version, (counts.get(version) ?? 0) + 1);
  return [...counts].toSorted(([a], [b]) => compareVersions(a, b));
}

/** Of tags that hold a package; more are not read to name its versions. */
const PAGES = 10;

/** The versions of a package in images that begin with one. */
export const beginningQuery = (packageName: string, begin: string, group: string | undefined) =>
  queryOptions({
    queryKey: [listPackageTags.collection, "beginning", { packageName, begin, group }] as const,
    queryFn: async ({ signal }) => {
      const found: PackageTag[] = [];
      let token: string | undefined;
      for (let page = 0; page < PAGES; page += 1) {
        const query = {
          ...within(group),
          packageName,
          page_size: PAGE_SIZE_MAX,
          ...(token !== undefined && { page_token: token }),
        };
        // oxlint-disable-next-line no-await-in-loop -- each page needs the token of the page before
        const { items, nextPageToken } = await call(listPackageTags, { query, signal });
        found.push(...items);
        token = nextPageToken;
        if (!token) break;
      }
      return { versions: versionsBeginning(begin, found), partial: Boolean(token) };
    },
    staleTime: 30_000,
  });

/** What is known of the tags in a scope: how many have which answer, or why that isn't known. */
export type TagsHere =
  | {
      readonly counts: Readonly<Record<TagAnswer, number>>;
      /** How many tags there are, without signatures; undefined if the service doesn't count. */
      readonly of?: number | undefined;
    }
  | { readonly why: string };

/** Counts the tags by what the advisories say of the packages in their images. */
export const tagsHereQuery = (sought: Sought, group: string | undefined, client: QueryClient) =>
  queryOptions({
    queryKey: [listPackageTags.collection, "counts", { sought, group }] as const,
    queryFn: async ({ signal }): Promise<TagsHere> => {
      const count = async (answer: TagAnswer): Promise<number> => {
        const { rows, total } = rowsOf(await client.fetchInfiniteQuery(holdingQuery(sought, group, answer)));
        return Number(total ?? rows.length);
      };
      const query = { ...within(group), includeDates: true, includeEpochs: true, page_size: 1 };
      const [affected, undecided, unknown, not_affected, all] = await Promise.all([
        count("affected"),
        count("undecided"),
        count("unknown"),
        count("not_affected"),
        call(tags.list, { query, signal }).then(totalOf),
      ]);
      return {
        counts: { affected, undecided, unknown, not_affected },
        of: all === undefined ? undefined : Number(all),
      };
    },
    staleTime: 30_000,
  });

/** Why the packages of images can't be asked about here; both undefined if they can. */
export interface Untold {
  readonly why?: string | undefined;
  /** The missing capabilities, if that is why. */
  readonly capability?: string | undefined;
}

export function useUntold(group: string | undefined): Untold {
  const isTold = useRouteContext({ strict: false, select: ({ config }) => config?.imagePackages === true });
  const { allowed, capability } = useCan(listPackageTags, group);
  if (!isTold) return { why: "the API doesn't list the packages of images" };
  return allowed ? {} : { why: "your role hides the packages of images", capability };
}
