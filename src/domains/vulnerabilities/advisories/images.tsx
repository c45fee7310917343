import { Button } from "@mantine/core";
import { useQuery, queryOptions } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { totalOf } from "platform-client/wire";
import { listResolvedReports, REPORT_DAYS } from "platform-contract/advisory/resolved-reports";
import { repoTags } from "~/domains/registry/references/repo-links";
import { ActionButton } from "~/ui/controls/action-button";
import "~/ui/controls/button-styles";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";
import type { QueryFacts } from "~/api/client/request-info";
import { call } from "~/api/client/client";
import { limiter } from "~/api/paging/limiter";
import { repos, type Repo } from "platform-contract/registry/repos";
import { tags } from "platform-contract/registry/tags";

import classes from "./advisories.module.css";

const DAY = 86_400_000;
/** Limits of one search: the number of repos, and of most recently updated tags per repo. */
const REPOS = 100;
const TAGS = 20;

/** A tag that received a fix. */
interface Reached {
  readonly repo: Pick<Repo, "uid" | "name">;
  readonly tag: string;
  /** The latest day of a fix, 2026-11-23. */
  readonly day: string;
}

interface ImageSearch {
  readonly reached: readonly Reached[];
  readonly repos: number;
  /** Total number of repos; undefined if the service does not count. */
  readonly of: number | bigint | undefined;
  readonly since: string;
}

interface ImageCriteria {
  /** uid of the group whose repos are searched; undefined: all visible repos. */
  readonly group: string | undefined;
  readonly advisoryIds: readonly string[];
  /** When the vulnerability became known; fixes are not older. */
  readonly since: string | undefined;
}

/**
 * Finds tags that received a fix, the only thing the API reports about vulnerabilities in images: no method lists an
 * image's packages. Sends one report request per repo, and one per tag if the repo has a fix.
 */
function imagesQuery({ group, advisoryIds, since }: ImageCriteria) {
  const query = {
    ...(group !== undefined && { "uidp.descendants_of": group }),
    order_by: "name",
    page_size: REPOS,
  };
  return queryOptions({
    queryKey: ["resolvedVulnsReports", "reached", { ...query, advisoryIds, since }] as const,
    meta: { requests: () => [{ endpoint: repos.list, query }] } satisfies QueryFacts,
    queryFn: async ({ signal }): Promise<ImageSearch> => {
      const end = Date.now();
      const start = Math.max(Date.parse(since ?? "") || 0, end - (REPORT_DAYS - 2) * DAY);
      const [startTime, endTime] = [new Date(start).toISOString(), new Date(end).toISOString()];
      const limited = limiter(4);
      const dayOf = async (reference: string): Promise<string | undefined> => {
        const asked = { imageRefs: [reference], startTime, endTime };
        const { items } = await limited(() => call(listResolvedReports, { query: asked, signal }), signal);
        return items
          .filter(({ resolvedVulns = [] }) => resolvedVulns.some(({ id }) => advisoryIds.includes(id)))
          .map(({ date }) => date.slice(0, 10))
          .toSorted()
          .at(-1);
      };
      const reachedIn = async (repo: Repo): Promise<Reached[]> => {
        const newest = { "uidp.children_of": repo.uid, order_by: "updated_at desc", page_size: TAGS };
        const { items } = await limited(() => call(tags.list, { query: newest, signal }), signal);
        const names = items.map(({ name }) => name).filter((name) => name !== "");
        if (names.length === 0 || (await dayOf(`${repo.uid}:${names.join(",")}`)) === undefined) return [];
        const days = await Promise.all(names.map((name) => dayOf(`${repo.uid}:${name}`)));
        return names.flatMap((tag, index) => {
          const day = days[index];
          return day === undefined ? [] : [{ repo: { uid: repo.uid, name: repo.name }, tag, day }];
        });
      };
      const listed = await call(repos.list, { query, signal });
      const reached = await Promise.all(listed.items.map(reachedIn));
      return { reached: reached.flat(), repos: listed.items.length, of: totalOf(listed), since: startTime };
    },
    staleTime: 5 * 60_000,
  });
}

/** Shows which images received a fix, and says what cannot be known about images. */
export function Images(asked: ImageCriteria): ReactNode {
  const { reason } = useCan(listResolvedReports, asked.group);
  const [looking, setLooking] = useState(false);
  const query = imagesQuery(asked);
  const { data, error, isFetching, refetch } = useQuery({ ...query, enabled: looking });
  return (
    <Section title="Fixed tags" description="Tags here that moved from an affected image to a fixed one.">
      {data ? <Found of={data} /> : null}
      {error && !data ? (
        <FailedPart title="The images couldn't be checked" error={error} onRetry={refetch} />
      ) : null}
      {data || error ? null : (
        <div className={classes["noPrint"]}>
          {isFetching ? (
            <Button variant="default" aria-disabled>
              Checking tags…
            </Button>
          ) : (
            <ActionButton reason={reason} onClick={() => setLooking(true)}>
              Find tags that received a fix
            </ActionButton>
          )}
        </div>
      )}
    </Section>
  );
}

function Found({ of: { reached, repos, of = repos, since } }: { readonly of: ImageSearch }): ReactNode {
  const [tags, images] = [reached.length, new Set(reached.map(({ repo }) => repo.uid)).size];
  const looked = `Checked the ${TAGS} newest tags of ${formatCount(repos)} of ${formatCount(of)} repos, from ${since.slice(0, 10)}.`;
  return (
    <>
      <p role="status">
        {tags === 0
          ? "No tag was found that received a fix. Tags of images whose packages aren't known can't be found."
          : `${tags} ${tags === 1 ? "tag" : "tags"} in ${images} ${images === 1 ? "repo" : "repos"} received a fix.`}{" "}
        <span className={classes["quiet"]}>{looked}</span>
      </p>
      {tags > 0 ? (
        <FactTable
          caption="Tags that received a fix"
          head={["Repo", "Tag", "Fixed on"]}
          rows={reached.map(({ repo, tag, day }) => [
            <AppLink key={tag} target={repoTags(repo.uid)}>
              <bdi>{repo.name}</bdi>
            </AppLink>,
            <code key={day}>{tag}</code>,
            day,
          ])}
        />
      ) : null}
    </>
  );
}
