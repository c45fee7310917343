import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { listResolvedReports } from "platform-contract/advisory/resolved-reports";
import { repoTags } from "~/domains/registry/references/repo-links";
import { ActionButton } from "~/ui/controls/action-button";
import "~/ui/controls/button-styles";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";

import classes from "./advisories.module.css";
import { imagesQuery, TAGS, type ImageCriteria, type ImageSearch } from "./images-query";

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
