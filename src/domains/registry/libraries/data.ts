import { queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { anchorOf } from "~/api/queries/lists";
import { infinite } from "~/api/queries/queries";
import { PLAIN } from "platform-contract/behavior";
import {
  countArtifacts,
  ECOSYSTEMS,
  JAVA,
  listArtifacts,
  PYTHON,
  type Artifact,
} from "platform-contract/libraries/artifacts";
import { listArtifactVersions, type ArtifactVersion } from "platform-contract/libraries/versions";
import type { ListQuery } from "platform-contract/resource";
import { defineScreens, type ListView } from "~/frame/define";
import { exact, flag, searched, type Filter, type SearchOf } from "~/frame/list/filters";
import { readTexts, type Address } from "~/frame/scope/address";
import { readListSearch, type ListSearch } from "~/frame/list/list-search";
import type { LinkTarget } from "~/ui/layout/link";

/** Display names of the ecosystems. */
const WORDS: Readonly<Record<string, string>> = { [PYTHON]: "Python", [JAVA]: "Java" };
export const ecosystemWord = (ecosystem = ""): string => WORDS[ecosystem] ?? ecosystem;

/** Ecosystems by their name in the address. */
const CHOICES: Readonly<Record<string, string>> = { python: PYTHON, java: JAVA };
export const TABS = [
  { value: undefined, label: "All", ecosystems: ECOSYSTEMS },
  { value: "python", label: "Python", ecosystems: [PYTHON] },
  { value: "java", label: "Java", ecosystems: [JAVA] },
] as const;

const ecosystem: Filter<Artifact> = {
  label: "Ecosystem",
  parse: (text) => (text in CHOICES ? text : undefined),
};

const filters = {
  ecosystem,
  query: searched({
    ...exact("query", "Name or description"),
    describe: (value: string) => `name or description contains "${value}"`,
  }),
  cuda: { ...exact("cudaVersion", "CUDA version"), describe: (value: string) => `CUDA version "${value}"` },
  remediated: flag<Artifact>("Remediated only", { query: () => ({ remediated: true }) }),
};
export type LibrarySearch = SearchOf<typeof filters>;

export const ecosystemsOf = ({ ecosystem: chosen }: ListView): string[] =>
  chosen === undefined ? [...ECOSYSTEMS] : [CHOICES[chosen] ?? ""];

/** The address contains the uid as is: it has no slashes, and its underscores are literal. */
export const libraryLink = (uid: string): LinkTarget => ({ to: "/libraries/$uid", params: { uid } });

export const libraryScreens = {
  ...defineScreens<Artifact, object>(
    {
      collection: "libraries",
      noun: "library",
      plural: "libraries",
      affects: [],
      behavior: PLAIN,
      sortable: ["name", "created_at", "updated_at", "version_count"],
      request: z.object({}),
      list: listArtifacts,
    },
    {
      filters,
      lists: "everything",
      query: (view) => ({ ecosystems: ecosystemsOf(view) }),
    },
  ),
  link: libraryLink,
};

const everyEcosystem = { ecosystems: [...ECOSYSTEMS] };

/** Counts the libraries per ecosystem. */
export const countsQuery = queryOptions({
  queryKey: ["artifacts", "count"] as const,
  meta: { requests: () => [{ endpoint: countArtifacts, query: everyEcosystem }] } satisfies QueryFacts,
  queryFn: ({ signal }) => call(countArtifacts, { query: everyEcosystem, signal }),
});

const NEWEST = "version desc";
export const versionOrder = NEWEST;

export interface VersionSearch extends ListSearch {
  /** The version whose install commands are shown. */
  version?: string | undefined;
}

/** Reads the search parameters of a library's page. */
export const readVersions = (address: Address): VersionSearch => ({
  ...readListSearch(address, ["version", "created_at", "updated_at", "size_bytes"], ["install"]),
  ...readTexts(address, ["version"]),
});

/** The versions of a library, starting at row `at`, optionally with another page size. */
export const versionsQuery = (uid: string, { order = NEWEST, at }: VersionSearch, pageSize?: number) =>
  infinite<ArtifactVersion, ListQuery>(
    listArtifactVersions,
    { order_by: order, ...(pageSize !== undefined && { page_size: pageSize }) },
    { path: { artifactId: uid }, skip: anchorOf(Number(at ?? 0)) },
  );

const first: ListQuery = { order_by: NEWEST, page_size: 1 };

/** Reads the newest version of a library, as a substitute for the library: the API cannot get a single artifact. */
export const newestQuery = (uid: string) =>
  queryOptions({
    queryKey: ["artifactVersions", "newest", uid] as const,
    meta: {
      requests: () => [{ endpoint: listArtifactVersions, path: { artifactId: uid }, query: first }],
    } satisfies QueryFacts,
    queryFn: async ({ signal }) => {
      const { items } = await call(listArtifactVersions, { path: { artifactId: uid }, query: first, signal });
      return items[0] ?? null;
    },
  });
