import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useRefusedAt } from "~/frame/permissions/use-can";
import type { ApiError } from "~/api/client/errors";
import { tags } from "platform-contract/registry/tags";
import { repoQuery } from "~/domains/registry/references/repo-query";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { useGroup } from "~/frame/scope/group-ancestry";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { useTitle } from "~/frame/scope/title";
import { paramToUid } from "~/frame/scope/uid-param";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { isGone } from "~/frame/record/record-page";
import { shorten } from "~/ui/display/shorten";
import { NotFound } from "~/ui/feedback/empty";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";

import { PlaceRules } from "./place-rules";
import { readRetentionSearch } from "./search";

const TITLE = "Retention";

/** Deletes the tags of a repo or a scope that rules choose, after a preview. */
export function Retention(): ReactNode {
  const search = useCleanAddress(readRetentionSearch);
  useTitle(TITLE);
  const { group, known } = useChosenGroup();
  const repo = search.repo === undefined ? undefined : paramToUid(search.repo);
  const place = repo ?? group;
  const { data: record, error } = useQuery({ ...repoQuery(repo ?? ""), enabled: repo !== undefined });
  const { group: folder } = useGroup(repo === undefined ? place : undefined);
  const unlisted = useRefusedAt(tags.list, [place]);
  const gone = isGone(error) ? (error as ApiError) : undefined;
  const refused =
    unlisted ??
    (gone?.code === "PERMISSION_DENIED" ? { group: repo, capability: gone.missingCapability } : undefined);
  const name = (repo === undefined ? folder?.name : record?.name) ?? (place ? shorten(place) : "");
  return (
    <Page>
      <PageHeader
        icon={iconOf("tags")}
        title={TITLE}
        description={
          place === undefined ? (
            "Delete old tags by rules, after a preview."
          ) : (
            <>
              Delete old tags {repo === undefined ? "in" : "of"} <bdi>{name}</bdi> by rules, after a preview.
            </>
          )
        }
      />
      {place === undefined ? (
        known ? (
          <Notice>Choose an organization or folder in the tree, or open this from a repo's tags.</Notice>
        ) : null
      ) : refused ? (
        <HiddenByRole {...refused} />
      ) : gone ? (
        <NotFound kind="repo" sought={repo} />
      ) : (
        <PlaceRules key={place} place={place} isRepo={repo !== undefined} />
      )}
    </Page>
  );
}
