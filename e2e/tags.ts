import type { Page } from "@playwright/test";

import type { Repo } from "platform-contract/registry/repos";
import type { Tag } from "platform-contract/registry/tags";

import type { Api } from "./api";

/** No image was pushed for the tags of these tests: the service has none, and the list shows a dash. */
export const NO_IMAGE = /status of 404 .*\/digests\//;

/** Returns a distinct digest for each number. */
export const digestOf = (index: number): string => `sha256:${index.toString(16).padStart(64, "0")}`;

export const createRepo = (api: Api, group: string, name = "python"): Promise<Repo> =>
  api.post<Repo>(`/registry/v2/repos/${group}`, { name });

export interface TagBody {
  readonly name: string;
  readonly digest: string;
  readonly deprecated?: boolean;
  readonly bundles?: readonly string[];
}

/** Creates tags, eight at a time; returns them in the order of `bodies`. */
export async function createTags(api: Api, repo: string, bodies: readonly TagBody[]): Promise<Tag[]> {
  const made: Tag[] = [];
  let next = 0;
  const create = async (): Promise<void> => {
    for (let index = next++; index < bodies.length; index = next++)
      made[index] = await api.post<Tag>(`/registry/v2/tags/${repo}`, bodies[index]);
  };
  await Promise.all(Array.from({ length: 8 }, create));
  return made;
}

/** Returns all tags of a repo, of every kind, from the API. */
export async function allTags(api: Api, repo: string): Promise<Tag[]> {
  const found: Tag[] = [];
  let token = "";
  do {
    const query = new URLSearchParams({
      "uidp.children_of": repo,
      includeDates: "true",
      includeEpochs: "true",
      includeReferrers: "true",
      page_size: "200",
      page_token: token,
    });
    const answer = await api.get<{ tags?: Tag[]; nextPageToken?: string }>(`/registry/v2/tags?${query}`);
    found.push(...(answer.tags ?? []));
    token = answer.nextPageToken ?? "";
  } while (token !== "");
  return found;
}

export const table = (page: Page) => page.getByRole("table", { name: "Tags" });
/** Returns the names in view, in order. */
export const names = async (page: Page): Promise<(string | null)[]> =>
  table(page)
    .getByRole("row")
    .evaluateAll((rows) =>
      rows
        .filter((row) => row.hasAttribute("data-row-key"))
        .toSorted((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
        .map((row) => row.querySelector("a")?.textContent ?? null),
    );
export const scanLine = (page: Page) => page.getByRole("group", { name: "Search of tags" });
